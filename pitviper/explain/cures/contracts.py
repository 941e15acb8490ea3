"""What a postcondition may be meant to say, where the body is right: told beside other cures."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import LONGEST, Case, reads_heap
from pitviper.explain.cures.edit import Candidate
from pitviper.explain.writing import replaced
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars
from pitviper.results.wording import VIPER, wording_of
from pitviper.source.edit import Edit

MOST = 4
"""Other promises that are tried."""


def promised_otherwise(case: Case, *, alone: bool) -> Iterator[Candidate]:
    """`lo <= hi` for `lo >= hi`, `a + b` for `a * b`: one sign of the failing promise.

    If nothing else is known (`alone`), for one case only.
    """
    member, part = case.member, case.part
    if not isinstance(member, Method | Function) or not isinstance(part, x.Expr):
        return
    if case.finding.error != "postcondition.violated" or case.finding.reason != "assertion.false":
        return
    if not member.span.encloses(part.span) or wording_of(part.span) is not VIPER:
        return
    results = {v.name for v in member.returns} if isinstance(member, Method) else set[str]()
    others = _for_a_case(member, part) if alone else ()
    for number, edit in enumerate([*_edits(part, results), *others]):
        at, whole = edit.span, part.span
        text = whole.file.text
        meant = f"{text[whole.start : at.start]}{edit.text}{text[at.end : whole.end]}"
        if number == MOST or len(meant) > LONGEST or "\n" in meant:
            return
        yield Candidate(
            (edit,),
            f"if the body is right, promise `{meant}` in line {part.span.line}",
            within=False,
        )


def _edits(part: x.Expr, results: set[str]) -> Iterator[Edit]:
    """Comparisons of two results are turned round; a sign is no more than a slip."""
    for node in descendants(part):
        match node:
            case x.Compare(op, x.Var(one) as left, x.Var(two) as right) if {one, two} <= results:
                yield _signed(node, left, _TURNED[op], right)
            case x.Equal(right=x.FunctionApp() | x.Old() | x.Cardinality() as right) if (
                str(right.type) == "Int"
            ):
                yield replaced(right, f"{right.span.text} + 1")
                yield replaced(right, f"{right.span.text} - 1")
            case x.SeqAppend(left, right):
                yield _signed(node, right, "++", left)
            case x.IntArith(op, left, right) if not isinstance(right, x.IntLit):
                yield from [_signed(node, left, sign, right) for sign in _OTHERS.get(op, ())]


def _for_a_case(member: Method | Function, part: x.Expr) -> Iterator[Edit]:
    """`o.isSome ==> x == o.value`, where the body does nothing otherwise."""
    known = {param.name for param in member.params}
    for node in () if member.body is None else descendants(member.body):
        if not isinstance(node, s.If) or node.otherwise.statements:
            continue
        if node.span.text.startswith("else"):
            continue  # there are other cases in front
        if free_vars(node.condition) <= known and not reads_heap(node.condition):
            text = part.span.text
            fact = f"({text})" if isinstance(part, x.And | x.Or | x.Implies) else text
            yield replaced(part, f"{text_of(node.condition)} ==> {fact}")


def _signed(node: x.Expr, left: x.Expr, sign: str, right: x.Expr) -> Edit:
    return replaced(node, f"{left.span.text} {sign} {right.span.text}")


_TURNED = {
    x.CompareOp.LT: ">",
    x.CompareOp.LE: ">=",
    x.CompareOp.GT: "<",
    x.CompareOp.GE: "<=",
}
_OTHERS = {x.IntOp.ADD: ("-", "*"), x.IntOp.SUB: ("+",), x.IntOp.MUL: ("+",)}
