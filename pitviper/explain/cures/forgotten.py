"""What a body forgets: an earlier value, the first element, a step, one of two, a field.

As with slips, each is a guess that is told only where it was seen to work.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, conjuncts, place_of
from pitviper.explain.cures.edit import Candidate, blocks, quoted, words_for_end
from pitviper.explain.cures.loops.updates import counted
from pitviper.explain.writing import at_end_of, behind, in_front_of, replaced
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.types import AdtType, IntType, MultisetType, SeqType, SetType, Type
from pitviper.program.walk import assigned_variables, descendants, free_vars
from pitviper.results.wording import VIPER, wording_of

Assigned = s.LocalAssign | s.FieldAssign


def one_of_two(case: Case) -> Iterator[Candidate]:
    """An invariant with `||`, of which both sides are needed."""
    for loop in _loops(case):
        for clause in loop.invariants:
            text = clause.span.text
            if not isinstance(clause, x.Or) or text.count("||") != 1 or "&&" in text:
                continue
            meant = text.replace("||", "&&")
            yield Candidate(
                (replaced(clause, meant),),
                f"`||` in line {clause.span.line} says one of both only: write `invariant {meant}`",
            )


def accumulated(case: Case) -> Iterator[Candidate]:
    """A variable that a loop gathers something in, of which each iteration forgets the rest."""
    if case.part is None:
        return
    about = free_vars(case.part)
    for loop in _loops(case):
        for node in descendants(loop.body):
            match node:
                case s.LocalAssign(target, value) if target.name in about:
                    if target.name not in free_vars(value) and node.span.text != value.span.text:
                        yield from _gathered(node)


def _gathered(node: s.LocalAssign) -> Iterator[Candidate]:
    name, text = node.target.name, node.value.span.text
    for sign in _gathering(node.value.type):
        rest = f"({text})" if _binds_less(node.value, sign) else text
        whole = f"{name} {sign} {rest}"
        yield Candidate(
            (replaced(node.value, whole),),
            f"{quoted(node)} forgets what `{name}` was before: write `{name} := {whole}`",
            values=True,
            weak=True,
        )


def _gathering(kind: Type) -> tuple[str, ...]:
    """Operators by which something is added to what is there."""
    match kind:
        case SeqType():
            return ("++",)
        case SetType() | MultisetType():
            return ("union",)
        case _:
            return {"Bool": ("||", "&&"), "Int": ("+", "*")}.get(str(kind), ())


def _binds_less(value: x.Expr, sign: str) -> bool:
    """Whether a value needs parentheses behind an operator."""
    loose: tuple[type[Node], ...] = (x.Conditional, x.Implies, x.Forall, x.Exists, x.Let)
    if sign == "&&":
        loose = (*loose, x.Or)
    if sign == "*":
        loose = (*loose, x.IntArith)
    return isinstance(value, loose)


def set_when_made(case: Case) -> Iterator[Candidate]:
    """A field of a new object that nothing sets, though a parameter has what is meant."""
    method = case.member
    if not isinstance(method, Method) or wording_of(method.span) is not VIPER:
        return
    is_set = {target_of(n) for n in descendants(method) if isinstance(n, s.FieldAssign)}
    for made in [n for n in descendants(method) if isinstance(n, s.New)]:
        for field in made.fields:
            place, kind = f"{made.target.name}.{field}", case.program.fields[field].type
            if place in is_set:
                continue
            for param in [p for p in method.params if p.type == kind]:
                yield Candidate(
                    (behind(made, f"{place} := {param.name}"),),
                    f"nothing sets `{place}`, and `new` gives any value: write "
                    f"`{place} := {param.name}` after line {made.span.line}",
                )


def kept_earlier(case: Case) -> Iterator[Candidate]:
    """A value that one assignment needs, and another one in front of it overwrites."""
    method = case.member
    if not isinstance(method, Method) or wording_of(method.span) is not VIPER:
        return
    for block in blocks(method):
        line = [n for n in block.statements if isinstance(n, Assigned)]
        for at, first in enumerate(line):
            place = target_of(first)
            for second in line[at + 1 :]:
                uses = [n for n in descendants(second.value) if _is_place(n, place)]
                if target_of(second) == place:
                    break
                if uses and not any(_is_place(n, place) for n in descendants(first.value)):
                    declares = any(n.span.text.startswith("var") for n in (first, second))
                    if second is line[at + 1] and not declares:
                        yield _exchanged(first, second)
                    yield _with_kept(method, line[:at], (first, second), uses)


def _exchanged(first: Assigned, second: Assigned) -> Candidate:
    """The second assignment in front of the first, where it reads the earlier value."""
    place = target_of(first)
    return Candidate(
        (replaced(first, second.span.text), replaced(second, first.span.text)),
        f"line {first.span.line} overwrites `{place}` before line {second.span.line} reads it: put "
        f"{quoted(second)} before it",
    )


def _with_kept(
    method: Method, before: list[Assigned], pair: tuple[Assigned, Assigned], uses: list[Node]
) -> Candidate:
    """The second assignment reads a variable that was given the value in front of the first."""
    first, second = pair
    place = target_of(first)
    lead = f"line {first.span.line} overwrites `{place}` before line {second.span.line} reads it"
    kept = kept_in(before, place)
    if kept is not None:
        edits = tuple([replaced(node, kept) for node in uses])
        return Candidate(edits, f"{lead}: read `{kept}` there, which has its earlier value")
    taken = {n.name for n in descendants(method) if isinstance(n, x.Var)}
    taken |= {v.name for v in (*method.params, *method.returns)}
    name = next(n for n in ("t", "temp", "before", "kept", "kept__") if n not in taken)
    declared = f"var {name}: {first.value.type} := {place}"
    return Candidate(
        (in_front_of(first, [declared]), *[replaced(node, name) for node in uses]),
        f"{lead}: keep its earlier value, `{declared}` before `{first.span.text}`, and read "
        f"`{name}` in line {second.span.line}",
    )


def kept_in(before: list[Assigned], place: str) -> str | None:
    """A variable that was given the value of a place, where neither has changed since."""
    found: str | None = None
    for node in before:
        match node:
            case s.LocalAssign(target, value) if text_of(value) == place:
                found = target.name
            case _ if target_of(node) in (place, found):
                found = None
    return found


def target_of(node: Assigned) -> str:
    return node.target.name if isinstance(node, s.LocalAssign) else place_of(node)


def _is_place(node: Node, place: str) -> bool:
    return isinstance(node, x.Var | x.FieldRead) and text_of(node) == place


def begun_with_first(case: Case) -> Iterator[Candidate]:
    """A number that a loop compares with elements, and that begins with none of them."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or method.body is None or part is None:
        return
    for loop in _loops(case):
        for node in method.body.statements:
            match node:
                case s.LocalAssign(target, x.IntLit() as value) if target.name in free_vars(part):
                    if node.span.start > loop.span.start or value.span.text == node.span.text:
                        continue
                    for whole in _sequences(method, value.type):
                        yield Candidate(
                            (replaced(value, f"{whole}[0]"),),
                            f"`{target.name}` begins as {value.value}, which need not be an "
                            f"element of `{whole}`: write `{target.name} := {whole}[0]` in line "
                            f"{node.span.line}",
                        )


def _sequences(method: Method, element: Type) -> list[str]:
    return [p.name for p in method.params if p.type == SeqType(element)]


def stepping(case: Case) -> Iterator[Candidate]:
    """A loop that changes nothing of its measure, or goes on from where it is."""
    method = case.member
    if not isinstance(method, Method):
        return
    for loop in _loops(case):
        clauses = [c for c in loop.decreases if c.span == case.finding.span]
        for clause in clauses:
            if not isinstance(clause, s.DecreasesTuple):
                continue
            about = {name for measure in clause.measures for name in free_vars(measure)}
            changed = {v.name for v in assigned_variables(loop)}
            if not about & changed:
                fixed = {param.name for param in method.params}
                yield from counted(loop, (free_vars(loop.condition) & about) - fixed, further=True)
            for node in descendants(loop.body):
                if isinstance(node, s.LocalAssign) and node.target.name in about:
                    yield from _one_further(node)


def _one_further(node: s.LocalAssign) -> Iterator[Candidate]:
    """`lo := mid + 1` for `lo := mid`: the half that is left has to be smaller."""
    text = node.value.span.text
    if not isinstance(node.value, x.Var) or text != node.value.name:
        return
    for sign in "+-":
        whole = f"{node.target.name} := {text} {sign} 1"
        yield Candidate(
            (replaced(node.value, f"{text} {sign} 1"),),
            f"{quoted(node)} may leave `{node.target.name}` as it is, and the loop goes on for "
            f"ever: write `{whole}`",
        )


def for_what_is_done(case: Case) -> Iterator[Candidate]:
    """An invariant about what is still to do, where what is done is meant."""
    method = case.member
    if not isinstance(method, Method) or method.body is None:
        return
    starts = {
        node.target.name: node.value.name
        for node in method.body.statements
        if isinstance(node, s.LocalAssign) and isinstance(node.value, x.Var)
    }
    for loop in _loops(case):
        for clause in loop.invariants:
            for node in conjuncts(clause):
                yield from _of_the_others(node, starts)


def _of_the_others(clause: Node, starts: dict[str, str]) -> Iterator[Candidate]:
    match clause:
        case x.Forall(body=x.Implies(x.SetContains(element, x.Var(name)) as range_, _)):
            if name not in starts:
                return
            whole = starts[name]
            text = f"{element.span.text} in {whole} && !({element.span.text} in {name})"
            yield Candidate(
                (replaced(range_, text),),
                f"line {clause.span.line} speaks of what is still in `{name}`: of what is done, "
                f"write `{text}` in place of `{range_.span.text}`",
            )


def counted_in(case: Case) -> Iterator[Candidate]:
    """An equation that each iteration changes by what it counts: `r == i * y + j`."""
    if not case.finding.error.startswith("invariant") or wording_of(case.finding.span) is not VIPER:
        return
    for loop in _loops(case):
        changed = {variable.name for variable in assigned_variables(loop)}
        counters = [
            node.target.name
            for node in loop.body.statements
            if isinstance(node, s.LocalAssign) and text_of(node.value) == f"{node.target.name} + 1"
        ]
        for clause in [fact for each in loop.invariants for fact in conjuncts(each)]:
            match clause:
                case x.Equal(x.Var(name), right) if name in changed:
                    others = [n for n in counters if n != name and n not in free_vars(right)]
                    for other in others if str(right.type) == "Int" else ():
                        meant = f"{right.span.text} + {other}"
                        yield Candidate(
                            (replaced(right, meant),),
                            f"each iteration of the loop of line {loop.span.line} changes `{name}`,"
                            f" so it is not the same all the time: write "
                            f"`invariant {name} == {meant}` in line {clause.span.line}",
                        )


def _loops(case: Case) -> list[s.While]:
    nodes = () if not isinstance(case.member, Method) else descendants(case.member)
    return [node for node in nodes if isinstance(node, s.While)]


def by_induction(case: Case) -> Iterator[Candidate]:
    """A lemma that does not use itself for what is smaller.

    method appendNil(xs: List) ensures append(xs, Nil()) == xs { }
    // if (xs.isCons) { appendNil(xs.tail) }
    """
    method = case.member
    if case.finding.error != "postcondition.violated" or not isinstance(method, Method):
        return
    if method.body is None or method.returns or wording_of(method.span) is not VIPER:
        return
    inside = list(descendants(method.body))
    changes = (s.FieldAssign, s.While, s.Fold, s.Unfold, s.Exhale, s.Inhale)
    if any(isinstance(n, changes) or _is_call_of(n, method.name) for n in inside):
        return
    for at, param in enumerate(method.params):
        for condition, smaller in _smaller_than(param, case.program):
            args = [smaller if at == i else p.name for i, p in enumerate(method.params)]
            text = f"if ({condition}) {{ {method.name}({', '.join(args)}) }}"
            yield Candidate(
                (at_end_of(method.body, [text]),),
                f"`{method.name}` may use itself for what is smaller: `{text}` "
                f"{words_for_end(method.body, method)}",
            )


def _is_call_of(node: object, name: str) -> bool:
    return isinstance(node, s.MethodCall) and node.method == name


def _smaller_than(param: x.Var, program: Program) -> Iterator[tuple[str, str]]:
    """Values that are smaller than a parameter, and when there are some."""
    name = param.name
    match param.type:
        case AdtType() as kind:
            adt = program.adts[kind.name]
            for constructor in adt.constructors:
                for part in constructor.params:
                    if isinstance(part.type, AdtType) and part.type.name == kind.name:
                        yield f"{name}.is{constructor.name}", f"{name}.{part.name}"
        case SeqType():
            yield f"|{name}| > 0", f"{name}[1..]"
            yield f"|{name}| > 0", f"{name}[..|{name}| - 1]"
        case IntType():
            yield f"{name} > 0", f"{name} - 1"
        case _:
            return
