"""The sentence that says what is wrong in a state: the check, values of its sides, its witness."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from pitviper.base.record import replace
from pitviper.counterexample.bounded.reading import Reader
from pitviper.counterexample.focus import members_at, nodes_at
from pitviper.counterexample.question import Question, Sought
from pitviper.counterexample.recorded_state import values_of
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars
from pitviper.results.counterexample import Focus
from pitviper.results.finding import Finding
from pitviper.results.wording import NULL_RECEIVER, wording_of
from pitviper.source.span import Span
from pitviper.terms.operators import AT_MOST, EQUAL, LESS
from pitviper.terms.sort import REF
from pitviper.terms.substitute import subterms
from pitviper.terms.symbol import Symbol
from pitviper.terms.term import App, Term

LONGEST = 100


def caption_of(question: Question, focus: Focus, reader: Reader) -> str:
    """Returns one sentence: what fails here, and why."""
    span, finding = question.span, question.finding
    if finding is None:
        if question.sought.typed is not None:
            return f"at line {span.line} the goal fails: {question.sought.typed} is false"
        way = f", if {question.way}" if question.way else ""
        return f"a state before line {span.line}: {_short(span)}{way}"
    what = _short(finding.offending or finding.span)
    witness = witness_of(question, reader)
    reasons = {
        "assertion.false": f"{what} is false{sides_of(question, reader) or witness}",
        "insufficient.permission": f"there is not enough permission to "
        f"{_needing(what, question)}{witness}",
        "division.by.zero": f"{what} is zero",
        "seq.index.negative": f"the index {what} is negative",
        "seq.index.length": f"the index {what} is too large",
        "map.key.contains": f"the key {what} is not in the map",
        "negative.permission": f"the amount {what} is negative",
        "permission.not.positive": f"the amount {what} is not positive",
        "qp.not.injective": f"two instances of {what} are the same location",
        "wand.not.found": f"the wand {what} is not held",
    }
    why = _without_receiver(question) or reasons.get(finding.reason, finding.message)
    text = f"line {finding.span.line} fails: {why}"
    referring = _referring(what, question, focus, reader)
    if referring and finding.reason == "insufficient.permission":
        return f"{text} ({', '.join(referring)})"
    if referring and question.sought.names is not None:
        return f"{text}, where {', '.join(referring)}"
    return text


def _without_receiver(question: Question) -> str | None:
    """That the receiver of a call is null, in languages in which nobody writes that it is not."""
    finding = question.finding
    if finding is None or NULL_RECEIVER not in wording_of(finding.span).reasons:
        return None
    if re.search(r"Its receiver (?:.+ )?might be null\.$", finding.message) is None:
        return None
    for node in nodes_at(question.sought, finding.span):
        if isinstance(node, ps.MethodCall | pe.FunctionApp) and node.args:
            return f"the receiver {text_of(node.args[0])} is null"
    return "the receiver is null"


def _needing(what: str, question: Question) -> str:
    """What permission is needed for: a location, or an assignment, which writes to one."""
    finding = question.finding
    if finding is not None:
        for node in nodes_at(question.sought, finding.offending or finding.span):
            if isinstance(node, ps.FieldAssign):
                return (
                    f"write {text_of(pa.FieldLocation(node.receiver, node.field, span=node.span))}"
                )
    return what


def _referring(what: str, question: Question, focus: Focus, reader: Reader) -> list[str]:
    """Which objects the names in a check stand for; those of a contract are not the member's."""
    store = question.sought.names or question.sought.state.store
    return [
        f"{name} is {reader.shown(term).text}"
        for name, term in store.items()
        if term.sort is REF and _is_meant(name, what, focus, question)
    ]


def _is_meant(name: str, what: str, focus: Focus, question: Question) -> bool:
    """Whether a reader wants to know which object a name stands for."""
    if question.sought.names is None:
        return name in focus.variables and name in question.types
    if re.search(rf"\b{re.escape(name)}\b", what) is not None:
        return True
    return _is_another_receiver(name, question)


def _is_another_receiver(name: str, question: Question) -> bool:
    """Whether a check of another member speaks of its receiver without naming it: `first() <= v`.

    A reader would take it for the receiver of the member that is verified.
    """
    sought, finding = question.sought, question.finding
    own = sought.state.store.get(name)
    if finding is None or sought.names is None or own is None or own is sought.names[name]:
        return False
    place = finding.offending or finding.span
    return any(name in free_vars(node) for node in nodes_at(sought, place))


def _short(span: Span) -> str:
    text = " ".join(span.text.split())
    text = "(" * (text.count(")") - text.count("(")) + text  # a place begins behind its brackets
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def witness_of(question: Question, reader: Reader) -> str:
    """Returns ` for i = 0, j = 2`: the values for which a `forall` of the check does not hold.

    The verifier proves a `forall` for constants that stand for any value; they are in the goal.
    """
    sought, finding = question.sought, question.finding
    if sought.goal is None or finding is None:
        return ""
    store = sought.state.store if sought.names is None else sought.names
    mentioned = set(subterms(sought.goal))
    told = [
        f"{_BEFORE_RENAMING.sub('', name)} = {reader.shown(store[name]).text}"
        for name in _bound_at(sought, finding.offending or finding.span)
        if name in store and store[name] in mentioned
    ]
    return f" for {', '.join(told)}" if told else ""


def _bound_at(sought: Sought, place: Span) -> dict[str, None]:
    """The variables of the quantifiers around a place and inside of it."""
    found: dict[str, None] = {}
    for member in members_at(sought, place):
        for node in descendants(member):
            if isinstance(node, pe.Forall | pa.QuantifiedPermission):
                around = node.span.start <= place.start and place.end <= node.span.end
                inside = place.start <= node.span.start and node.span.end <= place.end
                if node.span.file is place.file and (around or inside):
                    found.update(dict.fromkeys([v.name for v in node.variables]))
    return found


_BEFORE_RENAMING = re.compile(r"\$\d+$")
_SIGNS: Final[dict[Symbol, str]] = {EQUAL: "==", LESS: "<", AT_MOST: "<="}
_TURNED: Final = {"<": ">", "<=": ">="}

Comparison: TypeAlias = pe.Compare | pe.Equal | pe.NotEqual


def sides_of(question: Question, reader: Reader) -> str:
    """Returns ` (-1 >= 0)`; nothing where there is no comparison, or a side has no value."""
    sought, finding = question.sought, question.finding
    if sought.goal is None or finding is None:
        return ""
    nodes = nodes_at(sought, finding.offending or finding.span)
    written = next((node for node in nodes if isinstance(node, Comparison)), None)
    found = _as_written(sought, written) or _as_encoded(sought.goal, written)
    if found is None:
        return ""
    left, sign, right = found
    tags = [adt.tag for adt in reader.evaluator.interpretation.theories.adts.values()]
    if isinstance(left, App) and left.symbol in tags:
        return ""  # `l.isNil` is no comparison for a reader
    one, other = reader.shown(left).text, reader.shown(right).text
    return "" if "..." in (one, other) else f" ({one} {sign} {other})"


def _as_written(sought: Sought, node: Comparison | None) -> tuple[Term, str, Term] | None:
    """If it means the goal in this state: in a contract, names can mean something else."""
    if node is None:
        return None
    nodes = (node, node.left, node.right)
    here = sought.state.storing(sought.names or sought.state.store)
    values = values_of(nodes, replace(sought, state=here), "assert.failed", "%sides")
    if isinstance(values, Finding) or values[0].term is not sought.goal:
        return None
    return values[1].term, _sign(node), values[2].term


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
