"""What to do about a finding, in the words of the source: the rules look at the program only.

A rule gets a `Case` and returns advice, or None where it does not apply; the first one that knows
something is believed, and `results/wording.py` has what is said otherwise. Rules see the program
before all plugins, so that what they quote is what was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from pitviper.base.qualified import ARRAY_LENGTH
from pitviper.base.record import replace
from pitviper.engines.shared.reach import END_UNREACHABLE
from pitviper.explain.advice.case import (
    EARLIER,
    OPEN,
    Case,
    call_of,
    conjuncts,
    place_and_amount,
    quote,
)
from pitviper.explain.advice.cures import Advice, Said, in_general
from pitviper.explain.advice.facts.contradiction import believed
from pitviper.explain.advice.facts.rules import FACT_RULES
from pitviper.explain.advice.facts.unknown import without_applications
from pitviper.explain.advice.objects.hidden import hidden_bodies
from pitviper.explain.advice.objects.objects import bodies_of, class_around
from pitviper.explain.advice.permissions.parts import fraction_of
from pitviper.explain.advice.permissions.rules import PERMISSION_RULES
from pitviper.plugins.adt.words import without_types
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.program.never import never_holds
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars
from pitviper.results.finding import Condition, Finding
from pitviper.results.wording import NULL_RECEIVER, VIPER, wording_of
from pitviper.source.diagnostic import Diagnostic
from pitviper.source.span import Span


def advised(finding: Finding, program: Program) -> Finding:
    """The finding with advice and notes, and with a message in the words of the source."""
    case = _of_today(case_of(finding, program))
    finding, member = case.finding, case.member
    receiver = _null_receiver(case)
    advice = _advice(case)
    return replace(
        finding,
        message=without_types(_without_fresh_names(_message(case), finding.span), program),
        offending=finding.offending if receiver is None else receiver.span,
        conditions=_known_conditions(finding.conditions, member),
        notes=(
            *_bindings(case),
            *_meanings(case),
            *_macro(case),
            *_uses(case),
            *_bodies(case),
            *hidden_bodies(case),
            *finding.notes,
        ),
        advice=None if advice is None else _plain_advice(advice, case),
        cures=() if advice is None else advice.cures,
        general=advice is not None and advice.general,
        cause=None if advice is None else advice.cause,
    )


def _plain_advice(advice: Advice, case: Case) -> str:
    return without_types(_without_fresh_names(advice.text, case.finding.span), case.program)


def case_of(finding: Finding, program: Program) -> Case:
    """The finding with the parts of the program that it is about."""
    member = _member(finding.member, program)
    around = None if member is None else _at(member, finding.span)
    offending = finding.offending or finding.span
    part = _of_a_macro(_anywhere(offending, program, member), finding)
    if _is_unwritten_check(part) and finding.reason == "insufficient.permission":
        part = _anywhere(offending, program, member, a.Access) or part
    return Case(finding, program, member, around, part)


def _is_unwritten_check(part: Node | None) -> bool:
    """Whether a part says that a receiver is there, at the place of what is held of it."""
    return isinstance(part, x.NotEqual) and "null" not in part.span.text


def _of_a_macro(part: Node | None, finding: Finding) -> Node | None:
    """All that a macro stands for has one place: the conjunct that the message speaks of."""
    if finding.reason != "assertion.false" or not isinstance(part, a.Star | x.And):
        return part
    meant = [c for c in conjuncts(part) if f"Assertion {text_of(c)} might" in finding.message]
    return meant[0] if meant else part


def _advice(case: Case) -> Advice | None:
    """What the first rule says that knows something."""
    said = next((said for rule in _RULES if (said := rule(case)) is not None), None)
    advice = Advice(said) if isinstance(said, str) else said
    return _held_in_main(case) if _is_for_callees(advice, case) else advice


def _is_for_callees(advice: Advice | None, case: Case) -> bool:
    """Whether the main routine of a language with classes is told to ask for a permission.

    Nobody calls it, and it has no `requires`.
    """
    if wording_of(case.finding.span) is VIPER or not isinstance(case.member, Method):
        return False
    if case.member.params or case.finding.reason != "insufficient.permission":
        return False
    return advice is None or "`requires " in advice.text or "ask for it" in advice.text


def _held_in_main(case: Case) -> Advice:
    return in_general(
        "the main routine holds what `new` gives it and what calls promise: a constructor or a "
        "method that is called before this has to have it in its `ensures`"
    )


def advised_all(findings: list[Finding], program: Program) -> list[Finding]:
    """The findings about one member, each with advice; what may follow from another says so."""
    meant = [f for f in findings if not _is_about_lengths(case_of(f, program).part)]
    found = [advised(finding, program) for finding in meant or findings]
    broken = [f.offending or f.span for f in found if f.error == "not.wellformed"]
    broken += [f.span for f in found if f.error == "application.precondition"]
    return [
        replace(f, advice=_FOLLOWS, cures=(), general=True) if _follows(f, broken) else f
        for f in found
    ]


def _is_about_lengths(part: Node | None) -> bool:
    """Whether an array has as many elements as it is long: nobody wrote that, and nothing but an
    access without permission makes it doubtful, which is a finding of its own.
    """
    match part:
        case x.Equal(x.Cardinality(x.FieldRead(first)), x.FunctionApp(function, (second,))):
            return function == ARRAY_LENGTH and first == second
        case _:
            return False


def advised_warnings(
    warnings: Iterable[Diagnostic], name: str, program: Program
) -> Iterator[Diagnostic]:
    """Warnings about a member, those about what nothing meets or reaches with what to do."""
    member = _member(name, program)
    for warning in warnings:
        if isinstance(member, Method) and warning.message.startswith("the precondition of"):
            yield replace(warning, help=_never_met(member))
        elif isinstance(member, Method) and warning.message.startswith(END_UNREACHABLE):
            yield replace(warning, help=believed(member, program))
        else:
            yield warning


def _never_met(method: Method) -> str:
    """Why a precondition holds in no state, as far as its text tells, and what to do."""
    if any(never_holds(clause) for clause in method.preconditions):
        is_viper = wording_of(method.span) is VIPER
        example = f"forall {'x: T' if is_viper else 'C x'} :: range"
        return (
            "a `forall` with `&&` says that everything is in the range: write `==>` after the "
            f"range, `{example} ==> fact`; {_EMPTY}"
        )
    one = _one_object(method)
    if one is not None:
        return f"{one}; {_EMPTY}"
    seen: dict[str, a.Access] = {}
    for node in (n for clause in method.preconditions for n in descendants(clause)):
        if not isinstance(node, a.Access) or not isinstance(node.location, a.FieldLocation):
            continue
        place, amount = text_of(node.location), node.amount.span.text
        other = seen.setdefault(place, node)
        if other is not node and "write" in (text_of(node.amount), text_of(other.amount)):
            if node.span.text == other.span.text:
                twice = f"`acc({place})` stands twice, which is more than there is"
                return f"{twice}: delete one; {_EMPTY}"
            return (
                f"`{other.span.text}` and `{node.span.text}` are more together than the whole "
                f"permission: delete one; {_EMPTY}"
            )
        match node.amount:
            case x.PermArith(x.PermOp.FRACTION, x.IntLit(top), x.IntLit(bottom)) if top > bottom:
                return (
                    f"`{amount}` is more than the whole permission: write `acc({place})` for all "
                    f"of it, or a part of at most 1, such as `acc({place}, 1/2)`; {_EMPTY}"
                )
    parts = _parts_of_one(method)
    if parts is not None:
        return f"{parts}; {_EMPTY}"
    together = _more_than_all(method)
    if together is not None:
        return f"{together}; {_EMPTY}"
    return f"its parts contradict each other: delete or weaken one; {_EMPTY}"


def _parts_of_one(method: Method) -> str | None:
    """Parts of two names that are said to be one object, and are more than 1 together."""
    facts = [part for clause in method.preconditions for part in conjuncts(clause)]
    held = {
        (text_of(part.location.receiver), part.location.field): part
        for part in facts
        if isinstance(part, a.Access) and isinstance(part.location, a.FieldLocation)
    }
    for fact in [part for part in facts if isinstance(part, x.Equal)]:
        left, right = text_of(fact.left), text_of(fact.right)
        for (of, field), one in held.items():
            two = held.get((right, field))
            if of != left or two is None:
                continue
            amounts = [fraction_of(one.amount), fraction_of(two.amount)]
            known = [Fraction(1) if f is None else f for f in amounts]
            if sum(known) > 1:
                return (
                    f"`{one.span.text}` and `{two.span.text}` are {sum(known)} of the permission "
                    f"to one field where `{fact.span.text}`, and there is 1: delete "
                    f"`{fact.span.text}`, or ask for smaller parts"
                )
    return None


def _more_than_all(method: Method) -> str | None:
    """Parts of the permission to one place that are more than 1 together."""
    parts: dict[str, list[a.Access]] = {}
    for part in [part for clause in method.preconditions for part in conjuncts(clause)]:
        if isinstance(part, a.Access) and isinstance(part.location, a.FieldLocation):
            parts.setdefault(text_of(part.location), []).append(part)
    for place, found in parts.items():
        amounts = [fraction_of(part.amount) for part in found]
        known = [amount for amount in amounts if amount is not None]
        if len(known) == len(amounts) and sum(known) > 1:
            told = " and ".join([f"`{part.span.text}`" for part in found])
            return (
                f"{told} are {sum(known)} of the permission together, and there is 1: write "
                f"`acc({place})` for all of it, or smaller parts"
            )
    return None


def _one_object(method: Method) -> str | None:
    """All permission to a field of two variables is asked for, and that they are one object."""
    parts = [part for clause in method.preconditions for part in conjuncts(clause)]
    whole = {
        (text_of(part.location.receiver), part.location.field)
        for part in parts
        if isinstance(part, a.Access)
        and isinstance(part.location, a.FieldLocation)
        and text_of(part.amount) == "write"
    }
    for part in parts:
        if not isinstance(part, x.Equal):
            continue
        left, right = text_of(part.left), text_of(part.right)
        for of, field in sorted(whole):
            if of == left and (right, field) in whole:
                return (
                    f"`acc({left}.{field}) && acc({right}.{field})` says that `{left}` and "
                    f"`{right}` are two objects, and line {part.span.line} that they are one: "
                    f"delete `{part.span.text}`, or one of the permissions"
                )
    return None


_EMPTY = "as it is, anything is proved of this method, and nobody can call it"

_FOLLOWS = "this may follow from the contract, which is not well-formed: mend that first"


def _follows(finding: Finding, broken: list[Span]) -> bool:
    """Whether a contract does not hold of which a part makes no sense."""
    if finding.error != "postcondition.violated" or finding.reason != "assertion.false":
        return False
    part = finding.offending or finding.span
    return any(part.encloses(span) for span in broken)


_OLD_STATE = re.compile(r"old\[debug@[0-9]+\]\(((?:[^()]|\([^()]*\))*)\)")

_VERSION = re.compile(r"\b([A-Za-z_$][\w$]*)@(?:[A-Za-z_$][\w$]*\.)*[0-9]+(?:\.[0-9]+)*")


def _of_today(case: Case) -> Case:
    """What is held without labels and versions of ours: these are no words of the source."""
    constant = _constant_names(case)
    variables = _variables(case.member)

    def named(found: re.Match[str]) -> str:
        return found[1] if found[1] in constant else f"{EARLIER}{found[1]}"

    def plain(held: str) -> str:
        place, amount = place_and_amount(held)
        if any(name not in variables for name in _VERSION.findall(amount)):
            held = f"acc({place}, {OPEN})"
        return _VERSION.sub(named, _OLD_STATE.sub(rf"{EARLIER}\1", held))

    own = _caller_words(case)
    held = tuple([own(plain(text)) for text in case.finding.held])
    inside = case.finding.containing
    containing = None if inside is None else tuple([own(text) for text in inside])
    return replace(case, finding=replace(case.finding, held=held, containing=containing))


def _caller_words(case: Case) -> Callable[[str], str]:
    """What is held in the words of the failing member, not in those of what it calls or folds."""
    params, args = call_of(case)
    known = _variables(case.member)
    member = case.member
    if isinstance(member, Method | Function | Predicate):
        known |= {param.name for param in member.params}
    values = {
        param.name: text_of(arg)
        for param, arg in zip(params, args, strict=len(params) == len(args))
        if param.name not in known
    }
    if not values:
        return lambda text: text
    formal = re.compile(rf"(?<![\w$.@])({'|'.join(map(re.escape, values))})(?![\w$@(])")
    return lambda text: formal.sub(lambda found: values[found[1]], text)


def _variables(member: Node | None) -> frozenset[str]:
    nodes = () if member is None else descendants(member)
    return frozenset([node.name for node in nodes if isinstance(node, x.Var)])


def _constant_names(case: Case) -> frozenset[str]:
    """Variables with one value where something fails: parameters, and results in a contract."""
    if isinstance(case.member, Function):
        return frozenset([variable.name for variable in case.member.params])
    if not isinstance(case.member, Method):
        return frozenset()
    body, at = case.member.body, case.finding.span
    inside = body is not None and body.span.encloses(at)
    names = case.member.params if inside else (*case.member.params, *case.member.returns)
    return frozenset([variable.name for variable in names])


_FRESH = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\$[0-9]+\b")


def _without_fresh_names(text: str, span: Span) -> str:
    """Variables that macros bring along have new names, which nobody has written."""
    written = span.file.text
    return _FRESH.sub(lambda name: name[0] if name[0] in written else name[1], text)


def _member(name: str, program: Program) -> Method | Function | Predicate | None:
    tables = (program.methods, program.functions, program.predicates)
    return next((table[name] for table in tables if name in table), None)


def _at(member: Node, span: Span, kind: type[Node] = Node) -> Node | None:
    """The outermost node at a place, of a kind.

    Where a variable is declared with a value that is the statement that gives it: a declaration
    alone never fails.
    """
    found = [n for n in descendants(member) if n.span == span and isinstance(n, kind)]
    if found and isinstance(found[0], s.Declare):
        found = [n for n in found[1:] if isinstance(n, s.Statement)] or found
    return found[0] if found else None


def _anywhere(
    span: Span, program: Program, first: Node | None, kind: type[Node] = Node
) -> Node | None:
    """The node at a place, in the member itself or in one whose contract or body it belongs to."""
    tables = (program.methods, program.functions, program.predicates)
    others: list[Node] = [member for table in tables for member in table.values()]
    for member in [*([] if first is None else [first]), *others]:
        if member is first or member.span.encloses(span):
            found = _at(member, span, kind)
            if found is not None:
                return found
    return None


# ---------------------------------------------------------------- words of the source

_ASSERTION = re.compile(r"Assertion .* might not hold\.$", re.DOTALL)


def _message(case: Case) -> str:
    """Plugins rewrite parts of the program, and `/` is printed as `\\`: shown as it was written."""
    message, part = case.finding.message, case.part
    receiver = _null_receiver(case)
    if receiver is not None:
        return message.replace("Its receiver", f"Its receiver {text_of(receiver)}")
    if part is None or case.finding.reason != "assertion.false":
        return message
    text = text_of(part) if isinstance(part, x.Expr) else None
    if text is None:
        return message
    if "\\" in text and "\\" not in part.span.text:
        text = text.replace("\\", "/")
    return _ASSERTION.sub(lambda _: f"Assertion {text} might not hold.", message)


def _null_receiver(case: Case) -> x.Expr | None:
    """The receiver of the failing call, if that it is there is what fails."""
    own = wording_of(case.finding.span).reasons.get(NULL_RECEIVER)
    if own is None or not case.finding.message.endswith(own):
        return None
    _, args = call_of(case)
    return args[0] if args else None


def _known_conditions(
    conditions: tuple[Condition, ...], member: Node | None
) -> tuple[Condition, ...]:
    """Without decisions about variables that a plugin made."""
    if member is None or not any(c.text.isidentifier() for c in conditions):
        return conditions
    names = {node.name for node in descendants(member) if isinstance(node, x.Var)}
    return tuple([c for c in conditions if not c.text.isidentifier() or c.text in names])


def _bindings(case: Case) -> Iterator[str]:
    """What the formals are that a failing part of another member's contract mentions."""
    part = case.part
    params, args = call_of(case)
    if part is None or len(params) != len(args) or _null_receiver(case) is not None:
        return
    if any(part is inner for arg in args for inner in descendants(arg)):
        return  # it fails in the words of the caller
    if any(inner is case.construct for inner in descendants(part)):
        return  # it is the call itself
    used = free_vars(part)
    shown = [
        f"`{formal.name}` is `{quoted}`"
        for formal, actual in zip(params, args, strict=True)
        if formal.name in used and (quoted := quote(actual)) and quoted != formal.name
    ]
    if shown:
        yield f"here {' and '.join(shown)}"


def _meanings(case: Case) -> Iterator[str]:
    """What a function stands for that a failing claim applies, where that is short."""
    claims = ("assert.failed", "exhale.failed", "postcondition.violated")
    if case.finding.error not in claims or case.finding.reason != "assertion.false":
        return
    if isinstance(case.part, x.Expr) and wording_of(case.finding.span) is VIPER:
        _, words = without_applications(case.part, case.program)
        if words:
            has_sign = "\\" in case.finding.span.file.text
            yield words if has_sign else words.replace("\\", "/")


_DEFINE = r"\bdefine\s+{}\s*(?:\(([^)]*)\))?\s*([^\n]*)"


def _macro(case: Case) -> Iterator[str]:
    """What stands in a macro whose body is at fault: the program shows its use only."""
    place = case.finding.offending or case.finding.span
    used = re.fullmatch(r"([A-Za-z_$][\w$']*)\s*(?:\((.*)\))?", place.text.strip(), re.DOTALL)
    if used is None:
        return
    found = re.search(_DEFINE.format(re.escape(used[1])), place.file.text)
    if found is None:
        return
    line = place.file.text.count("\n", 0, found.start()) + 1
    formals = [name.strip() for name in (found[1] or "").split(",") if name.strip()]
    actuals = _arguments(used[2] or "")
    yield f"`{used[1]}` is the macro of line {line}: `{found[2].strip()}`"
    if len(formals) == len(actuals):
        pairs = [(f, v) for f, v in zip(formals, actuals, strict=True) if f != v]
        if pairs:
            yield "there " + " and ".join(f"`{f}` is `{v}`" for f, v in pairs)


def _uses(case: Case) -> Iterator[str]:
    """Where a member uses the macro in whose statements something fails."""
    place, member = case.finding.span, case.member
    if member is None or member.span.encloses(place):
        return
    before = re.findall(_DEFINE.format(r"([A-Za-z_$][\w$']*)"), place.file.text[: place.start])
    if not before:
        return
    name, own = before[-1][0], member.span
    found = re.finditer(rf"(?<![\w$']){re.escape(name)}(?![\w$'])", own.text)
    lines = dict.fromkeys(own.line + own.text.count("\n", 0, use.start()) for use in found)
    if lines:
        yield f"`{name}` is used in line {' and '.join(map(str, lines))}"


def _bodies(case: Case) -> Iterator[str]:
    """The bodies that stand for a pure method of an interface: one of them is wrong."""
    member = case.member
    if not isinstance(member, Function) or wording_of(case.finding.span) is VIPER:
        return
    bodies = bodies_of(member.body)
    if len(bodies) == 1 and not member.span.encloses(bodies[0][1].span):
        yield f"the body is that of {body_place(bodies[0][1], member.name)}"
    elif len(bodies) > 1:
        places = [body_place(body, member.name) for _, body in bodies]
        yield f"{ONE_OF}: {', '.join(places)}"


ONE_OF = "one of these bodies is meant"
"""How a note begins that `driver/verify/curing.py` can make more precise."""


def body_place(body: Node, method: str) -> str:
    """`Square.area` (line 6)."""
    owner = class_around(body) or method.partition(".")[0]
    return f"`{owner}.{method.rpartition('.')[2]}` (line {body.span.line})"


def _arguments(text: str) -> list[str]:
    """The parts between commas that stand in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


_RULES: tuple[Callable[[Case], Said], ...] = (*PERMISSION_RULES, *FACT_RULES)
