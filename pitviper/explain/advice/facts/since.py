"""What a failing claim is about, and since which line: values that a line of statements has given.

Only what stands in one line with the claim is looked at, so that what is said is true of every run.
"""

from __future__ import annotations

from pitviper.explain.advice.case import LONGEST, Case, conjuncts, in_front, place_of, quote
from pitviper.explain.advice.cures import Advice, Said, in_general
from pitviper.explain.advice.permissions.gone import made_one
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars
from pitviper.results.wording import VIPER, wording_of

_Assign = s.LocalAssign | s.FieldAssign


def given_in(case: Case) -> str | None:
    """A place is said to be one value, and a line in front gives it another."""
    part, method = case.part, case.member
    if not isinstance(part, x.Equal) or not isinstance(method, Method) or not _is_claim(case):
        return None
    steps = _line_of(case, method)
    if steps is None:
        return None
    params = {param.name for param in method.params}
    for side, other in ((part.left, part.right), (part.right, part.left)):
        found = _given(side, steps)
        if found is None or not _stays(other, params | _kept(steps, found)):
            continue
        if not _stays(found.value, params | _kept(steps, found)):
            continue
        value, meant, place = quote(found.value), quote(other), text_of(side)
        line = found.span.line
        if not value or not meant or value == meant:
            continue
        if case.finding.error == "postcondition.violated":
            return (
                f"`{place}` is `{value}` since line {line}: assign `{meant}` there, or promise "
                f"`{place} == {value}`"
            )
        mend = f"write `{place} == {value}`, or change line {line}"
        return f"`{place}` is `{value}` since line {line}: {mend}"
    return None


def by_another_name(case: Case) -> str | None:
    """A field is written through a variable that is the same object."""
    part, method = case.part, case.member
    if part is None or not isinstance(method, Method) or not _is_claim(case):
        return None
    steps = _line_of(case, method, s.New)
    reads = [n for n in descendants(part) if isinstance(n, x.FieldRead)]
    for read in reads if steps is not None else ():
        writes = [n for n in steps or () if isinstance(n, s.FieldAssign) and n.field == read.field]
        if not writes or not isinstance(read.receiver, x.Var):
            continue
        last, own = writes[-1], text_of(read.receiver)
        other = text_of(last.receiver)
        line = None if other == own else made_one(method, {own, other}, last.span.start)
        if line is None:
            continue
        target, field = line.target.name, read.field
        value = quote(last.value)
        is_constant = isinstance(last.value, x.IntLit | x.BoolLit | x.NullLit)
        instead = f", or {_verb(case)} `{own}.{field} == {value}`" if is_constant else ""
        return (
            f"line {line.span.line} makes `{target}` the same object as `{text_of(line.value)}`, "
            f"so that line {last.span.line} writes `{own}.{field}`: make another object in line "
            f"{line.span.line}, `{target} := new({field})`{instead}"
        )
    return None


def true_at_first(case: Case) -> str | None:
    """The precondition says the claim, and a line in front changes one side of it."""
    part, method = case.part, case.member
    if not isinstance(part, x.Expr) or not isinstance(method, Method) or not _is_claim(case):
        return None
    steps = _line_of(case, method)
    said = [
        fact.span.line
        for clause in method.preconditions
        for fact in conjuncts(clause)
        if text_of(fact) == text_of(part)
    ]
    if steps is None or not said:
        return None
    read = {text_of(n) for n in descendants(part) if isinstance(n, x.FieldRead)}
    changes = [step for step in steps if isinstance(step, s.FieldAssign) and place_of(step) in read]
    places = dict.fromkeys(place_of(step) for step in changes)
    if len(places) != 1 or len(read) < 2:
        return None
    place, rest = next(iter(places)), sorted(read - set(places))
    lines = " and ".join(str(step.span.line) for step in changes)
    others = " and ".join(f"`{one}`" for one in rest)
    return (
        f"it is true at the start (line {said[0]}), and line {lines} changes `{place}` only: "
        f"change {others}, too, or {_verb(case)} it of the values at the start, "
        f"`old({quote(part)})`"
    )


def lost_between(case: Case) -> Said:
    """Two variables read a field, and between them all that is held of it is given away."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or method.body is None or part is None:
        return None
    early, given = set[str](), dict[str, s.Exhale]()
    for node in method.body.statements:
        match node:
            case s.LocalAssign(target, value) if target.name in free_vars(part):
                reads = {text_of(n) for n in descendants(value) if isinstance(n, x.FieldRead)}
                for place in sorted(reads & set(given)):
                    exhale = given[place]
                    return in_general(
                        f"line {exhale.span.line} gives `{place}` away, so that it may have "
                        f"another value in line {node.span.line}: keep a part of it, or say what "
                        f"it is where it comes back, as in `inhale acc({place}) && {place} == ...`"
                    )
                early |= reads
            case s.Exhale(assertion):
                places = [n.location for n in descendants(assertion) if isinstance(n, a.Access)]
                given |= {text_of(p): node for p in places if text_of(p) in early}
    return None


def _axiom_about(case: Case, assigns: list[_Assign], part: Node) -> str | None:
    """Of a value that functions of a domain make, only axioms say what other functions give."""
    if len(assigns) != 1 or not isinstance(assigns[0].value, x.DomainApp):
        return None
    made, line = assigns[0].value, assigns[0].span.line
    asked = {n.function for n in descendants(part) if isinstance(n, x.DomainApp)}
    for axiom in case.program.domains[made.domain].axioms:
        for node in descendants(axiom.body):
            applied = [n.function for n in descendants(node) if isinstance(n, x.DomainApp)]
            if not isinstance(node, x.Equal) or made.function not in applied:
                continue
            if asked & set(applied):
                name = next(each for each in applied if each in asked)
                return (
                    f"what `{name}` is of a `{made.function}(...)` (line {line}), only axioms say: "
                    f"line {node.span.line} has `{quote(node)}`; is that what you mean, and enough "
                    f"to {_verb(case)} this?"
                )
    return None


def last_touched(case: Case) -> Said:
    """The statements that have to make a claim true: those that touch what it is about."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or method.body is None or part is None:
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    at_end = case.finding.error == "postcondition.violated"
    before = method.body.span.end if at_end else case.finding.span.start
    fields = {n.field for n in descendants(part) if isinstance(n, x.FieldRead)}
    about_it = free_vars(part)
    touching = [n for n in in_front(method.body, before) if _touches(n, fields, about_it)]
    call = next((n for n in reversed(touching) if isinstance(n, s.MethodCall)), None)
    if call is not None and touching[-1] is call:
        return _behind_a_call(call, part, case.program)
    assigns = [n for n in touching if isinstance(n, _Assign)]
    if len(assigns) < len(touching):
        return None
    if not touching and fields and not _may_change(method.body, before):
        names = " and ".join(f"`{field}`" for field in sorted(fields))
        return f"nothing in the body assigns {names}: assign it, or {_verb(case)} less"
    if not 1 <= len(assigns) <= 3:
        return None
    axiom = _axiom_about(case, assigns, part)
    if axiom is not None:
        return axiom
    told = " and ".join([_told(node) for node in assigns])
    about = " and ".join([f"`{name}`" for name in dict.fromkeys(_subject(n) for n in assigns)])
    return Advice(
        f"all that assigns {about} is {told}, and that does not make it true: mend that, or "
        f"{_verb(case)} less",
        general=True,
    )


def _behind_a_call(call: s.MethodCall, part: Node, program: Program) -> str | None:
    """What the callee takes may be another behind it: it has to promise what."""
    about = [n for n in descendants(part) if isinstance(n, x.FunctionApp)]
    what = next((text for n in about if (text := quote(n))), None)
    if what is None:
        return None
    callee = call.method
    lack = f"nothing of `{what}`: add an `ensures` to `{callee}` that says what it is then"
    if _speaks_of(program.methods[callee], about):
        lack = f"too little of `{what}`: promise more in `{callee}`"
    return (
        f"after line {call.span.line} only what `{call.method}` promises is known, and it says "
        f"{lack}"
    )


def _speaks_of(method: Method, about: list[x.FunctionApp]) -> bool:
    names = {app.function for app in about}
    return any(
        isinstance(node, x.FunctionApp) and node.function in names
        for clause in method.postconditions
        for node in descendants(clause)
    )


def _touches(node: s.Stmt, fields: set[str], names: frozenset[str]) -> bool:
    match node:
        case s.FieldAssign():
            return node.field in fields
        case s.MethodCall(args=args):
            given = {name for arg in args for name in free_vars(arg)}
            given |= {target.name for target in node.targets}
            return bool(given & names)
        case s.LocalAssign() | s.New():
            return node.target.name in names
        case s.If() | s.Block() | s.Declare() | s.Assert() | s.Exhale():
            return False
        case _:
            return bool(free_vars(node) & names)


def _may_change(block: s.Block, before: int) -> bool:
    """Whether something may give fields other values without an assignment."""
    quiet = (s.LocalAssign, s.FieldAssign, s.Declare, s.Assert, s.Label, s.If, s.Block, s.Fold)
    return any(not isinstance(node, (*quiet, s.Unfold)) for node in in_front(block, before))


def _subject(node: _Assign) -> str:
    return node.field if isinstance(node, s.FieldAssign) else node.target.name


def _told(node: s.Stmt) -> str:
    text = node.span.text
    return f"line {node.span.line}" + (f" (`{text}`)" if len(text) <= LONGEST else "")


def _is_claim(case: Case) -> bool:
    claims = ("assert.failed", "postcondition.violated")
    own = wording_of(case.finding.span) is VIPER
    return own and case.finding.reason == "assertion.false" and case.finding.error in claims


def _verb(case: Case) -> str:
    return "promise" if case.finding.error == "postcondition.violated" else "assert"


def _line_of(case: Case, method: Method, *further: type[s.Stmt]) -> list[s.Stmt] | None:
    """The statements in front of a claim, where they stand in one line with it."""
    if method.body is None:
        return None
    body = method.body.statements
    if case.finding.error == "postcondition.violated":
        steps = list(body)
    else:
        at = case.finding.span
        own = [n for n in body if isinstance(n, s.Assert) and n.span.encloses(at)]
        if not own:
            return None
        steps = [n for n in body if n.span.end <= own[0].span.start]
    quiet = (s.Declare, s.LocalAssign, s.FieldAssign, s.Assert, *further)
    return steps if all(isinstance(node, quiet) for node in steps) else None


def _kept(steps: list[s.Stmt], since: s.Stmt) -> set[str]:
    """Variables that were assigned in front of a statement, and not behind it."""
    early = [n for n in steps if isinstance(n, s.LocalAssign) and n.span.start < since.span.start]
    late = [n for n in steps if isinstance(n, s.LocalAssign) and n.span.start >= since.span.start]
    return {n.target.name for n in early} - {n.target.name for n in late}


def _given(side: x.Expr, steps: list[s.Stmt]) -> _Assign | None:
    """The last statement that gives a place its value, where none behind it may change that."""
    for step in reversed(steps):
        match step, side:
            case s.LocalAssign(target), x.Var(name) if target.name == name:
                return step
            case s.LocalAssign(target), x.FieldRead(x.Var(name)) if target.name == name:
                return None  # another object
            case s.FieldAssign(), x.FieldRead(x.Var()) if step.field == side.field:
                return step if place_of(step) == text_of(side) else None
    return None


def _stays(value: x.Expr, params: set[str]) -> bool:
    """Whether an expression is a constant or a parameter: it has one value in the whole body."""
    match value:
        case x.IntLit() | x.BoolLit() | x.NullLit() | x.Negate(x.IntLit()):
            return True
        case x.IntArith(_, left, right):
            return _stays(left, params) and _stays(right, params)
        case x.Var(name):
            return name in params
        case _:
            return False
