"""What to say of claims in languages with classes: they speak of pure methods and predicates.

What such a claim rests on are the fields in the bodies behind it, and the promises of the calls
that were made. So these are named: the statements on the failing path that change something, each
with its line, and what a pure method is.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import LONGEST, Case, conjuncts, in_front, lacking_of, substituted
from pitviper.explain.advice.cures import Advice, in_general
from pitviper.explain.advice.objects.changes import same_since
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.rooms import room_of
from pitviper.program.types import STATE
from pitviper.program.walk import descendants, free_vars
from pitviper.results.finding import negated
from pitviper.results.wording import VIPER, wording_of

MOST_STEPS = 3
"""Statements that are named."""

CLAIMS = ("postcondition.violated", "invariant.not.preserved", "assert.failed", "call.precondition")


def of_objects(case: Case) -> Advice | None:
    """Which statements change what a claim rests on, and what they promise."""
    finding, method = case.finding, case.member
    if wording_of(finding.span) is VIPER or finding.reason != "assertion.false":
        return None
    if finding.error not in CLAIMS or not isinstance(method, Method) or case.part is None:
        return None
    closes = is_of_instance(case)
    if finding.error != "postcondition.violated" and not closes:
        return None
    rests_on = fields_behind(case.part, case.program)
    if not closes:  # a predicate holds others as well, which the value is not made of
        rests_on = fields_behind(case.part, case.program, held=False) or rests_on
    steps = [*_changes(case, method, rests_on)]
    meant = "" if closes else _meaning(case)
    if not steps:
        fields = [f"`{field.rpartition('.')[2]}`" for field in sorted(rests_on) if "." in field]
        if not fields or _may_change(case, method, rests_on):
            return None
        names = " or ".join(fields)
        where, mend = _where_nothing(case, method)
        return in_general(f"{meant}{where} changes {names}: {mend}, or {_less(case)}")
    told = "; ".join(steps[-MOST_STEPS:])
    return in_general(f"{meant}{told}: mend that, or {_less(case)}")


def of_interface(case: Case) -> str | None:
    """The contract of a method has to do for that of the interface that declares it."""
    own, _, declared = case.finding.member.partition(" as ")
    method = case.program.methods.get(declared)
    if not declared or method is None or case.finding.reason != "assertion.false":
        return None
    fact = "this" if case.part is None else f"`{text_of(case.part)}`"
    interface, line = declared.partition(".")[0], method.span.line
    match case.finding.error:
        case "call.precondition":
            weaker = _asked_by(method, case.part)
            mend = f"delete {fact}" if weaker is None else f"write `{weaker}` for {fact}"
            return (
                f"who calls it as `{interface}` knows the `requires` of line {line} only, so "
                f"`{own}` must not ask for more: {mend}, or ask for it in `{declared}`"
            )
        case "postcondition.violated":
            return (
                f"`{declared}` (line {line}) promises {fact}, and that does not follow from what "
                f"`{own}` promises: add it to the `ensures` of `{own}`"
            )
    return None


def _asked_by(declared: Method, part: Node | None) -> str | None:
    """What an interface asks for about the same variables."""
    about = set[str]() if part is None else free_vars(part)
    for clause in declared.preconditions:
        for fact in conjuncts(clause):
            if about and isinstance(fact, x.Compare) and free_vars(fact) == about:
                return fact.span.text
    return None


def of_pure_method(case: Case) -> Advice | None:
    """A promise about fields of which a predicate of the precondition says too little."""
    member, error = case.member, case.finding.error
    if wording_of(case.finding.span) is VIPER or not isinstance(member, Function):
        return None
    if error != "postcondition.violated" or case.finding.reason != "assertion.false":
        return None
    body = None if member.body is None else bodies_of(member.body)[0][1]
    asked = [n for c in member.preconditions for n in descendants(c)]
    names = [n.predicate for n in asked if isinstance(n, a.PredicateLocation)]
    read = [] if body is None else sorted(fields_behind(body, case.program))
    if body is None or not names or not read:
        return None
    fields = " and ".join([f"`{field.rpartition('.')[2]}`" for field in read])
    known = f"{class_around(body) or room_of(names[0])}.{names[0].rpartition('.')[2]}"
    return in_general(
        f"the body reads {fields}, of which only what the precondition says is known: let "
        f"`{known}` say what makes it true, or promise less"
    )


def is_of_instance(case: Case) -> bool:
    """Whether what fails is said by a predicate whose instance is given away by a contract."""
    at = case.finding.offending
    return at is not None and any(
        predicate.body is not None and predicate.body.span.encloses(at)
        for predicate in case.program.predicates.values()
    )


def fields_behind(part: Node, program: Program, *, held: bool = True) -> frozenset[str]:
    """The fields that a formula reads, itself or in bodies of what it applies or holds.

    Without `held`, only what it and the functions that it applies read.
    """
    found: dict[str, None] = {}
    seen: set[str] = set()
    todo = [part]
    while todo:
        for node in descendants(todo.pop()):
            body: Node | None = None
            match node:
                case x.FieldRead(field=field) | a.FieldLocation(field=field):
                    found[field] = None
                case x.FunctionApp(function=name) if name not in seen:
                    seen.add(name)
                    function = program.functions.get(name)
                    body = None if function is None else function.body
                case a.PredicateLocation(predicate=name) if held and name not in seen:
                    seen.add(name)
                    body = program.predicates[name].body
            if body is not None:
                todo.append(body)
    return frozenset(found)


def _less(case: Case) -> str:
    if is_of_instance(case):
        return "let the predicate say less"
    return "promise less" if case.finding.error == "postcondition.violated" else "assert less"


def of_iteration(case: Case) -> Advice | None:
    """What an iteration changes of that which its invariant speaks about."""
    method, part, at = case.member, case.part, case.finding.span
    if wording_of(at) is VIPER or case.finding.error != "invariant.not.preserved":
        return None
    if case.finding.reason != "assertion.false" or not isinstance(method, Method) or part is None:
        return None
    rests_on = fields_behind(part, case.program)
    loops = [n for n in descendants(method) if isinstance(n, s.While)]
    own = [n for n in loops if any(i.span.encloses(at) for i in n.invariants)]
    if not own:
        return None
    names = {n.name for n in descendants(part) if isinstance(n, x.Var)}
    steps = [
        f"`{_text(node)}` (line {node.span.line})"
        for node in in_front(own[-1].body, own[-1].span.end)
        if _assigns(node, rests_on)
        or (isinstance(node, s.LocalAssign) and node.target.name in names)
    ]
    if not steps or len(steps) > MOST_STEPS:
        return None
    told, one = " and ".join(dict.fromkeys(steps)), len(dict.fromkeys(steps)) == 1
    change, them = ("changes", "that") if one else ("change", "them")
    return in_general(
        f"{told} {change} what it is about in each iteration, and it has to be true again after "
        f"{them}: mend that, or the invariant; of what else is changed in the loop only the "
        "invariants are known"
    )


def _changes(case: Case, method: Method, rests_on: frozenset[str]) -> Iterator[str]:
    """The statements in front of the claim that may change it, on the path that fails."""
    if method.body is None:
        return
    at_end = case.finding.error in ("postcondition.violated", "invariant.not.preserved")
    before = method.body.span.end if at_end else case.finding.span.start
    skipped = _not_taken(case, method)
    for node in in_front(method.body, before):
        if any(block.span.encloses(node.span) for block in skipped) or not _text(node):
            continue
        if _assigns(node, rests_on):
            yield f"`{_text(node)}` (line {node.span.line}) changes it"
        elif isinstance(node, s.MethodCall):
            promised = _promised(node, case)
            if promised:
                yield f"`{_text(node)}` (line {node.span.line}) promises `{promised}`"


def _assigns(node: Node, rests_on: frozenset[str]) -> bool:
    return isinstance(node, s.FieldAssign) and node.field in rests_on and bool(_text(node))


def _text(node: Node) -> str:
    """A statement as it is written; nothing where it is long or was not."""
    text = node.span.text.rstrip(";")
    return text if 0 < len(text) <= LONGEST and "\n" not in text else ""


def _not_taken(case: Case, method: Method) -> list[s.Block]:
    """The branches that the failing path has not taken.

    A decision is known by its place, or by its text where it was taken on account of a predicate.
    """
    found = []
    for node in descendants(method):
        if not isinstance(node, s.If):
            continue
        text = text_of(node.condition)
        for one in case.finding.conditions:
            if one.used is None and one.span == node.condition.span:
                found.append(node.otherwise if one.taken else node.then)
            elif one.used is not None and node.span.encloses(one.used):
                if one.holds == text:
                    found.append(node.otherwise)
                elif one.holds == negated(text):
                    found.append(node.then)
    return found


def _promised(call: s.MethodCall, case: Case) -> str | None:
    """What a callee says of the pure methods that the claim applies, for these arguments."""
    assert case.part is not None
    names = {n.function for n in descendants(case.part) if isinstance(n, x.FunctionApp)}
    callee = case.program.methods[call.method]
    params, args = (*callee.params, *callee.returns), (*call.args, *call.targets)
    for clause in callee.postconditions:
        for fact in conjuncts(clause):
            apps = [n for n in descendants(fact) if isinstance(n, x.FunctionApp)]
            if any(n.type == STATE for n in apps) or not any(n.function in names for n in apps):
                continue
            said = text_of(substituted(fact, params, args))
            if len(said) <= LONGEST:
                return said
    return None


def _where_nothing(case: Case, method: Method) -> tuple[str, str]:
    """Words for a body, or a path through it, that changes nothing; and what to do about it."""
    skipped = _not_taken(case, method)
    for node in descendants(method):
        if isinstance(node, s.If) and node.then in skipped and not node.otherwise.statements:
            lead = f"the `if` of line {node.span.line} has no `else`, and where its condition is "
            return f"{lead}false nothing", "write what has to be done there"
    return "nothing in the body", "change it"


def _may_change(case: Case, method: Method, fields: frozenset[str]) -> bool:
    """Whether something on the failing path may change fields without a short assignment."""
    body, skipped = method.body, _not_taken(case, method)
    return body is None or any(
        isinstance(node, s.MethodCall | s.While | s.Goto | s.Inhale | s.New)
        or (isinstance(node, s.FieldAssign) and node.field in fields)
        for node in in_front(body, body.span.end)
        if not any(block.span.encloses(node.span) for block in skipped)
    )


def _meaning(case: Case) -> str:
    """What the pure methods of a claim are, by the body for the class of the method."""
    assert case.part is not None and case.member is not None
    owner = case.member.name.partition(".")[0]
    told: dict[str, None] = {}
    for node in descendants(case.part):
        if not isinstance(node, x.FunctionApp):
            continue
        function = case.program.functions.get(node.function)
        body = None if function is None else _body_in(function.body, owner)
        if body is None or function is None or text_of(node.args[0]) != "this":
            continue
        value, app = text_of(substituted(body, function.params, node.args)), text_of(node)
        if len(value) <= LONGEST and value != app:
            told[f"`{app}` is `{value}` (line {body.span.line})"] = None
    return "".join([f"{one}; " for one in [*told][:2]])


def _body_in(body: x.Expr | None, owner: str) -> x.Expr | None:
    """The body that a class gives to a pure method: one of several, where it is of an interface."""
    own = [branch for _, branch in bodies_of(body) if class_around(branch) == owner]
    found = own[0] if own else None
    while isinstance(found, x.Unfolding):
        found = found.body
    return found


def bodies_of(body: x.Expr | None) -> list[tuple[x.Expr | None, x.Expr]]:
    """The bodies of a pure method of an interface, in the order of the classes.

    Each comes with the condition that an object is of its class; the first one has none.
    """
    while isinstance(body, x.Unfolding):
        body = body.body
    branches = list[tuple[x.Expr | None, x.Expr]]()
    while isinstance(body, x.Conditional) and _is_of_class(body.condition):
        branches.append((body.condition, body.then))
        body = body.otherwise
    if body is not None:
        branches.append((None, body))
    return branches[::-1]


def _is_of_class(e: x.Expr) -> bool:
    match e:
        case x.Equal(x.FunctionApp(function="object.class"), x.IntLit()):
            return True
        case _:
            return False


def class_around(node: Node) -> str:
    """The class in whose text a node stands."""
    before = node.span.file.text[: node.span.start].split()
    at = [i for i, word in enumerate(before) if word == "class" and i + 1 < len(before)]
    return before[at[-1] + 1].rstrip("{") if at else ""


def of_one_object(case: Case) -> str | None:
    """A call asks for two instances of a predicate, of objects that are one."""
    call, method, part = case.construct, case.member, lacking_of(case)
    if wording_of(case.finding.span) is VIPER or not isinstance(call, s.MethodCall):
        return None
    if not isinstance(part, a.PredicateLocation) or not isinstance(method, Method):
        return None
    callee = case.program.methods[call.method]
    wanted = substituted(part, callee.params, call.args)
    same = {} if method.body is None else same_since(method.body, call.span)
    for clause in callee.preconditions:
        for node in descendants(clause):
            if not isinstance(node, a.PredicateLocation) or node.span == part.span:
                continue
            other = substituted(node, callee.params, call.args)
            if other.predicate != wanted.predicate or node.span.start > part.span.start:
                continue
            one, two = text_of(other.args[0]), text_of(wanted.args[0])
            line = same.get(frozenset((one, two)))
            if one != two and line is None:
                continue
            why = "is given twice" if line is None else f"is `{two}` since line {line}"
            return (
                f"`{call.method}` asks for `{text_of(other)}` and `{text_of(wanted)}`, and `{one}` "
                f"{why}: an instance is held once, so give two objects, or let `{call.method}` "
                "ask for one of them only"
            )
    return None
