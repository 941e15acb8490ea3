"""A finding with the parts of the program that it is about, and what rules of advice ask of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias, TypeVar

from pitviper.base.record import record
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import children, descendants, free_vars, rewrite
from pitviper.results.finding import Finding
from pitviper.source.span import Span

N = TypeVar("N", bound=Node)

Location: TypeAlias = "a.FieldLocation | a.PredicateLocation"
"""What permission is about."""

LONGEST = 60
"""Characters of an expression that advice repeats."""


@record
class Case:
    """A finding with the parts of the program that it is about, where they are found.

    `member` has the failing construct `construct`, `part` is what failed of it.
    """

    finding: Finding
    program: Program
    member: Method | Function | Predicate | None
    construct: Node | None
    part: Node | None


EARLIER = "the earlier "
"""In front of a name that has another value now, where it is told what is held."""


OPEN = "..."
"""For an amount that depends on something which has no name: what was taken away of it, say."""


def place_and_amount(held: str) -> tuple[str, str]:
    """The parts of `acc(P(x), 1/2)`, as it is told that it is held; of `acc(P(x))`, the whole."""
    if not held.startswith("acc("):
        return held, "write"
    inner, depth = held[len("acc(") : -1], 0
    for at, character in enumerate(inner):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            return inner[:at], inner[at + 1 :].strip()
    return inner, "write"


def first_line(node: Node) -> str:
    """The text of a statement, of one with a block its head: `package A --* B { ... }`."""
    head, more, _ = node.span.text.partition("\n")
    head = head.rstrip()
    return f"{head} ... }}" if more and head.endswith("{") else f"{head} ..." if more else head


def quote(node: Node) -> str:
    """The text of a short expression, else nothing."""
    text = text_of(node)
    return text if len(text) <= LONGEST and "\n" not in text else ""


def call_of(case: Case) -> tuple[tuple[x.Var, ...], tuple[x.Expr, ...]]:
    """The formals of what the failing construct calls or folds, and their arguments."""
    match case.construct:
        case s.MethodCall(method, args):
            return case.program.methods[method].params, args
        case x.FunctionApp(function, args) if function in case.program.functions:
            return case.program.functions[function].params, args
        case s.Fold(a.PredicateLocation(predicate, args)):
            return case.program.predicates[predicate].params, args
        case _:
            return (), ()


def place_of(node: s.FieldAssign) -> str:
    """What is assigned to, as it is printed where it is read: `this.n` for `Counter.n`."""
    return f"{text_of(node.receiver)}.{node.field.rpartition('.')[2]}"


def substituted(node: N, params: tuple[x.Var, ...], args: tuple[x.Expr, ...]) -> N:
    """The node with arguments in place of formals."""
    if len(params) != len(args):
        return node
    values: dict[str, Node] = {p.name: arg for p, arg in zip(params, args, strict=True)}
    return rewrite(node, lambda n: values.get(n.name) if isinstance(n, x.Var) else None)


def with_arguments(case: Case, location: Location) -> Location:
    """The location with arguments for formals, where it stands in another member's contract."""
    if case.finding.error == "call.failed":
        return location  # an argument fails, in the words of the caller
    return substituted(location, *call_of(case))


def lacking_of(case: Case) -> Location | None:
    """The location that permission is missing to, where it is one of the failing member."""
    if case.finding.reason != "insufficient.permission":
        return None
    match case.part:
        case a.FieldLocation() | a.PredicateLocation():
            return case.part
        case x.FieldRead(receiver, field) | x.SeqIndex(sequence=x.FieldRead(receiver, field)):
            return a.FieldLocation(receiver, field, span=case.part.span)
        case s.FieldAssign(receiver, field):
            return a.FieldLocation(receiver, field, span=case.part.span)
        case a.Access(location):
            return location
        case _:
            return None


def said_before(case: Case) -> list[a.PredicateLocation]:
    """Instances that the failing formula itself names in front of the failing part."""
    if case.part is None or case.member is None or case.finding.reason != "insufficient.permission":
        return []
    whole, at = case.finding.span, case.part.span
    return [
        node
        for node in descendants(case.member)
        if isinstance(node, a.PredicateLocation)
        and whole.encloses(node.span)
        and node.span.end <= at.start
    ]


def in_front_of_it(case: Case) -> str:
    """Words for the place in front of the failing statement, within the braces around it.

    Where the statement begins its line, that is in front of the line.
    """
    at = case.finding.span
    statement = None if case.member is None else statement_around(case.member, at)
    start = at if statement is None else statement.span
    lead = start.file.text[: start.start].rpartition("\n")[2]
    if not lead.strip():
        return f"before line {start.line}"
    if statement is None:
        return f"before this, in line {start.line}"
    word = next((word for kind, word in _KEYWORDS.items() if isinstance(statement, kind)), None)
    if word is not None and start.text.startswith(word):
        return f"before this `{word}`"
    return f"right before `{start.text}`" if len(start.text) <= LONGEST else "before this"


_KEYWORDS = {
    s.Assert: "assert",
    s.Exhale: "exhale",
    s.Inhale: "inhale",
    s.Fold: "fold",
    s.Unfold: "unfold",
    s.Apply: "apply",
    s.Package: "package",
    s.If: "if",
    s.While: "while",
}


def begins_inside(case: Case) -> bool:
    """Whether the failing construct is an `elseif`, in front of which nothing can stand."""
    around = None if case.member is None else statement_around(case.member, case.finding.span)
    return isinstance(around, s.If) and around.span.text.startswith("else")


def statement_around(member: Node, at: Span) -> s.Stmt | None:
    """The innermost statement around a place."""
    found = None
    for node in descendants(member):
        if not isinstance(node, s.Stmt) or isinstance(node, s.Block | s.Declare):
            continue
        if node.span.encloses(at):
            found = node
    return found


def in_a_script(case: Case) -> bool:
    """Whether the failing construct stands between the braces of a `package`."""
    scripts = [
        node.script.span
        for node in (() if case.member is None else descendants(case.member))
        if isinstance(node, s.Package)
    ]
    return any(span.encloses(case.finding.span) for span in scripts)


def kept_in_front(read: x.FieldRead) -> str:
    """Advice for what a script reads, though it is held outside of it."""
    declared = f"var kept: {read.type} := {text_of(read)}"
    return (
        "between the braces of a `package` only what was made there can be read, or what its left "
        f"side gives: `{declared}` before the `package`, and `kept` between the braces"
    )


def with_values(case: Case) -> Node | None:
    """The failing part with the values that the assignments right in front of it have given."""
    part, member = case.part, case.member
    if part is None or not isinstance(member, Method) or member.body is None:
        return part
    at_end = case.finding.error == "postcondition.violated"
    end = member.body.span.end if at_end else case.finding.span.start
    for node in reversed([n for n in member.body.statements if n.span.end <= end]):
        match node:
            case s.LocalAssign(target, value):
                part = substituted(part, (target,), (value,))
            case s.Declare() | s.Assert() | s.Label():
                continue
            case _:
                break
    return part


def reads_heap(node: Node) -> bool:
    kinds = (x.FieldRead, x.FunctionApp, x.Unfolding, x.CurrentPerm)
    return any(isinstance(inner, kinds) for inner in descendants(node))


def in_front(block: s.Block, before: int) -> Iterator[s.Stmt]:
    """Statements in front of a place, without those of loops that end in front of it."""
    for node in block.statements:
        if node.span.start >= before:
            return
        yield node
        if isinstance(node, s.While) and node.span.end <= before:
            continue
        for part in children(node):
            if isinstance(part, s.Block):
                yield from in_front(part, before)


def asked(formulas: Iterable[Node], wanted: str) -> bool:
    """Whether a formula has permission to a location, by its text; a wand has none."""
    return any(
        isinstance(node, a.Access) and text_of(node.location) == wanted
        for formula in formulas
        for node in _outside_wands(formula)
    )


def _outside_wands(formula: Node) -> Iterator[Node]:
    if not isinstance(formula, a.Wand):
        yield formula
        for part in children(formula):
            yield from _outside_wands(part)


def conjuncts(formula: Node) -> list[Node]:
    match formula:
        case a.Star(parts) | x.And(parts):
            return [found for part in parts for found in conjuncts(part)]
        case _:
            return [formula]


def compared(formula: Node) -> set[str]:
    """What a formula compares with something else: two of them may contradict each other.

    What an implication supposes says nothing.
    """
    if isinstance(formula, x.Implies):
        return compared(formula.right)
    found = {text for part in children(formula) for text in compared(part)}
    if isinstance(formula, x.Compare | x.Equal | x.NotEqual):
        found |= {text_of(side) for side in (formula.left, formula.right) if free_vars(side)}
    return found
