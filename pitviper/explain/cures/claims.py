"""A claim of an `assert` that is false, where another one is meant: a number, a variable, less.

assert x % 3 == -1           // x is -7: 2
assert perm(x.f) == 1/3      // behind `exhale acc(x.f, 1/3)`: 2/3
assert s[0] == 3             // behind `var t: Seq[Int] := s[0 := 3]`: t[0]
assert get(x) == before      // behind `x.f := x.f + 1`: before + 1

Where the member promises something, its body may be what is wrong as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from pitviper.base.record import replace
from pitviper.explain.advice.case import Case
from pitviper.explain.advice.runs.trial import holding
from pitviper.explain.cures.definitions import said_of
from pitviper.explain.cures.edit import Candidate, edited_in
from pitviper.explain.cures.mutations import steps_before
from pitviper.explain.writing import replaced, requires
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.node import Node
from pitviper.program.types import AdtType
from pitviper.program.walk import descendants, free_vars, rewrite
from pitviper.results.wording import VIPER, wording_of


def of_collections(case: Case) -> Iterator[Candidate]:
    """Sizes of a union that are added up, and sequences that are as long, but no more."""
    method, part = case.member, case.part
    if case.finding.error != "assert.failed" or not isinstance(method, Method):
        return
    if not isinstance(part, x.Equal) or not free_vars(part) <= {p.name for p in method.params}:
        return
    for node in descendants(part):
        match node:
            case x.Cardinality(x.SetBinary(x.SetOp.UNION, left, right)):
                one, two = left.span.text, right.span.text
                fact = f"|{one} intersection {two}| == 0"
                yield Candidate(
                    requires(method, fact),
                    f"what is both in `{one}` and in `{two}` counts once in `{one} union {two}`: "
                    f"ask for sets that share nothing, `requires {fact}`",
                    within=False,
                    values=True,
                )
    if str(part.left.type).startswith("Seq["):
        one, two = part.left.span.text, part.right.span.text
        fact = f"forall i: Int :: 0 <= i && i < |{one}| ==> {one}[i] == {two}[i]"
        yield Candidate(
            requires(method, fact),
            "sequences are equal where they are as long and all their elements are equal: ask for "
            f"that, `requires {fact}`",
            within=False,
            values=True,
        )


def of_constructors(case: Case) -> Iterator[Candidate]:
    """`c.isGreen`, where `c` may be made by another constructor as well."""
    part = case.part
    if case.finding.error != "assert.failed" or not isinstance(part, x.Discriminate):
        return
    kind, value = part.receiver.type, part.receiver.span.text
    if not isinstance(kind, AdtType):
        return
    named = [c.name for c in case.program.adts[kind.name].constructors]
    others = [name for name in named if name != part.constructor]
    for name in others:
        whole = f"{part.span.text} || {value}.is{name}"
        yield Candidate(
            (replaced(part, whole),),
            f"`{value}` may be made by `{name}` as well: assert `{whole}`, or exclude it, "
            f"`requires !{value}.is{name}`",
        )


def of_number(case: Case) -> Iterator[Candidate]:
    """A number that is claimed behind calls which make it another one: the claim is doubted."""
    method = case.member
    if not isinstance(method, Method) or method.body is None or method.params:
        return
    if _is_about_calls(case, method.body):
        gives = said_of(case)
        for candidate in of_assertion(case):
            said = candidate.said.replace(gives, "what comes before it")
            yield replace(candidate, said=said, weak=False)


def _is_about_calls(case: Case, body: s.Block) -> bool:
    """Whether there are calls, all about objects of the claim: another one may be the same."""
    about = frozenset[str]() if case.part is None else free_vars(case.part)
    calls = [n for n in descendants(body) if isinstance(n, s.MethodCall)]
    given = [arg for n in calls for arg in n.args if isinstance(arg, x.Var)]
    objects = [arg.name for arg in given if str(arg.type) == "Ref"]
    return bool(objects) and about.issuperset(objects)


def of_assertion(case: Case) -> Iterator[Candidate]:
    """The assertion itself may be wrong: another number or amount is right."""
    part = case.part
    if case.finding.error != "assert.failed" or not isinstance(part, x.Equal):
        return
    instead = f"so assert that, or mend {said_of(case)}"
    for number in [*_summands(part.right), *_summands(part.left)]:
        wrong = number.operand if isinstance(number, x.Negate) else number
        assert isinstance(wrong, x.IntLit)
        value = wrong.value if wrong is number else -wrong.value
        seen = _by_runs(case, number, value)
        for other in _numbers(case.member or part, value) if seen is None else seen:
            edit = replaced(number, str(other))
            lead, verb = "it is never true here", "is"
            if _is_remainder(part) and value < 0:
                lead, verb = "a remainder is never negative", "is true"
            said = f"{lead}: `{edited_in(part.span, edit)}` {verb}, {instead}"
            yield Candidate((edit,), said, weak=True)
    yield from _of_permission(case, part)


def _summands(side: x.Expr) -> Iterator[x.IntLit | x.Negate]:
    """The numbers of a sum: with another one the sum is another."""
    match side:
        case x.IntLit() | x.Negate(x.IntLit()):
            yield side
        case x.IntArith(x.IntOp.ADD, left, right):
            yield from (*_summands(left), *_summands(right))
        case x.IntArith(x.IntOp.SUB, left, x.IntLit() as right):
            yield from (*_summands(left), right)


def _is_remainder(part: x.Equal) -> bool:
    sides = (part.left, part.right)
    return any(isinstance(n, x.IntArith) and n.op is x.IntOp.MOD for n in sides)


FARTHEST = 20
"""How far the number that is meant is from the one that is written, where runs show it."""

RUNS = 12
"""Runs that have to go well."""


def _by_runs(case: Case, number: Node, value: int) -> list[int] | None:
    """The nearest number that is right in all runs, or none; None where there are no runs."""
    if next(holding(case), None) is None:
        return None
    nearest = [value + sign * by for by in range(1, FARTHEST + 1) for sign in (1, -1)]
    return [n for n in nearest if _holds_with(case, number, n)][:1]


def _holds_with(case: Case, number: Node, other: int) -> bool:
    literal = x.IntLit(other, span=number.span)
    assert case.part is not None
    part = rewrite(case.part, lambda node: literal if node is number else None)
    return all(islice(holding(replace(case, part=part)), RUNS))


def of_another(case: Case) -> Iterator[Candidate]:
    """The claim is about a value that stays as it was, or is as it was some steps before."""
    method, part = case.member, case.part
    if case.finding.error != "assert.failed" or not isinstance(method, Method):
        return
    if method.body is None or not isinstance(part, x.Expr):
        return
    if wording_of(method.span) is not VIPER or method.postconditions:
        return
    yield from _of_the_new(case, method.body, part)
    reads = any(isinstance(node, x.FieldRead) for node in descendants(part))
    if isinstance(part, x.Equal) and not reads:
        yield from _some_steps_on(part, _read_before(method.body, case))


def _of_the_new(case: Case, body: s.Block, part: x.Expr) -> Iterator[Candidate]:
    """`s[0] == 3` behind `t := s[0 := 3]`: the values of the language do not change."""
    for node in steps_before(body, case):
        if not isinstance(node, s.LocalAssign) or node.target.name in free_vars(part):
            continue
        for name in free_vars(node.value) & free_vars(part):
            reads = [n for n in descendants(part) if isinstance(n, x.Var) and n.name == name]
            if reads[0].type != node.target.type or str(node.target.type) == "Ref":
                continue
            if len(reads) != 1 or isinstance(node.value, x.Var):
                continue
            edit = replaced(reads[0], node.target.name)
            yield Candidate(
                (edit,),
                f"line {node.span.line} leaves `{name}` as it is, and gives the new value to "
                f"`{node.target.name}`: write `{edited_in(part.span, edit)}`",
            )


def _read_before(body: s.Block, case: Case) -> set[str]:
    """Variables that got their value from the heap, which was written after that."""
    steps = list(steps_before(body, case))
    writes = [at for at, node in enumerate(steps) if isinstance(node, s.FieldAssign)]
    return {
        node.target.name
        for at, node in enumerate(steps)
        if isinstance(node, s.LocalAssign) and writes and at < writes[-1]
        if any(isinstance(n, x.FieldRead | x.FunctionApp) for n in descendants(node.value))
    }


def _some_steps_on(part: x.Equal, read: set[str]) -> Iterator[Candidate]:
    for side in (part.right, part.left):
        if str(side.type) != "Int" or not isinstance(side, x.Var) or side.name not in read:
            continue
        for change in ("+ 1", "- 1", "+ 2", "- 2"):
            edit = replaced(side, f"{side.span.text} {change}")
            yield Candidate(
                (edit,),
                f"`{side.name}` keeps the earlier value, and the heap has changed since: "
                f"`{edited_in(part.span, edit)}` is true, so assert that, or mend what is in "
                "between",
            )


def of_opposite(case: Case) -> Iterator[Candidate]:
    """The opposite of an assertion may hold: then it is wrong, or what defines its functions."""
    part = case.part
    if case.finding.error != "assert.failed" or not isinstance(part, x.Expr):
        return
    opposite = {x.Equal: "!=", x.NotEqual: "=="}.get(type(part))
    text = f"!({part.span.text})"
    if opposite is not None and isinstance(part, x.Equal | x.NotEqual):
        text = f"{part.left.span.text} {opposite} {part.right.span.text}"
    if isinstance(part, x.Not):
        text = part.operand.span.text
    defined, _, gives = said_of(case).partition(", ")
    said = f"it is never true here: the opposite holds, `{text}`"
    if gives:
        said = (
            f"it is never true here: if it should be, mend {defined}; if not, assert the "
            f"opposite, `{text}`"
        )
    yield Candidate((replaced(part, text),), said, weak=True, assumes=bool(gives))


def _numbers(member: Node, wrong: int) -> list[int]:
    """Numbers that a value may be: those that are written, what is next to them, their sums."""
    written = sorted({n.value for n in descendants(member) if isinstance(n, x.IntLit)})
    near = [0, 1, -wrong, wrong + 1, wrong - 1, *[n + 1 for n in written]]
    sums = [one + two for one in written for two in written if one <= two]
    found = [n for n in dict.fromkeys([*written, *near, *sums]) if n != wrong]
    return found[:MOST_NUMBERS]


MOST_NUMBERS = 16
"""Numbers that are tried for one that is wrong."""


def _of_permission(case: Case, part: x.Equal) -> Iterator[Candidate]:
    """How much is held, where another amount is claimed: all, what is written, or the rest."""
    match part:
        case x.Equal(x.CurrentPerm() as held, claimed):
            for text in _amounts(case.member or part):
                yield Candidate(
                    (replaced(claimed, text),),
                    f"`{held.span.text} == {text}` holds here: assert that, or ask for another "
                    "amount",
                    weak=True,
                )


def _amounts(member: Node) -> list[str]:
    """Amounts that are written in a member, what is left of the whole, and differences of two."""
    written = [n.amount for n in descendants(member) if isinstance(n, a.Access)]
    values = [one for one in map(_fraction, written) if one is not None]
    rest = [1 - value for value in values]
    pairs = [abs(one - two) for one in values for two in values]
    sums = [one + two for one in values for two in values if one + two <= 1]
    known = [f"{v.numerator}/{v.denominator}" for v in (*rest, *pairs, *sums) if 0 < v < 1]
    texts = ["write", "none", *[amount.span.text for amount in written], *known]
    return list(dict.fromkeys([text for text in texts if text.strip()]))[:MOST_NUMBERS]


def _fraction(amount: x.Expr) -> Fraction | None:
    match amount:
        case x.PermLit(x.PermConstant.WRITE):
            return Fraction(1)
        case x.PermArith(x.PermOp.FRACTION, x.IntLit(above), x.IntLit(below)) if below:
            return Fraction(above, below)
        case _:
            return None
