"""What has to be known at a place: asked for in the precondition, or tested in front."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from pitviper.base.record import replace
from pitviper.explain.advice.case import (
    Case,
    call_of,
    conjuncts,
    place_of,
    reads_heap,
    substituted,
)
from pitviper.explain.advice.objects.getters import by_getters, getters
from pitviper.explain.advice.objects.objects import is_of_instance
from pitviper.explain.advice.plain import affirmed, is_plain
from pitviper.explain.cures.edit import Candidate, never_called, statement_at
from pitviper.explain.writing import at_start_of, in_front_of, replaced, requires
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.rooms import room_of
from pitviper.program.walk import assigned_variables, descendants, free_vars, rewrite
from pitviper.results.wording import VIPER, wording_of


def asked_for(case: Case) -> Iterator[Candidate]:
    """The weakest precondition of a body without branches, or what is said about parameters."""
    member = case.member
    if not isinstance(member, Method | Function) or member.body is None:
        return
    for fact in facts_needed(case):
        early = at_the_start(case, fact)
        is_of_cases = early is None or isinstance(getattr(member, "body", None), x.Conditional)
        if is_of_cases and case.finding.error == "postcondition.violated":
            yield from [_asking(member, text) for text in _between(member)]
        if early is None or not free_vars(early) or _is_guess(early, member):
            continue
        if not free_vars(early) <= {p.name for p in member.params} or _is_of_constants(early):
            continue
        whole, lead = plain(early), _lead_of(early)
        is_weakest = is_plain(early) and text_of(early) == text_of(fact)
        if not _is_simple(early) and not is_weakest:
            yield from [_without(_asking(member, text), text) for text in _atoms(early, member)]
        if case.finding.reason == "assertion.false" and not is_plain(early):
            continue  # it would make every body right
        is_claim = case.finding.reason == "assertion.false" and case.finding.error in _CLAIMS
        same = is_claim and text_of(early) == text_of(fact)
        is_promise = case.finding.error == "postcondition.violated" and isinstance(member, Method)
        asking = _asking(member, whole, assumes=same, fixed=same and is_promise)
        yield asking if lead is None else replace(asking, said=f"{lead}: {_asked(whole)}")
        looked = [f"unfolding {i} in {whole}" for i in _instances_asked(member, early)]
        yield from [_asking(member, text) for text in looked]


def of_a_divisor(case: Case) -> Iterator[Candidate]:
    """What a body divides by is positive, most of the time: remainders are smaller than it then."""
    member = case.member
    if not isinstance(member, Method | Function) or member.body is None:
        return
    params = [param.name for param in member.params]
    divisors = [
        node.right.name
        for node in descendants(member.body)
        if isinstance(node, x.IntArith) and node.op in _DIVISIONS and isinstance(node.right, x.Var)
    ]
    for name in dict.fromkeys([name for name in divisors if name in params]):
        yield _asking(member, f"{name} > 0")


def of_a_length(case: Case) -> Iterator[Candidate]:
    """As many elements as a claim counts: `|s| >= 2` for `|t| == 2`."""
    member, part = case.member, case.part
    if not isinstance(member, Method | Function) or part is None or member.body is None:
        return
    if not any(isinstance(node, x.Cardinality | x.SeqIndex) for node in descendants(part)):
        return
    numbers = {n.value for n in descendants(part) if isinstance(n, x.IntLit) and n.value > 0}
    for param in [p for p in member.params if str(p.type).startswith("Seq[")]:
        for number in sorted(numbers):
            yield _asking(member, f"|{param.name}| >= {number}")
        yield _asking(member, f"|{param.name}| > 0")


_DIVISIONS = (x.IntOp.DIV, x.IntOp.MOD)

_CLAIMS = ("assert.failed", "exhale.failed", "postcondition.violated")
"""What the member says itself; what a callee asks for is no claim of it."""


def _asking(
    member: Method | Function, text: str, *, assumes: bool = False, fixed: bool = False
) -> Candidate:
    """A precondition; a promise that is about arguments only (`fixed`) may be left out as well."""
    edits = requires(member, text)
    said = f"`{member.name}` may be called with other values: {_asked(text)}"
    if fixed:
        said = (
            "parameters keep their values, so the body cannot make it true: promise less, or ask, "
            f"`requires {text}`"
        )
    return Candidate(
        edits,
        said,
        within=False,
        values=True,
        weak=True,
        assumes=assumes,
        never=never_called(member, edits),
    )


def _asked(text: str) -> str:
    return f"ask for it, `requires {text}`"


def _without(asking: Candidate, text: str) -> Candidate:
    """In words that fit `!(k in m)`: what is there already adds nothing."""
    found = re.fullmatch(r"!\((.+) in ([\w.]+)\)", text)
    if found is None:
        return asking
    said = f"`{found[2]}` may have `{found[1]}` already: ask that it has not, `requires {text}`"
    return replace(asking, said=said)


def _lead_of(fact: Node) -> str | None:
    """Which values are meant that callers may give: a map without the key."""
    match fact:
        case x.MapContains(key, x.Var(name)):
            return f"`{name}` may be a map without the key `{text_of(key)}`"
        case _:
            return None


def of_the_argument(case: Case) -> Iterator[Candidate]:
    """What is promised of the result may have to be true of the argument: `requires sorted(xs)`."""
    member, part = case.member, case.part
    if not isinstance(member, Method | Function) or member.body is None:
        return
    if case.finding.error != "postcondition.violated" or not isinstance(part, x.FunctionApp):
        return
    results = [arg for arg in part.args if _is_result(arg, member)]
    if str(part.type) != "Bool" or len(results) != 1:
        return
    for param in [p for p in member.params if p.type == results[0].type]:
        args = tuple([param if arg is results[0] else arg for arg in part.args])
        asked = replace(part, args=args)
        if not free_vars(asked) <= {p.name for p in member.params}:
            continue
        text = text_of(asked)
        edits = requires(member, text)
        yield Candidate(
            edits,
            f"the result is made of `{param.name}`, and nothing says `{text}`: ask for it, "
            f"`requires {text}`",
            within=False,
            values=True,
            weak=True,
            never=never_called(member, edits),
        )


def _is_result(arg: x.Expr, member: Method | Function) -> bool:
    return isinstance(arg, x.Result) or (isinstance(member, Method) and arg in member.returns)


def of_instance(case: Case) -> Iterator[Candidate]:
    """What makes the body of a predicate true that a contract gives away, in terms of the start.

    It is asked by the pure methods that tell what fields are. Other members are not looked at:
    callers that do not make sure of it are wrong as well.
    """
    member, part = case.member, case.part
    if not isinstance(member, Method) or not isinstance(part, x.Expr) or not is_of_instance(case):
        return
    if member.body is None or re.search(r"\bthis\.\w+\(\) says ", case.finding.message) is None:
        return
    early = at_the_start(replace(case, finding=replace(case.finding, error=_AT_END)), part)
    if early is None or text_of(early) == text_of(part):
        return
    text = plain(by_getters(early, getters(case.program, room_of(member.name))))
    edits = requires(member, text)
    yield Candidate(
        edits,
        f"`{member.name}` may be called with values for which it is not: ask for it, `requires "
        f"{text}`, as callers have to make sure of it then",
        weak=True,
        never=never_called(member, edits),
    )


_AT_END = "postcondition.violated"


def of_a_branch(case: Case) -> Iterator[Candidate]:
    """What has to be true where a branch begins that makes a claim false: its condition says so."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or not isinstance(part, x.Compare):
        return
    if case.finding.error not in (_AT_END, "invariant.not.preserved"):
        return
    for node in [n for n in descendants(method) if isinstance(n, s.If)]:
        fact: Node = part
        for step in reversed(node.then.statements):
            if isinstance(step, s.FieldAssign) and isinstance(step.receiver, x.Var):
                fact = _with_field(fact, place_of(step), step.value)
            elif isinstance(step, s.LocalAssign):
                fact = _with_variable(fact, step.target, step.value)
            elif isinstance(step, s.MethodCall | s.While | s.If):
                break
        early, whole = _without_old(fact), node.condition
        if early == part or not isinstance(early, x.Compare) or node.then.span.text[:1] != "{":
            continue
        text = whole.span.text
        text = f"({text})" if isinstance(whole, x.Or | x.Implies | x.Conditional) else text
        written = f"{text} && {_as_bound(early)}"
        edit = replaced(whole, written)
        yield Candidate(
            (edit,),
            f"the branch of line {node.span.line} is taken for values that make it false: write "
            f"`if ({written})`",
            never=(edit, at_start_of(node.then, "assert false")),
        )


def _as_bound(fact: x.Compare) -> str:
    """The fact as a bound of what stands in front: `n > 0` for `n - 1 >= 0`."""
    match fact:
        case x.Compare(
            x.CompareOp.GE, x.IntArith(x.IntOp.SUB, left, x.IntLit(by)), x.IntLit(0)
        ) if by > 0:
            text = f"{text_of(left)} > 0" if by == 1 else f"{text_of(left)} >= {by}"
        case _:
            text = plain(fact)
    return text if wording_of(fact.span) is VIPER else text.replace("this.", "")


def of_an_iteration(case: Case) -> Iterator[Candidate]:
    """What is asked of a parameter that a loop adds or multiplies: that it is not negative."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or case.finding.error != "invariant.not.preserved":
        return
    if not isinstance(part, x.Compare):
        return
    for loop in [n for n in descendants(method) if isinstance(n, s.While)]:
        if not any(i.span == case.finding.span for i in loop.invariants):
            continue
        steps = [n for n in descendants(loop.body) if isinstance(n, s.LocalAssign)]
        read = {v for n in steps if n.target.name in free_vars(part) for v in free_vars(n.value)}
        for param in [p for p in method.params if p.name in read]:
            for text in _not_negative(param):
                edits = requires(method, text)
                yield Candidate(
                    edits,
                    f"nothing says what `{param.name}` may be: ask for it, `requires {text}`",
                    within=False,
                    never=never_called(method, edits),
                )


def _not_negative(param: x.Var) -> Iterator[str]:
    name = param.name
    for sign in (">= 0", "> 0", "<= 0", "< 0"):
        if str(param.type) == "Int":
            yield f"{name} {sign}"
        elif str(param.type) == "Seq[Int]":
            yield f"forall k: Int :: 0 <= k && k < |{name}| ==> {name}[k] {sign}"


def _between(member: Method | Function) -> Iterator[str]:
    """Orders of two parameters, of few."""
    numbers = [p.name for p in member.params if str(p.type) == "Int"]
    if 2 <= len(numbers) <= 3:
        for one, two in combinations(numbers, 2):
            yield from [f"{one} {sign} {two}" for sign in ("<=", ">=")]


def is_of_an_argument(case: Case) -> bool:
    """Whether an inequality fails at the end of a line of assignments: an argument is too large."""
    if case.finding.error != "postcondition.violated" or not isinstance(case.part, x.Compare):
        return False
    return isinstance(case.member, Method) and at_the_start(case, case.part) is not None


def _is_simple(fact: Node) -> bool:
    """Whether nobody would write it otherwise: an inequality in which each name stands once."""
    names = [n.name for n in descendants(fact) if isinstance(n, x.Var)]
    return isinstance(fact, x.Compare | x.NotEqual) and len(names) == len(set(names))


def _is_guess(fact: Node, member: Method | Function) -> bool:
    """Whether a fact would make the body right by accident: two arguments are one, or a number."""
    match fact:
        case x.Equal(x.Var(), x.Var()):
            return True
        case x.SetContains(x.IntLit()) | x.SeqContains(x.IntLit()):
            return isinstance(member, Method)
        case _:
            return False


def _is_of_constants(fact: Node) -> bool:
    """Whether a quantifier is about elements that are written out: it may be false of them."""
    return any(
        isinstance(inner, x.SeqLit | x.SetLit | x.MapLit)
        for node in descendants(fact)
        if isinstance(node, x.Forall | x.Exists)
        for inner in descendants(node)
    )


def _instances_asked(member: Method | Function, fact: Node) -> Iterator[str]:
    """Instances of the precondition in which a field of the fact may be."""
    if any(isinstance(node, x.FieldRead) for node in descendants(fact)):
        for clause in member.preconditions:
            for node in conjuncts(clause):
                if isinstance(node, a.Access) and isinstance(node.location, a.PredicateLocation):
                    yield text_of(node.location)


def plain(fact: Node) -> str:
    """The fact as people write it: `n <= b` for `b - n >= 0`, without parentheses around it."""
    match fact:
        case x.Compare(x.CompareOp.GE, x.IntArith(x.IntOp.SUB, left, right), x.IntLit(0)):
            return f"{text_of(right)} <= {text_of(left)}"
        case x.Compare(x.CompareOp.GT, x.IntArith(x.IntOp.SUB, left, right), x.IntLit(0)):
            return f"{text_of(right)} < {text_of(left)}"
        case x.Compare(x.CompareOp.LE, x.IntArith(x.IntOp.ADD, left, x.IntLit(1)), right):
            return f"{text_of(left)} < {text_of(right)}"
        case x.Compare() | x.Equal() | x.NotEqual() if shorter := _with_one_number(fact):
            return shorter
    text = text_of(fact)
    kinds = (x.Forall, x.Exists, x.SetContains, x.SeqContains, x.MapContains)
    return text[1:-1] if isinstance(fact, kinds) and text.startswith("(") else text


def _with_one_number(fact: x.Compare | x.Equal | x.NotEqual) -> str | None:
    """`x != 0` for `x + 1 != 1`."""
    match fact.left, fact.right:
        case (
            x.IntArith(x.IntOp.ADD | x.IntOp.SUB as op, left, x.IntLit(by)),
            x.IntLit(number),
        ):
            other = number - by if op is x.IntOp.ADD else number + by
        case _:
            return None
    signs = {x.Equal: "==", x.NotEqual: "!="}
    sign = fact.op.value if isinstance(fact, x.Compare) else signs[type(fact)]
    return f"{text_of(left)} {sign} {other}"


def _atoms(fact: Node, member: Method | Function) -> Iterator[str]:
    """Simple conditions on parameters that may be enough where the fact itself is none."""
    kinds_ = (x.IntArith, x.PermArith, x.SetBinary, x.MapUpdate, x.FunctionApp)
    if isinstance(fact, x.Compare | x.Equal | x.NotEqual) and not any(
        isinstance(n, kinds_) for n in descendants(fact)
    ):
        return
    for node in descendants(fact):
        match node:
            case x.SetBinary(x.SetOp.UNION, left, x.SetLit((element,))):
                yield f"!({text_of(element)} in {text_of(left)})"
            case x.Cardinality(x.MapUpdate(whole, key)):
                yield f"!({text_of(key)} in {text_of(whole)})"
    kinds = {p.name: str(p.type) for p in member.params}
    yield from [f"{n} > none" for n in sorted(free_vars(fact)) if kinds.get(n) == "Perm"]
    numbers = [n for n in sorted(free_vars(fact)) if kinds.get(n) == "Int"]
    if len(numbers) == 1 and not reads_heap(fact):
        yield from [f"{numbers[0]} % {by} == 0" for by in _divisors(fact)]
        yield from [f"{numbers[0]} {sign} 0" for sign in (">=", "<=", ">", "<", "!=")]
    if len(numbers) == 2 and not reads_heap(fact):
        one, two = sorted(numbers, key=list(kinds).index)
        yield from [f"{one} {sign} {two}" for sign in ("<=", ">=", "<", ">", "!=")]


def _divisors(fact: Node) -> Iterator[int]:
    """Numbers by which a formula divides: a remainder would be lost."""
    for node in descendants(fact):
        match node:
            case x.IntArith(x.IntOp.DIV, _, x.IntLit(by)) if by > 1:
                yield by


def facts_needed(case: Case) -> Iterator[Node]:
    """What has to be true at the failing place."""
    part, reason = case.part, case.finding.reason
    if part is None:
        return
    match reason:
        case "assertion.false":
            yield affirmed(substituted(part, *call_of(case)))
        case "division.by.zero" if isinstance(part, x.Expr):
            if is_of_an_amount(case, part):
                yield x.Compare(x.CompareOp.GT, part, x.IntLit(0, span=part.span), span=part.span)
            yield x.NotEqual(part, x.IntLit(0, span=part.span), span=part.span)
        case "seq.index.length" | "seq.index.negative":
            yield from _index_facts(case, part)
        case "map.key.contains":
            for node in descendants(case.construct) if case.construct is not None else ():
                if isinstance(node, x.MapLookup) and node.key is part:
                    yield x.MapContains(node.key, node.map, span=part.span)


def is_of_an_amount(case: Case, part: x.Expr) -> bool:
    """Whether a divisor belongs to an amount of permission, which is positive."""
    return case.member is not None and any(
        isinstance(node, a.Access) and any(inner is part for inner in descendants(node.amount))
        for node in descendants(case.member)
    )


def _index_facts(case: Case, part: Node) -> Iterator[Node]:
    for node in descendants(case.construct) if case.construct is not None else ():
        if isinstance(node, x.SeqIndex | x.SeqUpdate) and node.index.span == part.span:
            size = x.Cardinality(node.sequence, span=part.span)
            zero = x.IntLit(0, span=part.span)
            low = x.Compare(x.CompareOp.LE, zero, node.index, span=part.span)
            high = x.Compare(x.CompareOp.LT, node.index, size, span=part.span)
            if isinstance(node.index, x.IntLit):
                yield high
                continue
            yield high if case.finding.reason == "seq.index.length" else low
            yield x.And((low, high), span=part.span)


def at_the_start(case: Case, fact: Node) -> Node | None:
    """The fact in terms of the start, where a line of assignments stands in front."""
    member = case.member
    if isinstance(member, Function):
        body = member.body
        return rewrite(fact, lambda n: body if isinstance(n, x.Result) else None)
    assert isinstance(member, Method) and member.body is not None
    at = case.finding.span
    at_end = case.finding.error == "postcondition.violated"
    for node in reversed(member.body.statements):
        if not at_end and node.span.start >= at.start:
            continue
        match node:
            case s.LocalAssign(target, value):
                fact = _with_variable(fact, target, value)
            case s.FieldAssign(x.Var(), _, value):
                fact = _with_field(fact, place_of(node), value)
            case s.Declare() | s.Assert() | s.Fold() | s.Unfold() | s.Label():
                continue
            case _ if _is_untouched(fact, node):
                continue
            case _:
                return None
    return _without_old(fact)


def _is_untouched(fact: Node, statement: s.Stmt) -> bool:
    """Whether a statement changes nothing that a fact speaks of."""
    changed = {variable.name for variable in assigned_variables(statement)}
    return not reads_heap(fact) and not free_vars(fact) & changed


def _with_variable(fact: Node, target: x.Var, value: x.Expr) -> Node:
    return rewrite(fact, lambda n: value if n == target else None)


def _with_field(fact: Node, place: str, value: x.Expr) -> Node:
    def rule(node: Node) -> Node | None:
        if isinstance(node, x.Old):
            return node
        if isinstance(node, x.FieldRead) and text_of(node) == place:
            return value
        return None

    return rewrite(fact, rule)


def _without_old(fact: Node) -> Node:
    return rewrite(fact, lambda n: n.operand if isinstance(n, x.Old) and n.label is None else None)


def of_the_written(case: Case) -> Iterator[Candidate]:
    """What a promise about all objects says of the one that is assigned to: it is asked for."""
    member, part = case.member, case.part
    if not isinstance(member, Method) or member.body is None or not isinstance(part, x.Forall):
        return
    if case.finding.error != "postcondition.violated" or len(part.variables) != 1:
        return
    match part.body:
        case x.Implies(_, right):
            fact: Node = right
        case _:
            return
    name = part.variables[0].name
    known = {param.name for param in member.params}
    for node in reversed(member.body.statements):
        if not isinstance(node, s.FieldAssign) or not isinstance(node.receiver, x.Var):
            continue
        found = substituted(
            _with_field(fact, f"{name}.{node.field}", node.value), part.variables, (node.receiver,)
        )
        if found != fact and free_vars(found) <= known and not reads_heap(found):
            yield _asking(member, plain(found))


def of_the_others(case: Case) -> Iterator[Candidate]:
    """That links lead to objects of the same set: `x.next in nodes` of all `x in nodes`."""
    member = case.member
    if not isinstance(member, Method) or member.body is None:
        return
    match case.part:
        case x.SetContains(element, x.Var(whole)):
            values = [element]
            for node in reversed(member.body.statements):
                if isinstance(node, s.LocalAssign) and node.target in values:
                    values.append(node.value)
        case _:
            return
    if whole not in {param.name for param in member.params}:
        return
    for value in values:
        if isinstance(value, x.FieldRead):
            fact = f"forall r: Ref :: r in {whole} ==> r.{value.field} in {whole}"
            edits = requires(member, fact)
            yield Candidate(
                edits,
                f"nothing says that `{value.field}` of an object in `{whole}` leads to one in "
                f"`{whole}`: ask for it after the permissions, `requires {fact}`",
                within=False,
                never=never_called(member, edits),
            )


def of_the_tested(case: Case) -> Iterator[Candidate]:
    """A promise about what is done only under a condition: that is asked for."""
    member, part = case.member, case.part
    if not isinstance(member, Method) or member.body is None or part is None:
        return
    if case.finding.error != "postcondition.violated" or wording_of(member.span) is not VIPER:
        return
    known = {param.name for param in member.params}
    opened = list[str]()
    for node in member.body.statements:
        if isinstance(node, s.Unfold):
            opened.append(text_of(node.predicate))
        if not isinstance(node, s.If) or node.otherwise.statements:
            continue
        condition = text_of(node.condition)
        if not free_vars(node.condition) <= known:
            continue
        around = [f"unfolding {instance} in {condition}" for instance in opened]
        for text in around if reads_heap(node.condition) and opened else [condition]:
            edits = requires(member, text)
            yield Candidate(
                edits,
                f"line {node.span.line} does it only if `{condition}`, and nothing is done "
                f"otherwise: promise it for that case, or ask for that, `requires {text}`",
                within=False,
                weak=True,
                narrows=True,
                never=never_called(member, edits),
            )


def of_a_step(case: Case) -> Iterator[Candidate]:
    """What is asked of a number that a step adds: that it is not negative, or not positive."""
    member, part = case.member, case.part
    if not isinstance(member, Method) or not isinstance(part, x.Compare) or member.body is None:
        return
    if case.finding.error != "fold.failed" or wording_of(member.span) is not VIPER:
        return
    steps = [n for n in member.body.statements if isinstance(n, s.FieldAssign)]
    read = {name for n in steps if n.span.end <= case.finding.span.start for name in _added(n)}
    for param in [p for p in member.params if p.name in read]:
        for text in _not_negative(param):
            yield _asking(member, text)


def _added(step: s.FieldAssign) -> frozenset[str]:
    """The variables that a step adds to a field, or takes from it."""
    match step.value:
        case x.IntArith(x.IntOp.ADD | x.IntOp.SUB, x.FieldRead() as left, right):
            return free_vars(right) if text_of(left) == place_of(step) else frozenset()
        case _:
            return frozenset()


def only_where_it_stays(case: Case) -> Iterator[Candidate]:
    """A step that may make a fact false is made only where the fact stays true."""
    method = case.member
    if not isinstance(method, Method) or wording_of(method.span) is not VIPER:
        return
    around = statement_at(method, case.finding.span)
    if around is None or not isinstance(around[0], s.Fold | s.Assert | s.Exhale):
        return
    before = [n for n in around[1].statements if n.span.end <= around[0].span.start]
    for fact in facts_needed(case):
        for node in reversed(before):
            match node:
                case s.LocalAssign(target, value):
                    found = _with_variable(fact, target, value)
                case s.FieldAssign(x.Var(), _, value):
                    found = _with_field(fact, place_of(node), value)
                case _:
                    continue
            if found == fact or not isinstance(fact, x.Compare) or node.span.text.startswith("var"):
                continue
            whole = f"if ({plain(found)}) {{ {node.span.text} }}"
            yield Candidate(
                (replaced(node, whole),),
                f"line {node.span.line} may make `{text_of(fact)}` false: test first that it "
                f"does not, `{whole}`",
                never=(in_front_of(node, [f"assert !({plain(found)})"]),),
                weak=True,
            )
            break


def tested(case: Case) -> Iterator[Candidate]:
    """The failing statement runs only where it makes sense."""
    method = case.member
    if not isinstance(method, Method):
        return
    around = statement_at(method, case.finding.span)
    if around is None or isinstance(around[0], s.While | s.If | s.Assert):
        return
    node = around[0]
    for fact in facts_needed(case):
        if not isinstance(fact, x.Expr) or _is_of_constants(fact):
            continue
        text = plain(fact)
        yield Candidate(
            (replaced(node, f"if ({text}) {{ {node.span.text} }}"),),
            f"test it first, `if ({text}) {{ {node.span.text} }}`",
            never=(in_front_of(node, [f"assert !({text})"]),),
            weak=True,
        )
