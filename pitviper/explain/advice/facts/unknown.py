"""What to do where nothing says what a value is: rules that name the value and ask for it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import islice

from pitviper.explain.advice.case import (
    Case,
    compared,
    conjuncts,
    in_front,
    quote,
    reads_heap,
    substituted,
)
from pitviper.explain.advice.cures import Advice, Said, asks, in_general
from pitviper.explain.advice.plain import affirmed, is_plain
from pitviper.explain.advice.runs.trial import holding
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import children, descendants, free_vars, rewrite
from pitviper.results.wording import VIPER, wording_of


def two_objects(case: Case) -> str | None:
    """Two objects are said to be one, and the precondition has too much permission for that."""
    part = case.part
    if not isinstance(part, x.Equal) or not isinstance(case.member, Method):
        return None
    pair = (text_of(part.left), text_of(part.right))
    if isinstance(part.left, x.Var) and isinstance(part.right, x.NullLit):
        return _not_null(pair[0], case.member)
    if not isinstance(part.left, x.Var) or not isinstance(part.right, x.Var):
        return None
    held = [node for clause in case.member.preconditions for node in _always(clause)]
    for whole in held:
        for other in held:
            one, two = whole.location, other.location
            if not isinstance(one, a.FieldLocation) or not isinstance(two, a.FieldLocation):
                continue
            receivers = text_of(one.receiver), text_of(two.receiver)
            if one.field != two.field or sorted(receivers) != sorted(pair) or whole is other:
                continue
            if text_of(whole.amount) == "write" and _is_some(other.amount):
                some = "all" if text_of(other.amount) == "write" else "a part"
                return (
                    f"the precondition asks for all of `{text_of(one)}` and for {some} of "
                    f"`{text_of(two)}`, so `{pair[0]}` and `{pair[1]}` are two objects, and this "
                    "is never true"
                )
    return None


def _not_null(name: str, member: Method) -> str | None:
    """The precondition has permission to a field of what is said to be null."""
    for clause in member.preconditions:
        for node in _always(clause):
            place = node.location
            if not isinstance(place, a.FieldLocation) or not _is_some(node.amount):
                continue
            if text_of(place.receiver) == name:
                return (
                    f"the precondition asks for permission to `{text_of(place)}`, so `{name}` is "
                    "not null, and this is never true"
                )
    return None


def _always(clause: Node) -> Iterable[a.Access]:
    """Permissions that a formula asks for without condition."""
    if isinstance(clause, a.Access):
        return [clause]
    if isinstance(clause, a.Star):
        return [found for part in clause.conjuncts for found in _always(part)]
    return []


def _is_some(amount: x.Expr) -> bool:
    """Whether an amount of permission is positive, by its text."""
    match amount:
        case x.PermLit(value):
            return value in (x.PermConstant.WRITE, x.PermConstant.WILDCARD)
        case x.PermArith(x.PermOp.FRACTION, x.IntLit(top), x.IntLit(bottom)):
            return top > 0 and bottom > 0
        case _:
            return False


def literally_false(case: Case) -> Said:
    """`assert false` asks whether a place can be reached."""
    if not isinstance(case.part, x.BoolLit) or case.part.value:
        return None
    if case.finding.error in ("assert.failed", "exhale.failed"):
        return (
            "`false` holds only where no run can come, and one may come here: leave it out, or "
            "say first what rules that out"
        )
    if case.finding.error == "postcondition.violated" and isinstance(case.member, Method):
        return in_general(
            "`false` holds only where no run can come, and one may come to the end of the body: "
            "promise something else"
        )
    return None


def remainder(case: Case) -> str | None:
    """A remainder is compared with a negative number."""
    for node in () if case.part is None else descendants(case.part):
        if not isinstance(node, x.Equal):
            continue
        match node.left, node.right:
            case (x.IntArith(x.IntOp.MOD), x.Negate(x.IntLit(number))) if number > 0:
                return f"`{text_of(node)}` is never true: a remainder is not negative in Viper"
    return None


def unknown_field(case: Case) -> str | None:
    """Nothing in front speaks of the value of a field."""
    member, part = case.member, case.part
    if not isinstance(member, Method) or member.body is None or part is None:
        return None
    if wording_of(case.finding.span) is not VIPER or not isinstance(part, x.Expr):
        return None
    at = case.finding.span
    steps = [
        node
        for node in in_front(member.body, at.start)
        if node.span.end < at.end or not isinstance(node, s.Assert | s.Exhale)
    ]
    if any(not isinstance(step, _QUIET) for step in steps):
        return None
    known = [n for c in member.preconditions for n in descendants(c)]
    known += [n for step in steps for n in descendants(step)]
    said = {text_of(node): node for node in known if isinstance(node, x.FieldRead)}
    for node in descendants(part):
        if not isinstance(node, x.FieldRead) or text_of(node) in said:
            continue
        asked = _asked(part, member)
        if asked is None or not isinstance(node.receiver, x.Var) or not _alone(node, member):
            return None
        lead = f"nothing says what `{text_of(node)}` is"
        twins = [one for one in said.values() if one.field == node.field and _alone(one, member)]
        if not twins:
            return f"{lead}: {_made_true(case, part)}ask for it, {asked}"
        twin, own = text_of(twins[0].receiver), node.receiver.name
        same = f", or say that they are one, `requires {twin} == {own}`"
        return f"{lead}, as `{twin}` and `{own}` may be two objects: ask for it, {asked}" + (
            same if _may_be_one(twins[0], node, member) else ""
        )
    return None


def _made_true(case: Case, part: x.Expr) -> str:
    """An `assert` of what is promised may be meant as an assignment: it changes nothing."""
    member = case.member
    if not isinstance(member, Method) or case.finding.error != "assert.failed":
        return ""
    match part:
        case x.Equal(x.FieldRead() as place, value) if not reads_heap(value):
            is_promised = any(
                text_of(fact) == text_of(part)
                for clause in member.postconditions
                for fact in conjuncts(clause)
            )
            if is_promised:
                step = f"`{text_of(place)} := {text_of(value)}`"
                return f"an `assert` changes nothing, so make it true first, {step}, or "
    return ""


def _alone(read: x.FieldRead, member: Method) -> bool:
    """Whether the precondition says of a parameter nothing that makes it another object."""
    if not isinstance(read.receiver, x.Var):
        return False
    name = read.receiver.name
    if name not in [param.name for param in member.params]:
        return False
    for clause in member.preconditions:
        if not _only_as_receiver(clause, name):
            return False
        for node in descendants(clause):
            if isinstance(node, x.Forall | a.QuantifiedPermission) and any(
                isinstance(inner, x.FieldRead) and inner.field == read.field
                for inner in descendants(node)
            ):
                return False
    return True


def _only_as_receiver(node: Node, name: str) -> bool:
    """Whether a variable is in a formula only to name a field, or to say that it is not null."""
    match node:
        case x.Var():
            return node.name != name
        case x.FieldRead(x.Var()) | a.FieldLocation(x.Var()) | x.NotEqual(x.Var(), x.NullLit()):
            return True
        case _:
            return all(_only_as_receiver(part, name) for part in children(node))


def _may_be_one(read: x.FieldRead, other: x.FieldRead, member: Method) -> bool:
    """Whether the permissions that are asked for leave room for one object under two names."""
    total = Fraction(0)
    for held in [node for clause in member.preconditions for node in _always(clause)]:
        if text_of(held.location) in (text_of(read), text_of(other)):
            match held.amount:
                case x.PermArith(x.PermOp.FRACTION, x.IntLit(top), x.IntLit(bottom)) if bottom:
                    total += Fraction(top, bottom)
                case _:
                    return False
    return 0 < total <= 1


_QUIET = (s.Declare, s.LocalAssign, s.Assert, s.Label)
"""Statements that change no field and bring nothing to know of one."""


def _asked(part: x.Expr, member: Method) -> str | None:
    """A precondition that says the part, if it is short and about parameters only."""
    quoted = quote(part)
    if quoted.startswith("(") and isinstance(part, x.Forall | x.Exists):
        quoted = quoted[1:-1]
    if not quoted or not free_vars(part) <= {param.name for param in member.params}:
        return None
    return f"`requires {quoted}`"


def of_parameters(case: Case) -> Advice | None:
    """What is about parameters only has to be asked for, as nothing in the body changes them."""
    member, part = case.member, case.part
    if not isinstance(member, Method) or not isinstance(part, x.Expr):
        return None
    if wording_of(case.finding.span) is not VIPER or not free_vars(part):
        return None
    fact = affirmed(part)
    assert isinstance(fact, x.Expr)
    inner, _ = without_applications(fact, case.program)
    return _of_products(case, inner) or _about_parameters(fact, inner, member)


def _of_products(case: Case, part: x.Expr) -> Advice | None:
    """A claim about products that no run makes false may be true, and too hard for the solver."""
    is_hard = any(
        isinstance(node, x.IntArith)
        and node.op in (x.IntOp.MUL, x.IntOp.DIV, x.IntOp.MOD)
        and free_vars(node.right)
        and free_vars(node.left)
        for node in descendants(part)
    )
    if (
        not is_hard
        or not all(islice(holding(case), MOST_RUNS))
        or next(holding(case), None) is None
    ):
        return None
    return Advice(
        "no small values make it false, and products of variables are hard for the solver: it may "
        "be true all the same; `assert` the steps that lead to it first, or leave it out"
    )


MOST_RUNS = 100
"""Runs that are looked at before a claim is called true for small values."""


def _about_parameters(part: x.Expr, inner: x.Expr, member: Method) -> Advice | None:
    """`inner` is the part with the bodies of functions."""
    asked = _asked(part, member)
    if asked is None or reads_heap(inner):
        return None
    if any(isinstance(node, x.Old | x.ForPerm) for node in descendants(inner)):
        return None
    lead, whole = _what_is_known(inner, member), ""
    parts = _parts_of_one(inner, member)
    if parts is not None:
        lead, whole = parts
    order = _other_order(inner, member)
    if order is not None:
        return in_general(f"{lead}: {order}, or assert less")
    if compared(part) & {text for c in member.preconditions for text in compared(c)}:
        return in_general(f"{lead}: ask for more in the precondition, or assert less")
    if not lead.startswith("nothing says") and not is_plain(inner):
        return in_general(f"{_all_that_is_known(inner, member) or lead}: assert less")
    cures = asks(member, asked.strip("`").removeprefix("requires "))
    return in_general(f"{lead}: ask for it, {asked}{whole}, or assert less", cures)


def _parts_of_one(part: x.Expr, member: Method) -> tuple[str, str] | None:
    """Permissions that may be of one object, where two are meant, and what tells them apart."""
    match part:
        case x.NotEqual(x.Var(one), x.Var(two)):
            held = {one: _held_of(one, member), two: _held_of(two, member)}
        case _:
            return None
    pairs = [(first, second) for first in held[one] for second in held[two]]
    for first, second in sorted(pairs, key=lambda pair: pair[0][0] != pair[1][0]):
        told = f"`{first[1].span.text}` and `{second[1].span.text}` may be"
        if first[0] != second[0]:
            return f"{told} of one object", ""
        both = f"acc({one}.{first[0]}) && acc({two}.{first[0]})"
        return f"{told} parts of one object", f", or for all of both, `{both}`"
    return None


def _held_of(name: str, member: Method) -> list[tuple[str, a.Access]]:
    """What a precondition has of the fields of a variable."""
    found = [node for clause in member.preconditions for node in _always(clause)]
    return [
        (node.location.field, node)
        for node in found
        if isinstance(node.location, a.FieldLocation)
        and isinstance(node.location.receiver, x.Var)
        and node.location.receiver.name == name
    ]


def _all_that_is_known(part: x.Expr, member: Method) -> str | None:
    """The facts about the variables of a part, where no statement says more."""
    names = free_vars(part)
    facts = [f for c in member.preconditions for f in conjuncts(c) if free_vars(f) & names]
    quoted = [f"`{text}` (line {f.span.line})" for f in facts if (text := quote(f))]
    if _tested(member, part) or not quoted or len(quoted) < len(facts):
        return None
    of = " and ".join([f"`{name}`" for name in sorted(names)])
    return f"all that is known of {of} is {' and '.join(quoted)}, and that is not enough here"


def _other_order(part: x.Expr, member: Method) -> str | None:
    """The precondition says of other arguments what the part says: to ask for it as well may
    contradict that. It does not where it is about something that is not mentioned there."""
    if not isinstance(part, x.DomainApp | x.FunctionApp):
        return None
    if not free_vars(part) <= {name for c in member.preconditions for name in free_vars(c)}:
        return None
    for clause in member.preconditions:
        for node in descendants(clause):
            if type(node) is type(part) and node.function == part.function:
                kinds = [str(arg.type) for arg in part.args]
                said = f"`{quote(node)}`" if quote(node) else f"line {node.span.line}"
                if len(kinds) > len(set(kinds)):
                    return f"are the arguments in the right order? Compare it with {said}"
                return f"compare it with {said} (line {node.span.line})"
    return None


def without_applications(part: x.Expr, program: Program) -> tuple[x.Expr, str]:
    """The part with bodies for applications of small functions, and the words for the first."""
    words = ""
    for node in descendants(part):
        if not isinstance(node, x.FunctionApp):
            continue
        function = program.functions.get(node.function)
        if function is None or function.body is None or reads_heap(function.body):
            continue
        body = substituted(function.body, function.params, node.args)
        if not words and quote(body) and quote(node):
            words = f"`{quote(node)}` is `{quote(body)}`"
        assert isinstance(body, x.Expr)
        part = _replaced(part, node, body)
    return part, words


def _replaced(whole: x.Expr, old: x.Expr, new: x.Expr) -> x.Expr:
    text = text_of(old)
    return rewrite(
        whole, lambda n: new if isinstance(n, type(old)) and text_of(n) == text else None
    )


def _what_is_known(part: x.Expr, member: Method) -> str:
    """What the precondition says of the variables of a part, as far as its text tells."""
    asked = {name for clause in member.preconditions for name in free_vars(clause)}
    others = [name for name in sorted(free_vars(part)) if name not in asked]
    tested = _tested(member, part)
    if others and not tested:
        return f"nothing says what `{others[0]}` is"
    for node in descendants(part):
        if isinstance(node, x.SeqIndex) and isinstance(node.sequence, x.Var) and not tested:
            name = node.sequence.name
            if all(_of_length_only(clause, name) for clause in member.preconditions):
                return f"nothing says what the elements of `{name}` are"
        if isinstance(node, x.Destruct) and not tested:
            place = text_of(node)
            if not any(place in text_of(clause) for clause in member.preconditions):
                return f"nothing says what `{place}` is"
    return "what is asked for is not enough here"


def _tested(member: Method, part: x.Expr) -> bool:
    """Whether statements of the body say something of variables of the part."""
    names = free_vars(part)
    nodes = () if member.body is None else descendants(member.body)
    return any(
        isinstance(node, s.If | s.While | s.Inhale | s.MethodCall | s.Goto)
        and bool(free_vars(node) & names)
        for node in nodes
    )


def _of_length_only(node: Node, name: str) -> bool:
    """Whether a formula speaks of a sequence by its length only."""
    if isinstance(node, x.Var):
        return node.name != name
    if isinstance(node, x.Cardinality):
        return True
    return all(_of_length_only(part, name) for part in children(node))
