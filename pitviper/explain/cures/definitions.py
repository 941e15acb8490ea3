"""What a claim applies may be defined otherwise than meant: a function, an axiom, a constructor.

A claim that is wrong itself must not bend a definition. So only claims without a number of their
own are looked at, but for one that says how much something is: that gets the value it has.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, conjuncts
from pitviper.explain.cures.edit import Candidate
from pitviper.explain.cures.mutations import changed
from pitviper.explain.writing import replaced
from pitviper.program import expr as x
from pitviper.program.member import Function, Method
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.types import AdtType
from pitviper.program.walk import descendants
from pitviper.results.wording import VIPER, wording_of


def of_functions_applied(case: Case) -> Iterator[Candidate]:
    """A recursive function whose result does not grow, where a claim is about its size."""
    part = case.part
    if not isinstance(case.member, Method) or not isinstance(part, x.Compare):
        return
    if wording_of(case.finding.span) is not VIPER:
        return
    for app in [n for n in descendants(part) if isinstance(n, x.FunctionApp)]:
        function = case.program.functions.get(app.function)
        if function is None or not isinstance(function.body, x.Expr):
            continue
        for node in descendants(function.body):
            if not isinstance(node, x.FunctionApp) or node.function != function.name:
                continue
            if str(node.type) == "Int":
                yield changed(function.body, node, f"{node.span.text} + 1")


def rebuilt(case: Case) -> Iterator[Candidate]:
    """A recursive function gives the rest of a value, and leaves its first part out."""
    function, part = case.member, case.part
    if not isinstance(function, Function) or not isinstance(function.result, AdtType):
        return
    if case.finding.error != "postcondition.violated" or not isinstance(function.body, x.Expr):
        return
    if part is None or not any(isinstance(node, x.Result) for node in descendants(part)):
        return
    adt = case.program.adts[function.result.name]
    sources = [p.name for p in function.params if p.type == function.result]
    for node in descendants(function.body):
        if not isinstance(node, x.FunctionApp) or node.function != function.name:
            continue
        for made in adt.constructors:
            own = [p for p in made.params if p.type == function.result]
            if len(own) != 1 or len(made.params) == 1:
                continue
            for source in sources:
                args = [
                    node.span.text if p is own[0] else f"{source}.{p.name}" for p in made.params
                ]
                text = f"{made.name}({', '.join(args)})"
                yield Candidate(
                    (replaced(node, text),),
                    f"line {node.span.line} leaves a part of `{source}` out: write `{text}` in "
                    f"place of `{node.span.text}`",
                    within=False,
                    weak=True,
                )


def of_old(case: Case) -> Iterator[Candidate]:
    """`old(x.f) == x.f + 1`, where what was and what is are exchanged."""
    part = case.part
    if case.finding.error != "postcondition.violated" or not isinstance(part, x.Equal):
        return
    for before, after in ((part.left, part.right), (part.right, part.left)):
        if not isinstance(before, x.Old) or before.label is not None:
            continue
        place = before.operand.span.text
        now = [n for n in _today(after) if n.span.text == place and text_of(n) == place]
        if len(now) != 1 or now[0] is after:
            continue
        start = after.span.start
        text = after.span.text
        at, end = now[0].span.start - start, now[0].span.end - start
        rest = f"{text[:at]}old({place}){text[end:]}"
        yield Candidate(
            (replaced(part, f"{place} == {rest}"),),
            f"`old({place})` is the value at the start, and `{place}` the one at the end: is it "
            f"the other way round? Write `{place} == {rest}`",
            within=False,
            values=True,
        )


def _today(node: Node) -> Iterator[Node]:
    """Parts of a formula that are about the state it is asked in."""
    if not isinstance(node, x.Old):
        yield node
        for inner in descendants(node):
            if inner is not node:
                yield inner


def said_of(case: Case) -> str:
    """What may be mended where a claim says another number: the definition that gives it."""
    for part in () if case.part is None else conjuncts(case.part):
        for node in descendants(part):
            if isinstance(node, x.FunctionApp) and node.function in case.program.functions:
                line = case.program.functions[node.function].span.line
                return f"`{node.function}` (line {line}), which gives that"
            if isinstance(node, x.DomainApp):
                axioms = case.program.domains[node.domain].axioms
                lines = [str(axiom.span.line) for axiom in axioms]
                if len(lines) == 1:
                    return f"the axiom in line {lines[0]}, which gives that"
    return "what is in front"
