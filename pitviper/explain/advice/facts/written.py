"""What the statements in front of a failing assertion have written, or have not."""

from __future__ import annotations

from typing import TypeGuard

from pitviper.explain.advice.case import Case, in_front, quote, reads_heap, substituted
from pitviper.explain.advice.cures import Advice, Said, in_general
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import assigned_variables, descendants, free_vars, rewrite
from pitviper.results.wording import VIPER, wording_of


def last_said(case: Case) -> Advice | None:
    """The last statement in front that writes something the assertion looks at."""
    if not isinstance(case.member, Method) or case.member.body is None or case.part is None:
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    parts = list(descendants(case.part))
    reads = {node.field: node for node in parts if isinstance(node, x.FieldRead)}
    found = None
    for node in in_front(case.member.body, case.finding.span.start):
        match node:
            case s.FieldAssign(receiver, field) if field in reads:
                found = node if text_of(receiver) != text_of(reads[field].receiver) else None
            case s.MethodCall() | s.While() | s.Inhale() | s.Unfold() | s.Apply():
                found = None
    if found is None:
        return None
    other, own = text_of(found.receiver), text_of(reads[found.field].receiver)
    return in_general(
        f"line {found.span.line} writes `{other}.{found.field}`, and `{other}` and `{own}` may be "
        f"one object: then it writes `{own}.{found.field}`, too; keep them apart, or assert less"
    )


def unassigned_paths(block: s.Block, name: str, before: int) -> s.If | None:
    """The last `if` of which one branch assigns a variable, where nothing else does for sure."""
    found: s.If | None = None
    for node in block.statements:
        if node.span.start >= before:
            break
        if isinstance(node, s.If):
            sides = [_assigns(node.then, name), _assigns(node.otherwise, name)]
            if all(sides):
                return None
            found = node if any(sides) else found
        elif name in [variable.name for variable in assigned_variables(node)] or isinstance(
            node, s.Goto | s.Label
        ):
            return None
    return found


def _branches_with(block: s.Block, name: str, before: int) -> list[int]:
    """The lines of those `if` in front of a place that assign a variable in one branch."""
    return [
        node.span.line
        for node in block.statements
        if isinstance(node, s.If) and node.span.start < before
        if _assigns(node.then, name) != _assigns(node.otherwise, name)
    ]


def _assigns(block: s.Block, name: str) -> bool:
    """Whether every way through a block assigns a variable."""
    for node in block.statements:
        if isinstance(node, s.If):
            if _assigns(node.then, name) and _assigns(node.otherwise, name):
                return True
        elif name in _targets(node) or isinstance(node, s.Goto):
            return True
    return False


def _assigned_in_a_branch(case: Case, names: list[str]) -> str | None:
    """A variable that only one branch assigns may have any value behind the other."""
    assert isinstance(case.member, Method) and case.member.body is not None
    at_end = case.finding.error == "postcondition.violated"
    before = case.member.body.span.end if at_end else case.finding.span.start
    for name in names:
        branch = unassigned_paths(case.member.body, name, before)
        if branch is None:
            continue
        assigned = _assigns(branch.then, name)
        condition = quote(branch.condition)
        where = f"if `{condition}`" if assigned else f"if `{condition}` is false"
        other = "in an `else`" if not branch.otherwise.statements else "in the other branch"
        other = other if assigned else "in the first branch"
        last = branch
        while [type(n) for n in last.otherwise.statements] == [s.If]:
            (inner,) = last.otherwise.statements
            assert isinstance(inner, s.If)
            last = inner
        if last is not branch and assigned and not last.otherwise.statements:
            return (
                f"`{name}` is assigned only in the branches of the `if` of line "
                f"{branch.span.line}, and may have any value where none of them is taken: add an "
                f"`else` after line {last.span.line} that assigns it, or assign it first"
            )
        several = _branches_with(case.member.body, name, before)
        if len(several) > 1:
            lines = f"{', '.join(map(str, several[:-1]))} and {several[-1]}"
            return (
                f"`{name}` is assigned only where a condition of lines {lines} holds, and may "
                "have any value otherwise: assign it in an `else` of the last one, too, or "
                f"before line {several[0]}"
            )
        return (
            f"`{name}` is assigned only {where} (line {branch.span.line}), and may have any value "
            f"otherwise: assign it {other}, too, or before the `if`"
        )
    return None


def never_assigned(case: Case) -> str | None:
    """A variable that nothing has assigned, or not on every path, may have any value."""
    if not isinstance(case.member, Method) or case.member.body is None or case.part is None:
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    params = {param.name for param in case.member.params}
    assigned = {name for node in descendants(case.member.body) for name in _targets(node)}
    bound = {
        v.name
        for n in descendants(case.part)
        if isinstance(n, x.Forall | x.Exists)
        for v in n.variables
    }
    open_ = sorted(free_vars(case.part) - params - assigned - bound)
    if not open_:
        return _assigned_in_a_branch(case, sorted(free_vars(case.part) - params - bound))
    value = _claimed(case, open_[0])
    return (
        f"`{open_[0]}` is never assigned, so it may have any value: assign one, `{open_[0]} := "
        f"{value}`"
    )


def _claimed(case: Case, place: str) -> str:
    """The value that a claim of the member names for a place, if it is written there."""
    if case.finding.error not in ("assert.failed", "postcondition.violated"):
        return "..."
    params = case.member.params if isinstance(case.member, Method) else ()
    known = {param.name for param in params}
    match case.part:
        case x.Equal(left, right) if text_of(left) == place and not reads_heap(right):
            return text_of(right) if free_vars(right) <= known else "..."
        case x.Equal(left, right) if text_of(right) == place and not reads_heap(left):
            return text_of(left) if free_vars(left) <= known else "..."
        case _:
            return "..."


def _targets(node: Node) -> tuple[str, ...]:
    match node:
        case s.LocalAssign(target) | s.New(target):
            return (target.name,)
        case s.MethodCall():
            return tuple([target.name for target in node.targets])
        case _:
            return ()


def without_old(case: Case) -> str | None:
    """`x.f == x.f + 1` speaks of one moment on both sides; so does `get() == get() + 1`."""
    meant = None if case.part is None else with_old(case.part)
    if meant is None or not isinstance(case.part, x.Equal):
        return None
    place = text_of(case.part.left)
    return (
        f"`{place}` is the value at the end on both sides: the one at the start is `old({place})`, "
        f"as in `{meant}`"
    )


def with_old(part: Node) -> str | None:
    """`x.f == old(x.f) + 1` for `x.f == x.f + 1`."""
    if not isinstance(part, x.Equal) or not isinstance(part.left, x.FieldRead | x.FunctionApp):
        return None
    place = text_of(part.left)
    old = [n for n in descendants(part.right) if isinstance(n, x.Old)]
    if old or not any(_reads(n, place) for n in descendants(part.right)):
        return None
    meant = rewrite(
        part.right,
        lambda n: x.Old(None, n, span=n.span) if _reads(n, place) else None,
    )
    return f"{place} == {text_of(meant)}"


def overwritten(case: Case) -> Said:
    """A field is written before a later line reads it, and its earlier value was meant."""
    if not isinstance(case.member, Method) or case.member.body is None or case.part is None:
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    parts = list(descendants(case.part))
    meant = {text_of(n.operand): n.operand for n in parts if isinstance(n, x.Old)}
    promised = {text_of(n) for n in parts if isinstance(n, x.FieldRead)}
    written: dict[str, s.FieldAssign] = {}
    for node in case.member.body.statements:
        if not isinstance(node, s.FieldAssign):
            continue
        place = f"{text_of(node.receiver)}.{node.field}"
        for read in descendants(node.value):
            first = written.get(text_of(read)) if isinstance(read, x.FieldRead) else None
            if first is None or text_of(read) not in meant or place not in promised:
                continue
            if place == text_of(read):
                continue  # it counts on from there
            name = text_of(read)
            kind = meant[name].type
            used = {node.name for node in descendants(case.member) if isinstance(node, x.Var)}
            kept = next(letter for letter in ("t", "u", "v", "w", "kept") if letter not in used)
            return in_general(
                f"line {first.span.line} overwrites `{name}` before line {node.span.line} reads "
                f"it: keep its earlier value, `var {kept}: {kind} := {name}` before "
                f"`{first.span.text}`, and read `{kept}` in line {node.span.line}"
            )
        written[place] = node
    return None


def _reads(node: Node, place: str) -> TypeGuard[x.FieldRead | x.FunctionApp]:
    return isinstance(node, x.FieldRead | x.FunctionApp) and text_of(node) == place


def new_values(case: Case) -> str | None:
    """A `new` gives permission, and says nothing of values."""
    if not isinstance(case.member, Method) or case.member.body is None or case.part is None:
        return None
    places = {text_of(n): n for n in descendants(case.part) if isinstance(n, x.FieldRead)}
    made = None
    for node in in_front(case.member.body, case.finding.span.start):
        match node:
            case s.New(target, fields):
                made = next(
                    (p for p in places if p in [f"{target.name}.{f}" for f in fields]), made
                )
                line = node.span.line
            case s.FieldAssign(receiver, field) if f"{text_of(receiver)}.{field}" == made:
                made = None
            case s.MethodCall() | s.While() | s.If():
                made = None
    if made is None:
        return None
    value = _claimed(case, made)
    return (
        f"the `new` of line {line} gives `{made}` no value: assign one after it, `{made} := "
        f"{value}`"
    )


def given_back(case: Case) -> str | None:
    """Permission that an `inhale` or an `unfold` brings, and nothing is said of the value."""
    if not isinstance(case.member, Method) or case.member.body is None or case.part is None:
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    reads = {text_of(n) for n in descendants(case.part) if isinstance(n, x.FieldRead)}
    said: str | None = None
    gone: dict[str, int] = {}
    for node in in_front(case.member.body, case.finding.span.start):
        match node:
            case s.Exhale(formula):
                gone |= {place: node.span.line for place in _whole(formula, reads)}
            case s.Inhale(formula) if places := _places_without_value(formula, reads):
                said = _brought(places[0], node, gone.get(places[0]))
            case s.Unfold(instance):
                said = _of_an_instance(instance, reads, node, case.program) or said
            case s.FieldAssign(receiver, field) if f"{text_of(receiver)}.{field}" in reads:
                said = None
            case s.MethodCall() | s.While() | s.Apply():
                said = None
    return said


def _whole(formula: Node, places: set[str]) -> list[str]:
    """Which of the places a formula gives away as a whole."""
    return [
        text_of(node.location)
        for node in descendants(formula)
        if isinstance(node, a.Access)
        and text_of(node.location) in places
        and text_of(node.amount) == "write"
    ]


def _places_without_value(formula: Node, places: set[str]) -> list[str]:
    """Which of the places a formula has permission to, and says nothing of."""
    read = {text_of(node) for node in descendants(formula) if isinstance(node, x.FieldRead)}
    return [place for place in _whole(formula, places) if place not in read]


def _brought(place: str, inhale: s.Inhale, gone: int | None) -> str:
    line = inhale.span.line
    if gone is None:
        return (
            f"the `inhale` of line {line} brings `{place}` with any value: say there what it is, "
            f"`inhale ... && {place} == ...`"
        )
    return (
        f"line {gone} gives `{place}` away, and the `inhale` of line {line} brings it back with "
        f"any value: keep a part of the permission, say the value in the `inhale`, `... && "
        f"{place} == ...`, or leave both out"
    )


def _of_an_instance(
    instance: a.PredicateLocation, reads: set[str], unfold: s.Unfold, program: Program
) -> str | None:
    """The body of a predicate that was opened has the place, and says nothing of its value."""
    predicate = program.predicates[instance.predicate]
    if predicate.body is None:
        return None
    body = substituted(predicate.body, predicate.params, instance.args)
    found = _places_without_value(body, reads)
    if not found:
        return None
    return (
        f"`{text_of(instance)}`, opened in line {unfold.span.line}, holds `{found[0]}` and says "
        f"nothing of its value: say it in the body of the predicate, or ask for it by "
        f"`requires unfolding {text_of(instance)} in ...`"
    )


def heap_changed(case: Case) -> str | None:
    """A line of statements in front writes what the assertion looks at, under another name."""
    if not isinstance(case.member, Method) or case.member.body is None or case.part is None:
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    before = case.finding.span.start
    writes = [
        node
        for node in in_front(case.member.body, before)
        if isinstance(node, s.FieldAssign) and isinstance(node.receiver, x.Var)
    ]
    for write in reversed(writes):
        target = f"{text_of(write.receiver)}.{write.field}"
        for node in descendants(case.part):
            if isinstance(node, x.FunctionApp) and _looks_at(node, target, case.program):
                return (
                    f"`{text_of(node)}` looks at `{target}`, which line {write.span.line} changes: "
                    f"its earlier value is `old({text_of(node)})`, or a variable that was assigned "
                    "first"
                )
            if not isinstance(node, x.FieldRead) or node.field != write.field:
                continue
            names = {text_of(node.receiver), text_of(write.receiver)}
            same = [c for c in case.finding.conditions if set(c.holds.split(" == ")) == names]
            if same and len(names) == 2:
                one, other = sorted(names)
                return (
                    f"line {write.span.line} writes `{target}`, which is `{text_of(node)}` where "
                    f"`{same[0].holds}`: say that they differ, `requires {one} != {other}`"
                )
    return None


def _looks_at(app: x.FunctionApp, target: str, program: Program) -> bool:
    """Whether the precondition of a function asks for a location."""
    function = program.functions.get(app.function)
    if function is None:
        return False
    return any(
        isinstance(node, a.FieldLocation)
        and text_of(substituted(node, function.params, app.args)) == target
        for clause in function.preconditions
        for node in descendants(clause)
    )
