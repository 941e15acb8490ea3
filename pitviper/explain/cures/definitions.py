"""What a claim applies may be defined otherwise than meant: a function, an axiom, a constructor.

A claim that is wrong itself must not bend a definition. So only claims without a number of their
own are looked at, but for one that says how much something is: that gets the value it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from pitviper.explain.advice.case import Case, conjuncts, statement_around, substituted
from pitviper.explain.cures.changes import changes_of, other_parts
from pitviper.explain.cures.edit import Candidate, words_for_front
from pitviper.explain.cures.mutations import changed, said_changed
from pitviper.explain.writing import behind, in_front_of, replaced
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Axiom, Function, Method
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.types import AdtType
from pitviper.program.walk import descendants, rewrite
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


def defined_otherwise(case: Case) -> Iterator[Candidate]:
    """A slip in what defines the functions of a claim: signs, cases and names, but no numbers."""
    if case.finding.error != "assert.failed" or not isinstance(case.part, x.Expr):
        return
    claim = case.member and statement_around(case.member, case.finding.span)
    if wording_of(case.finding.span) is not VIPER or not isinstance(claim, s.Assert):
        return
    for owner, formula, name in _definitions(case, case.part):
        names = {v.name: str(v.type) for v in _bound(owner, formula)}
        found = [*changes_of(formula, names), *other_parts(formula, case.program)]
        found += [(n, f"-{n.name}") for n in descendants(formula) if _is_alone(n, formula)]
        for node, text in sorted(found, key=lambda change: not isinstance(change[0], _FIRST)):
            if isinstance(node, x.IntLit) or text.endswith((" + 1", " - 1")):
                continue
            if isinstance(node, x.And | x.Or) or (
                isinstance(owner, Axiom) and not _is_of_an_equation(node, formula)
            ):
                continue  # it would only say more
            edit = replaced(node, text)
            said = said_changed(formula, edit, "").removeprefix("is ").removesuffix("`")
            yield Candidate(
                (edit,),
                f"{name} says otherwise: is {said}`, or claim something else",
                within=False,
                weak=True,
                never=(edit, behind(claim, "assert false")),
            )


_FIRST = (x.BoolLit, x.Conditional)
"""What is doubted first: the value of a case, and which case is which."""


def _is_of_an_equation(node: Node, formula: x.Expr) -> bool:
    return any(
        isinstance(around, x.Equal) and any(inner is node for inner in descendants(around))
        for around in descendants(formula)
        if around is not node
    )


def _is_alone(node: Node, formula: x.Expr) -> TypeGuard[x.Var]:
    """Whether a variable is all of one side of an equation between numbers."""
    return (
        isinstance(node, x.Var)
        and str(node.type) == "Int"
        and any(isinstance(n, x.Equal) and node in (n.left, n.right) for n in descendants(formula))
    )


def _definitions(case: Case, part: x.Expr) -> Iterator[tuple[Node, x.Expr, str]]:
    """Bodies of functions and axioms about functions of domains that a claim applies."""
    for node in descendants(part):
        match node:
            case x.FunctionApp(name) if name in case.program.functions:
                function = case.program.functions[name]
                if isinstance(function.body, x.Expr):
                    yield function, function.body, f"`{name}` (line {function.span.line})"
            case x.DomainApp(domain, name):
                for axiom in case.program.domains[domain].axioms:
                    used = [n for n in descendants(axiom) if isinstance(n, x.DomainApp)]
                    if isinstance(axiom.body, x.Forall) and name in [n.function for n in used]:
                        yield axiom, axiom.body.body, f"the axiom in line {axiom.span.line}"


def _bound(owner: Node, formula: x.Expr) -> tuple[x.Var, ...]:
    if isinstance(owner, Function):
        return owner.params
    around = [n for n in descendants(owner) if isinstance(n, x.Forall) and n.body is formula]
    return around[0].variables if around else ()


def as_defined(case: Case) -> Iterator[Candidate]:
    """A result of a recursive call, of which the definition makes something else.

    Of `t == sum(x)` with `t := add(x.next)`, where `sum(x)` is `x.val + sum(x.next)`, that is
    `t := x.val + t`.
    """
    method = case.member
    match case.part:
        case x.Equal(x.Var(name), x.FunctionApp() as app) | x.Equal(
            x.FunctionApp() as app, x.Var(name)
        ):
            function = case.program.functions.get(app.function)
        case _:
            return
    if not isinstance(method, Method) or function is None or function.body is None:
        return
    for node in descendants(method):
        if not isinstance(node, s.MethodCall) or [t.name for t in node.targets] != [name]:
            continue
        for value in _cases(function.body):
            again = [n for n in descendants(value) if _is_of(n, function.name)]
            if len(again) != 1 or again[0] is value:
                continue
            told = _with_rest(value, again[0], node.targets[0])
            text = f"{name} := {text_of(substituted(told, function.params, app.args))}"
            defined = text_of(substituted(value, function.params, app.args))
            yield Candidate(
                (behind(node, text),),
                f"`{text_of(app)}` is `{defined}`, and `{name}` is only the rest of it: write "
                f"`{text}` after line {node.span.line}",
            )


def _with_rest(value: x.Expr, again: Node, rest: x.Var) -> x.Expr:
    """A value with a variable in place of a recursive application."""
    return rewrite(value, lambda n: rest if n is again else None)


def _is_of(node: Node, function: str) -> bool:
    return isinstance(node, x.FunctionApp) and node.function == function


def _cases(body: x.Expr) -> Iterator[x.Expr]:
    """The values of a definition, without the tests and openings around them."""
    match body:
        case x.Conditional(_, then, otherwise):
            yield from _cases(then)
            yield from _cases(otherwise)
        case x.Unfolding(body=inner):
            yield from _cases(inner)
        case _:
            yield body


def of_the_next_part(case: Case) -> Iterator[Candidate]:
    """That one more element is taken is no news to people, and has to be said to a verifier."""
    method, part = case.member, case.part
    if case.finding.error != "invariant.not.preserved" or not isinstance(method, Method):
        return
    taken = [n for n in descendants(part) if isinstance(n, x.SeqTake)] if part else []
    for node in [n for n in taken if isinstance(n.count, x.Var)]:
        whole, name = text_of(node.sequence), text_of(node.count)
        for step in descendants(method):
            if not isinstance(step, s.LocalAssign) or step.target.name != name:
                continue
            if text_of(step.value) != f"{name} + 1":
                continue
            for fact in (
                f"{whole}[..{name} + 1][..{name}] == {whole}[..{name}]",
                f"{whole}[..{name} + 1] == {whole}[..{name}] ++ Seq({whole}[{name}])",
            ):
                text = f"assert {fact}"
                yield Candidate(
                    (in_front_of(step, [text]),),
                    f"that `{whole}[..{name} + 1]` has one element more than `{whole}[..{name}]` "
                    f"is not seen by itself: write `{text}` {words_for_front(step)}",
                )


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
    if case.finding.error != "postcondition.violated":
        return
    match part:
        case x.Old(None, x.Equal(left, right)):
            yield from _old_of_one_side(part, left, right)
    if not isinstance(part, x.Equal):
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


def _old_of_one_side(part: x.Old, left: x.Expr, right: x.Expr) -> Iterator[Candidate]:
    """`old(x.f == x.f + 1)`, in which both sides are about the start."""
    for place in [n for n in descendants(right) if isinstance(n, x.FieldRead)]:
        at, whole = place.span, right.span
        text = whole.file.text
        early = f"{text[whole.start : at.start]}old({at.text}){text[at.end : whole.end]}"
        meant = f"{left.span.text} == {early}"
        yield Candidate(
            (replaced(part, meant),),
            f"`old` around all of it speaks of the start only: write `{meant}`, in which `"
            f"{left.span.text}` is the value at the end",
            within=False,
        )


def _today(node: Node) -> Iterator[Node]:
    """Parts of a formula that are about the state it is asked in."""
    if not isinstance(node, x.Old):
        yield node
        for inner in descendants(node):
            if inner is not node:
                yield inner


def _speaks_of(axiom: Axiom, app: x.DomainApp) -> bool:
    used = [n for n in descendants(axiom) if isinstance(n, x.DomainApp)]
    return app.function in [n.function for n in used]


def said_of(case: Case) -> str:
    """What may be mended where a claim says another number: the definition that gives it."""
    for part in () if case.part is None else conjuncts(case.part):
        for node in descendants(part):
            if isinstance(node, x.FunctionApp) and node.function in case.program.functions:
                line = case.program.functions[node.function].span.line
                return f"`{node.function}` (line {line}), which gives that"
            if isinstance(node, x.DomainApp):
                axioms = case.program.domains[node.domain].axioms
                *some, last = [str(one.span.line) for one in axioms if _speaks_of(one, node)] or [
                    ""
                ]
                if some:
                    return f"the axioms in lines {', '.join(some)} and {last}, which give that"
                if last:
                    return f"the axiom in line {last}, which gives that"
    return "what comes before it"
