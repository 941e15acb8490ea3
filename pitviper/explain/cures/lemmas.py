"""Calls of lemmas: methods of the file that prove what is needed and that nobody calls here."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, with_values
from pitviper.explain.cures.edit import Candidate, statement_at, words_for_end, words_for_front
from pitviper.explain.writing import at_end_of, in_front_of
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import children, descendants, free_vars
from pitviper.results.wording import VIPER, wording_of
from pitviper.source.edit import Edit

_CHANGES = (s.FieldAssign, s.New, s.Exhale, s.Inhale)
"""Statements that no lemma has."""

_APPLIED = (x.FunctionApp, x.DomainApp)


def by_lemma(case: Case) -> Iterator[Candidate]:
    """A lemma of the file speaks of what is applied here, and is not called.

    method appendNil(xs: List) ensures append(xs, Nil()) == xs { ... }
    // `assert append(ys, Nil()) == ys` needs `appendNil(ys)` in front
    """
    member = case.member
    if not isinstance(member, Method) or member.body is None or case.part is None:
        return
    if wording_of(case.finding.span) is not VIPER:
        return
    applied = list(_applied(case, member, case.part))
    for lemma in case.program.methods.values():
        if not _is_lemma(lemma) or _comes_to(lemma, member.name, case.program):
            continue
        for call in _calls(lemma, applied):
            if call in member.span.text:
                continue
            place = _place(case, member, call)
            if place is None:
                return
            edit, words = place
            yield Candidate(
                (edit,),
                f"`{lemma.name}` (line {lemma.span.line}) says what is needed, and is known where "
                f"it is called only: write `{call}` {words}",
            )


def _place(case: Case, method: Method, call: str) -> tuple[Edit, str] | None:
    """Where a call of a lemma goes, and the words for it: it has to be behind what it is about."""
    at, error = case.finding.span, case.finding.error
    if error == "postcondition.violated" and method.body is not None:
        return at_end_of(method.body, [call]), words_for_end(method.body, method)
    if error == "invariant.not.preserved":
        loops = [n for n in descendants(method) if isinstance(n, s.While)]
        own = [n.body for n in loops if any(i.span.encloses(at) for i in n.invariants)]
        return (at_end_of(own[0], [call]), words_for_end(own[0], method)) if own else None
    around = statement_at(method, at)
    if around is None or isinstance(around[0], s.While):
        return None
    return in_front_of(around[0], [call]), words_for_front(around[0])


def _is_lemma(method: Method) -> bool:
    if method.returns or not method.postconditions or not method.params:
        return False
    inside = () if method.body is None else descendants(method.body)
    return not any(isinstance(node, _CHANGES) for node in inside)


def _comes_to(lemma: Method, name: str, program: Program) -> bool:
    """Whether a lemma rests on a member, by calls: then it proves nothing of it."""
    seen, left = set[str](), [lemma.name]
    while left:
        current = left.pop()
        seen.add(current)
        method = program.methods.get(current)
        for node in () if method is None or method.body is None else descendants(method.body):
            if isinstance(node, s.MethodCall) and node.method not in seen:
                left.append(node.method)
    return name in seen


def _applied(case: Case, method: Method, part: Node) -> Iterator[Node]:
    """Applications that the claim is about, as it is written and with the values assigned."""
    for formula in (with_values(case), part, method.body):
        for node in () if formula is None else descendants(formula):
            if isinstance(node, _APPLIED):
                yield node


def _calls(lemma: Method, applied: list[Node]) -> Iterator[str]:
    """Calls for which a postcondition speaks of something that is applied."""
    params = {param.name for param in lemma.params}
    told = dict[str, None]()
    for clause in lemma.postconditions:
        for node in descendants(clause):
            if not isinstance(node, _APPLIED) or not params <= free_vars(node):
                continue
            for other in applied:
                values = dict[str, Node]()
                if _is_instance(node, other, params, values):
                    args = [text_of(values[param.name]) for param in lemma.params]
                    told[f"{lemma.name}({', '.join(args)})"] = None
    yield from told


def _is_instance(pattern: Node, node: Node, params: set[str], values: dict[str, Node]) -> bool:
    """Whether an expression is a pattern with values for its parameters, which are gathered."""
    if isinstance(pattern, x.Var) and pattern.name in params:
        return values.setdefault(pattern.name, node) == node
    inner, others = children(pattern), children(node)
    if not inner and not others:
        return pattern == node
    if type(pattern) is not type(node) or len(inner) != len(others) or not _is_alike(pattern, node):
        return False
    pairs = zip(inner, others, strict=True)
    return all(_is_instance(one, other, params, values) for one, other in pairs)


def _is_alike(left: Node, right: Node) -> bool:
    """Whether two nodes apply the same function or operator."""
    names = ("function", "domain", "constructor", "argument", "op", "field")
    return all(getattr(left, name, None) == getattr(right, name, None) for name in names)
