"""Invariants that a loop may lack: bounds of its counters, goals half way, permissions.

A clause is only proposed here; those that do not hold at the start or are not kept are dropped by
whoever tries them, as in Houdini.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from pitviper.base.record import replace
from pitviper.explain.advice.case import Case, call_of, conjuncts, substituted
from pitviper.explain.cures.edit import Candidate, Pool, loops_around, words_for_front
from pitviper.explain.cures.loops.untouched import rest_unchanged
from pitviper.explain.cures.mutations import by_likeness, never_taken
from pitviper.explain.cures.needs import plain
from pitviper.explain.writing import in_front_of, invariants, replaced
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import assigned_variables, descendants, free_vars, rewrite
from pitviper.results.finding import negated
from pitviper.results.wording import VIPER, wording_of

MOST = 18
"""Clauses of a pool."""

LONGEST_CLAUSE = 160
"""Characters of a clause."""


def pools(case: Case) -> Iterator[Pool]:
    """One for each loop that may have made something unknown at the failing place."""
    if not isinstance(case.member, Method) or case.member.body is None:
        return
    for loop in _loops(case, case.member):
        lacking = case.finding.reason == "insufficient.permission"
        held = list(_permissions(case.member, loop))
        known = list(_facts(case, case.member, loop))
        said = {text_of(c) for i in loop.invariants for c in conjuncts(i)}
        said |= {c.span.text for i in loop.invariants for c in conjuncts(i)}
        lead = _lead(case, loop, lacking=lacking)
        for found in [held, held + known] if lacking else [held + known]:
            texts = [t for t in dict.fromkeys(found) if t not in said and len(t) <= LONGEST_CLAUSE]
            if texts:
                yield Pool(loop, tuple(texts[:MOST]), lead)


def _loops(case: Case, method: Method) -> list[s.While]:
    """Loops around the failing place, those in front of it, and that of a failing invariant."""
    at, error = case.finding.span, case.finding.error
    nodes = [n for n in descendants(method) if isinstance(n, s.While)]
    if error == "postcondition.violated":
        return nodes
    own = [n for n in nodes if any(i.span.encloses(at) for i in (*n.invariants, n.condition))]
    if own:
        inner = [n for n in nodes if any(o.body.span.encloses(n.span) for o in own)]
        return [*own, *inner] if error == "invariant.not.preserved" else own
    around = loops_around(method, at)
    return around or [n for n in nodes if n.span.end <= at.start]


def _lead(case: Case, loop: s.While, *, lacking: bool) -> str:
    line, condition = loop.span.line, text_of(loop.condition)
    if case.finding.error == "invariant.not.preserved":
        return f"each iteration of the loop of line {line} starts with its invariants only"
    if loop.body.span.encloses(case.finding.span) or loop.condition.span.encloses(
        case.finding.span
    ):
        if lacking:
            return f"the loop of line {line} has only what its invariants ask for"
        start = "starts with its invariants and its condition only"
        return f"an iteration of the loop of line {line} {start}"
    if lacking:
        return f"after the loop of line {line} there is only what its invariants keep"
    return f"after the loop of line {line} only its invariants and `{negated(condition)}` are known"


def _permissions(method: Method, loop: s.While) -> Iterator[str]:
    """What the precondition holds, and what is made in front of the loop.

    That of a variable which walks on from a parameter comes before that of the parameter: there is
    only one of both when the loop begins.
    """
    yield from _walking(method, loop)
    for clause in method.preconditions:
        for part in conjuncts(clause):
            if not isinstance(part, x.Expr):
                yield part.span.text
    for node in () if method.body is None else method.body.statements:
        match node:
            case s.New(target, fields) if node.span.end <= loop.span.start:
                yield from [f"acc({target.name}.{field})" for field in fields]
            case s.Fold(instance) if node.span.end <= loop.span.start:
                yield text_of(instance)
    for clause in method.postconditions:
        for part in conjuncts(clause):
            if not isinstance(part, x.Expr):
                yield part.span.text


def _walking(method: Method, loop: s.While) -> Iterator[str]:
    """`list(c)` of `list(x)`, where `c` begins as `x`."""
    changed = {variable.name for variable in assigned_variables(loop)}
    for name, start in _values_in_front(method, loop).items():
        if name not in changed or not isinstance(start, x.Var):
            continue
        for part in [part for clause in method.preconditions for part in conjuncts(clause)]:
            if isinstance(part, a.Access) and start.name in free_vars(part.location):
                walked = substituted(part, (start,), (x.Var(name, start.type, span=start.span),))
                whole = text_of(walked.amount) == "write"
                is_instance = isinstance(walked.location, a.PredicateLocation)
                yield text_of(walked.location) if whole and is_instance else text_of(walked)


def _facts(case: Case, method: Method, loop: s.While) -> Iterator[str]:
    changed = {variable.name for variable in assigned_variables(loop)}
    yield from bounds_of(loop.condition, changed)
    yield from _starts(method, loop, changed)
    yield from _still_ahead(method, loop, changed)
    yield from _passed_by(method, loop, changed)
    yield from rest_unchanged(loop, changed, _values_in_front(method, loop))
    goals = [g for clause in method.postconditions for g in conjuncts(clause)]
    part = case.part
    if part is not None and case.finding.error in ("assert.failed", "call.precondition"):
        goals.insert(0, substituted(part, *call_of(case)))
    facts = [g for g in goals if isinstance(g, x.Expr) and not _is_of_result(g)]
    starts = _values_in_front(method, loop)
    for goal in facts:
        yield from _half_way(goal, loop, changed)
        yield from _downwards(goal, loop, starts)
    for goal in facts:
        yield text_of(goal)
    for goal in [g for g in facts if _reads(g)]:
        yield from [f"{started} ==> {text_of(goal)}" for started in _once(starts, changed)]
    for clause in method.preconditions:
        for known in conjuncts(clause):
            if isinstance(known, x.Expr) and _reads(known):
                yield text_of(known)
    yield from _in_step(method, loop)
    yield from _unchanged(method, loop)
    yield from _signs(method, loop, changed)


def _once(starts: dict[str, x.Expr], changed: set[str]) -> Iterator[str]:
    """`i > 0` of a counter that starts at 0: that an iteration has been made."""
    for name, start in starts.items():
        if name in changed and isinstance(start, x.IntLit):
            yield f"{name} > {start.value}"


def _is_of_result(goal: Node) -> bool:
    return any(isinstance(node, x.Result) for node in descendants(goal))


def _reads(node: Node) -> bool:
    return any(isinstance(inner, x.FieldRead) for inner in descendants(node))


_WEAKER = {x.CompareOp.LT: x.CompareOp.LE, x.CompareOp.GT: x.CompareOp.GE}


def bounds_of(condition: x.Expr, changed: set[str]) -> Iterator[str]:
    """`i <= n` of a loop that runs while `i < n`."""
    for part in conjuncts(condition):
        match part:
            case x.Compare(op) if op in _WEAKER:
                yield text_of(replace(part, op=_WEAKER[op]))
            case x.Compare(op, left, right):
                sign, by = ("<=", "+ 1") if op is x.CompareOp.LE else (">=", "- 1")
                yield f"{text_of(left)} {sign} {text_of(right)} {by}"
            case x.NotEqual(left, right) if str(left.type) == "Int":
                yield f"{text_of(left)} <= {text_of(right)}"
                yield f"{text_of(left)} >= {text_of(right)}"


def _starts(method: Method, loop: s.While, changed: set[str]) -> Iterator[str]:
    """`0 <= i` of a counter that starts at 0 and grows, `i <= n` of one that shrinks."""
    for name, start in _values_in_front(method, loop).items():
        steps = [n for n in descendants(loop.body) if _assigns(n, name)]
        if name not in changed or not steps or free_vars(start) & changed:
            continue
        signs = {_direction(node, name) for node in steps}
        if signs == {1}:
            yield f"{text_of(start)} <= {name}"
        elif signs == {-1}:
            yield f"{name} <= {text_of(start)}"


def _still_ahead(method: Method, loop: s.While, changed: set[str]) -> Iterator[str]:
    """`k in s[i..]` of a search that goes up, where `k in s` is asked for."""
    starts = _values_in_front(method, loop)
    counters = [n for n in starts if n in changed and str(starts[n].type) == "Int"]
    for fact in [fact for clause in method.preconditions for fact in conjuncts(clause)]:
        match fact:
            case x.SeqContains(element, x.Var(whole)):
                for name in counters:
                    if {_direction(n, name) for n in descendants(loop.body)} >= {1}:
                        yield f"{text_of(element)} in {whole}[{name}..]"


def _passed_by(method: Method, loop: s.While, changed: set[str]) -> Iterator[str]:
    """What a search that goes up has seen to be true of all places before its counter."""
    starts = _values_in_front(method, loop)
    for fact in conjuncts(loop.condition):
        for node in [n for n in descendants(fact) if isinstance(n, x.SeqIndex)]:
            if not isinstance(node.index, x.Var) or not isinstance(fact, x.Expr):
                continue
            name = node.index.name
            start = starts.get(name)
            if name not in changed or start is None or free_vars(fact) & changed != {name}:
                continue
            if {_direction(n, name) for n in descendants(loop.body)} >= {1}:
                bound = next(n for n in ("j", "k", "i", "m") if n not in free_vars(fact))
                index = x.Var(bound, node.index.type, span=node.index.span)
                said = text_of(substituted(fact, (node.index,), (index,)))
                low = text_of(start)
                yield f"forall {bound}: Int :: {low} <= {bound} && {bound} < {name} ==> {said}"


def _assigns(node: Node, name: str) -> bool:
    return isinstance(node, s.LocalAssign) and node.target.name == name


def _direction(node: Node, name: str) -> int:
    match node:
        case s.LocalAssign(_, x.IntArith(op, x.Var(left), x.IntLit(by))) if left == name and by > 0:
            return {x.IntOp.ADD: 1, x.IntOp.SUB: -1}.get(op, 0)
        case _:
            return 0


def _values_in_front(method: Method, loop: s.While) -> dict[str, x.Expr]:
    """What variables are when the loop is met, by the last assignment in front of it."""
    found: dict[str, x.Expr] = {}
    for block in [n for n in descendants(method) if isinstance(n, s.Block)]:
        if loop not in block.statements:
            continue
        for node in block.statements[: block.statements.index(loop)]:
            for variable in assigned_variables(node):
                found.pop(variable.name, None)
            if isinstance(node, s.LocalAssign):
                found[node.target.name] = node.value
    return found


def _half_way(goal: Node, loop: s.While, changed: set[str]) -> Iterator[str]:
    """A goal with the counter in place of the bound: `s == sum(i)` of `s == sum(n)`."""
    for part in conjuncts(loop.condition):
        if not isinstance(part, x.Compare | x.NotEqual):
            continue
        for counter, bound in ((part.left, part.right), (part.right, part.left)):
            if not isinstance(counter, x.Var | x.Cardinality) or not free_vars(counter) & changed:
                continue
            text = text_of(bound)
            last = isinstance(part, x.Compare) and part.op in (x.CompareOp.LE, x.CompareOp.GE)
            now: x.Expr = counter
            if last:
                one = x.IntLit(1, span=counter.span)
                now = x.IntArith(x.IntOp.SUB, counter, one, span=counter.span)
            done = _with_text(goal, text, now)
            if done != goal:
                yield text_of(done)
            both = _with_both(goal, text, now)
            if both != goal and _reads(goal):
                yield text_of(both)
            if isinstance(bound, x.Cardinality) and isinstance(bound.collection, x.Var):
                whole = bound.collection
                taken = x.SeqTake(whole, counter, span=counter.span)
                part_of = _with_text(goal, whole.name, taken)
                if part_of != goal and str(whole.type).startswith("Seq"):
                    yield text_of(part_of)


def _with_both(goal: Node, bound: str, counter: x.Expr) -> Node:
    """A goal about all indices below a bound, for those that are below the counter as well.

    Where the counter may be beyond the bound, there is no permission for what is between them.
    """

    def rule(node: Node) -> Node | None:
        match node:
            case x.And(parts):
                found = [p for p in parts if _is_below(p, bound)]
                more = [x.Compare(x.CompareOp.LT, p.left, counter, span=p.span) for p in found]
                return x.And((*parts, *more), span=node.span) if more else None
            case _:
                return None

    return rewrite(goal, rule)


def _is_below(part: Node, bound: str) -> TypeGuard[x.Compare]:
    if not isinstance(part, x.Compare) or part.op is not x.CompareOp.LT:
        return False
    return isinstance(part.left, x.Var) and text_of(part.right) == bound


def _downwards(goal: Node, loop: s.While, starts: dict[str, x.Expr]) -> Iterator[str]:
    """The same for a counter that goes down: `|r| == |s| - i` of `|r| == |s|`."""
    for part in conjuncts(loop.condition):
        match part:
            case x.Compare(x.CompareOp.GT, x.Var(name) as counter, x.IntLit(0)) if name in starts:
                start = starts[name]
                left = x.IntArith(x.IntOp.SUB, start, counter, span=counter.span)
                done = _with_text(goal, text_of(start), left)
                if done != goal:
                    yield text_of(done)


def _with_text(goal: Node, text: str, value: x.Expr) -> Node:
    """The goal with a value in place of an expression that is written like this."""
    return rewrite(goal, lambda n: value if _is_text(n, text) else None)


def _is_text(node: Node, text: str) -> bool:
    return isinstance(node, x.Expr) and text_of(node) == text


def _in_step(method: Method, loop: s.While) -> Iterator[str]:
    """`c.val == i` or `r == a * i`: what grows by a constant with each step of a counter."""
    starts = _values_in_front(method, loop)
    starts |= _fields_in_front(method, loop)
    starts = {**_known_around(method, loop), **starts}
    grown = dict(_growth(loop))
    for name, by in grown.items():
        for counter, step in grown.items():
            if name == counter or "." in counter or text_of(step) != "1":
                continue
            begin, first = starts.get(name), starts.get(counter)
            if begin is None or first is None:
                continue
            steps = _times(text_of(by), _minus(counter, text_of(first)))
            yield f"{name} == {_sum(text_of(begin), steps)}"


def _known_around(method: Method, loop: s.While) -> dict[str, x.Expr]:
    """What an inner loop starts with by the invariants of the loop around it: `r == i * b`."""
    around = [n for n in loops_around(method, loop.span) if n is not loop]
    return {
        fact.left.name: fact.right
        for outer in around
        for clause in outer.invariants
        for fact in conjuncts(clause)
        if isinstance(fact, x.Equal) and isinstance(fact.left, x.Var)
    }


def _growth(loop: s.While) -> Iterator[tuple[str, x.Expr]]:
    """Places to which every iteration adds a value that stays the same."""
    changed = {variable.name for variable in assigned_variables(loop)}
    for node in loop.body.statements:
        match node:
            case s.LocalAssign(target, x.IntArith(x.IntOp.ADD, x.Var(left), by)):
                if target.name == left and not free_vars(by) & changed and not _reads(by):
                    yield left, by
            case s.FieldAssign(receiver, field, x.IntArith(x.IntOp.ADD, x.FieldRead() as left, by)):
                place = f"{text_of(receiver)}.{field}"
                if place == text_of(left) and not free_vars(by) & changed and not _reads(by):
                    yield place, by


def _fields_in_front(method: Method, loop: s.While) -> dict[str, x.Expr]:
    found: dict[str, x.Expr] = {}
    for node in () if method.body is None else method.body.statements:
        if node.span.start >= loop.span.start:
            break
        if isinstance(node, s.FieldAssign):
            found[f"{text_of(node.receiver)}.{node.field}"] = node.value
    for name in dict(_growth(loop)):
        if "." in name and name not in found:
            at = next(n for n in descendants(loop) if _is_text(n, name))
            assert isinstance(at, x.Expr)
            found[name] = x.Old(None, at, span=at.span)
    return found


def _sum(start: str, rest: str) -> str:
    return rest if start == "0" else f"{start} + {rest}"


def _minus(counter: str, first: str) -> str:
    return counter if first == "0" else f"({counter} - {first})"


def _times(by: str, steps: str) -> str:
    return steps if by == "1" else f"{by} * {steps}"


def _unchanged(method: Method, loop: s.While) -> Iterator[str]:
    """`x.f == old(x.f)` of fields that the loop holds and does not assign."""
    written = {node.field for node in descendants(loop.body) if isinstance(node, s.FieldAssign)}
    for clause in (*loop.invariants, *method.preconditions):
        for node in descendants(clause):
            if isinstance(node, a.Access) and isinstance(node.location, a.FieldLocation):
                place = text_of(node.location)
                if node.location.field not in written and "[" not in place:
                    yield f"{place} == old({place})"


def _signs(method: Method, loop: s.While, changed: set[str]) -> Iterator[str]:
    """Numbers that the loop changes may stay what they are at the start: not negative, positive."""
    for name, start in _values_in_front(method, loop).items():
        if name in changed and isinstance(start, x.IntLit):
            yield f"{name} > 0" if start.value > 0 else f"{name} >= 0"


def of_the_middle(case: Case) -> Iterator[Candidate]:
    """An invariant that says what is true at the end, of the bound in place of the counter."""
    part, method = case.part, case.member
    if not isinstance(method, Method) or not isinstance(part, x.Expr):
        return
    for loop in [n for n in descendants(method) if isinstance(n, s.While)]:
        if not any(clause.span.encloses(part.span) for clause in loop.invariants):
            continue
        match loop.condition:
            case x.Compare(x.CompareOp.LT, x.Var() as counter, bound):
                fact = f"{counter.name} <= {bound.span.text}"
            case x.NotEqual(x.Var() as counter, bound):
                fact = f"{counter.name} <= {bound.span.text}"
            case _:
                continue
        uses = [n for n in descendants(part) if n.span.text == bound.span.text and n == bound]
        if not uses or part == x.Compare(x.CompareOp.LE, counter, bound, span=part.span):
            continue
        edits = tuple([replaced(node, counter.name) for node in uses])
        text, start = part.span.text, part.span.start
        for node in reversed(uses):
            at, end = node.span.start - start, node.span.end - start
            text = f"{text[:at]}{counter.name}{text[end:]}"
        said = f"an invariant is true in the middle of the loop, too: write `{text}` in line "
        yield Candidate(edits, f"{said}{part.span.line}")
        yield Candidate(
            (*edits, *invariants(loop, [fact])),
            f"{said}{part.span.line}, and add `invariant {fact}`",
        )


_FIRST = {"Int": "0", "Bool": "false", "Ref": "null"}


def of_unset(case: Case) -> Iterator[Candidate]:
    """A variable that nothing has assigned in front of the loop may have any value."""
    part, method = case.part, case.member
    if case.finding.error != "invariant.not.established" or not isinstance(method, Method):
        return
    if part is None or method.body is None or wording_of(case.finding.span) is not VIPER:
        return
    start = case.finding.span.start
    set_ = {
        variable.name
        for node in descendants(method.body)
        if isinstance(node, s.Stmt) and node.span.start < start and not isinstance(node, s.While)
        for variable in assigned_variables(node)
        if not isinstance(node, s.Block | s.If)
    }
    for node in descendants(method.body):
        if not isinstance(node, s.Declare) or node.variable.name not in free_vars(part) - set_:
            continue
        first, text = _FIRST.get(str(node.variable.type)), node.span.text.rstrip(";")
        if first is not None and ":=" not in text:
            yield Candidate(
                (replaced(node, f"{text} := {first}"),),
                f"nothing has assigned `{node.variable.name}` before the loop, so it may have "
                f"any value: write `{text} := {first}` in line {node.span.line}",
                further=True,
            )
    for loop in [n for n in descendants(method.body) if isinstance(n, s.While)]:
        if not any(clause.span.encloses(part.span) for clause in loop.invariants):
            continue
        for result in [r for r in method.returns if r.name in free_vars(part) - set_]:
            if (first := _FIRST.get(str(result.type))) is not None:
                text = f"{result.name} := {first}"
                yield Candidate(
                    (in_front_of(loop, [text]),),
                    f"nothing has assigned the result `{result.name}` before the loop, so it "
                    f"may have any value: write `{text}` {words_for_front(loop)}",
                    further=True,
                )


def of_the_step(case: Case) -> Iterator[Candidate]:
    """What has to hold at the start of an iteration for an invariant to hold at its end.

    Of `a == fib(i)`, with `a := b` and `i := i + 1` in the body, that is `b == fib(i + 1)`.
    """
    part, method = case.part, case.member
    if case.finding.error != "invariant.not.preserved" or not isinstance(method, Method):
        return
    for loop in [n for n in descendants(method) if isinstance(n, s.While)]:
        if not isinstance(part, x.Equal) or not any(
            clause.span.encloses(part.span) for clause in loop.invariants
        ):
            continue
        fact = _before_iteration(loop, part)
        if fact is None:
            return
        names = {v.name for v in (*method.params, *method.returns)}
        names |= {
            n.variable.name
            for n in descendants(method)
            if isinstance(n, s.Declare) and n.span.end <= loop.span.start
        }
        text = text_of(fact)
        if text != text_of(part) and free_vars(fact) <= names and len(text) <= LONGEST_CLAUSE:
            yield Candidate(
                invariants(loop, [text]),
                f"an iteration makes this true of what was true of other variables before, which "
                f"no invariant says: add `invariant {text}`",
            )


def _before_iteration(loop: s.While, fact: Node) -> Node | None:
    """What makes a fact true behind a body that assigns variables only; None for other bodies."""
    for node in reversed(loop.body.statements):
        match node:
            case s.LocalAssign(target, value):
                fact = substituted(fact, (target,), (value,))
            case s.Declare() | s.Assert():
                continue
            case _:
                return None
    return fact


def one_ahead(case: Case) -> Iterator[Candidate]:
    """A loop that tests what holds, where what will hold behind a further step is meant."""
    part, method = case.part, case.member
    if case.finding.error != "invariant.not.preserved" or not isinstance(method, Method):
        return
    for loop in [n for n in descendants(method) if isinstance(n, s.While)]:
        if not isinstance(part, x.Expr) or text_of(loop.condition) != text_of(part):
            continue
        fact = _before_iteration(loop, part)
        if fact is None:
            return
        text = plain(fact)
        if text != text_of(part) and len(text) <= LONGEST_CLAUSE:
            yield Candidate(
                (replaced(loop.condition, text),),
                f"the loop goes one step too far, as its condition is what has to hold after the "
                f"step: write `while ({text})` in line {loop.span.line}",
            )


def turned(case: Case) -> Iterator[Candidate]:
    """The condition of an `if` around what a failing invariant speaks of, the other way round."""
    part, method = case.part, case.member
    if not case.finding.error.startswith(("invariant", "postcondition")) or part is None:
        return
    if not isinstance(method, Method):
        return
    for node in by_likeness([n for n in descendants(method) if isinstance(n, s.If)], part):
        changed = {v.name for v in assigned_variables(node)}
        match node.condition:
            case x.Compare(op, left, right) if changed & free_vars(part):
                text = f"{left.span.text} {_TURNED[op]} {right.span.text}"
                edit = replaced(node.condition, text)
                yield Candidate(
                    (edit,),
                    f"is the condition `{node.condition.span.text}` (line {node.span.line}) what "
                    f"you mean? Write `{text}`",
                    values=True,
                    weak=True,
                    never=never_taken(node.condition, method, edit),
                )


_TURNED = {
    x.CompareOp.LT: ">",
    x.CompareOp.GT: "<",
    x.CompareOp.LE: ">=",
    x.CompareOp.GE: "<=",
}
