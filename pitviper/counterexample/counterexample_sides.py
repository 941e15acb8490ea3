"""The values of both sides of a comparison that fails, in the order in which it is written."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeAlias

from pitviper.counterexample.bounded.reading import Reader
from pitviper.counterexample.counterexample_question import Question
from pitviper.counterexample.problem import Sought
from pitviper.engines.symbolic.rules import evaluate as ev
from pitviper.engines.symbolic.verifier import context_for
from pitviper.program import expr as pe
from pitviper.program.walk import descendants
from pitviper.solver.z3.session import Z3Session
from pitviper.source.span import Span
from pitviper.terms.operators import AT_MOST, EQUAL, LESS
from pitviper.terms.supply import Supply
from pitviper.terms.symbol import Symbol
from pitviper.terms.term import App, Term

_SIGNS: Final[dict[Symbol, str]] = {EQUAL: "==", LESS: "<", AT_MOST: "<="}
_TURNED: Final = {"<": ">", "<=": ">="}

Comparison: TypeAlias = pe.Compare | pe.Equal | pe.NotEqual


def sides_of(question: Question, reader: Reader) -> str:
    """As ` (-1 >= 0)`; nothing where the goal is no comparison, or a side has no value to show."""
    sought, finding = question.sought, question.finding
    if sought.goal is None or finding is None:
        return ""
    written = _comparison(sought, finding.offending or finding.span)
    found = _as_written(sought, written) or _as_encoded(sought.goal, written)
    if found is None:
        return ""
    left, sign, right = found
    one, other = reader.shown(left).text, reader.shown(right).text
    return "" if "..." in (one, other) else f" ({one} {sign} {other})"


def _comparison(sought: Sought, place: Span) -> Comparison | None:
    """What is written there: in the member, or in the contract of a callee."""
    program = sought.run.program
    for member in (sought.member, *program.methods.values(), *program.functions.values()):
        if member.span.file is place.file and member.span.start <= place.start < member.span.end:
            for node in descendants(member):
                if node.span == place and isinstance(node, Comparison):
                    return node
    return None


def _as_written(sought: Sought, node: Comparison | None) -> tuple[Term, str, Term] | None:
    """If it means the goal in this state: in a contract, names can mean something else."""
    if node is None:
        return None
    terms = _evaluated(sought, (node, node.left, node.right))
    if not terms or terms[0] is not sought.goal:
        return None
    return terms[1], _sign(node), terms[2]


def _as_encoded(goal: Term, node: Comparison | None) -> tuple[Term, str, Term] | None:
    """The solver's comparison says the same, maybe the other way round."""
    if not isinstance(goal, App) or goal.symbol not in _SIGNS:
        return None
    left, right = goal.args
    if isinstance(node, pe.Compare) and node.op.value == _TURNED.get(_SIGNS[goal.symbol]):
        return right, node.op.value, left
    return left, _SIGNS[goal.symbol], right


def _sign(node: Comparison) -> str:
    if isinstance(node, pe.Compare):
        return node.op.value
    return "==" if isinstance(node, pe.Equal) else "!="


def _evaluated(sought: Sought, nodes: tuple[pe.Expr, ...]) -> list[Term]:
    """Nothing, if something is not well-defined."""
    with Z3Session() as solver:
        cx = context_for(sought.run, sought.member, solver)
        cx = cx.proving("assert.failed", sought.member)
        cx = replace(cx, services=replace(cx.services, supply=Supply("%sides")))
        st, terms = sought.state, list[Term]()
        for node in nodes:
            st, term = ev.evaluate(st, node, cx)
            terms.append(term)
        return [] if cx.services.log.findings else terms
