"""Which constructs are forbidden in which kind of contract."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum, auto

from pitviper.checking.wellformed.findings import Findings
from pitviper.program.expr import FieldRead
from pitviper.program.node import Node
from pitviper.source.diagnostic import Related
from pitviper.source.span import Span


class Feature(Enum):
    """A construct that some places do not allow."""

    OLD = auto()
    LABELLED_OLD = auto()
    RESULT = auto()
    PERM = auto()
    FORPERM = auto()
    BARE_PERM = auto()  # perm or forperm outside of `[A, B]`
    WAND = auto()
    LOCATION = auto()
    ASSERTING = auto()


Found = dict[Feature, Node]
"""The first occurrence of each feature in a formula."""

Rules = Mapping[Feature, str]
"""What to say about a feature; a feature that is missing is allowed."""

_RESULT = "Result variables are only allowed in postconditions of functions."
_BARE_PERM = "Perm and forperm in this context are only allowed nested in inhale-exhale assertions."


def _everything(place: str) -> dict[Feature, str]:
    return {
        Feature.OLD: f"Old expressions are not allowed in {place}.",
        Feature.LABELLED_OLD: f"Labelled old expressions are not allowed in {place}.",
        Feature.PERM: f"Perm expressions are not allowed in {place}.",
        Feature.FORPERM: f"Forperm expressions are not allowed in {place}.",
        Feature.WAND: f"Magic wands are not allowed in {place}.",
        Feature.LOCATION: f"Accesses to locations are not allowed in {place}.",
        Feature.ASSERTING: f"Asserting expressions are not allowed in {place}.",
        Feature.RESULT: _RESULT,
        Feature.BARE_PERM: _BARE_PERM,
    }


def _only(place: str, *features: Feature) -> Rules:
    rules = _everything(place)
    return {feature: rules[feature] for feature in features}


STATEMENT = _only("statements", Feature.RESULT)
INVARIANT = _only("invariants", Feature.RESULT, Feature.BARE_PERM)
LABEL_INVARIANT = _only("invariants", Feature.RESULT)
METHOD_PRECONDITION = _only(
    "preconditions", Feature.OLD, Feature.LABELLED_OLD, Feature.RESULT, Feature.BARE_PERM
)
METHOD_POSTCONDITION = _only(
    "postconditions", Feature.LABELLED_OLD, Feature.RESULT, Feature.BARE_PERM
)
FUNCTION_PRECONDITION = _only(
    "preconditions of functions",
    Feature.OLD, Feature.LABELLED_OLD, Feature.RESULT, Feature.BARE_PERM, Feature.WAND,
)  # fmt: skip
FUNCTION_POSTCONDITION = _only(
    "postconditions of functions",
    Feature.OLD, Feature.LABELLED_OLD, Feature.PERM, Feature.FORPERM, Feature.WAND,
)  # fmt: skip
FUNCTION_BODY = _only(
    "function bodies",
    Feature.OLD, Feature.LABELLED_OLD, Feature.RESULT, Feature.PERM, Feature.FORPERM, Feature.WAND,
)  # fmt: skip
PREDICATE_BODY = _only(
    "predicates",
    Feature.OLD, Feature.LABELLED_OLD, Feature.RESULT, Feature.PERM, Feature.FORPERM, Feature.WAND,
)  # fmt: skip
AXIOM = _only(
    "axioms",
    Feature.OLD, Feature.LABELLED_OLD, Feature.RESULT, Feature.PERM, Feature.FORPERM, Feature.WAND,
    Feature.LOCATION, Feature.ASSERTING,
)  # fmt: skip


def report_forbidden(findings: Findings, found: Found, rules: Rules, span: Span) -> None:
    """One error per forbidden feature, at the whole contract expression."""
    for feature, node in found.items():
        message = rules.get(feature)
        if message is not None:
            related = () if node.span == span else (Related(node.span, "this one"),)
            findings.error(span, message, related=related, help=_cure(feature, node))


def _cure(feature: Feature, node: Node) -> str | None:
    """What to write for a field that an axiom reads; other cures are the same for all places."""
    text = node.span.text
    receiver = re.fullmatch(r"([\w$]+)\.[\w$]+", text)
    if feature is not Feature.LOCATION or receiver is None:
        return None
    type_ = node.type if isinstance(node, FieldRead) else "Int"
    return (
        "axioms hold in every state and read no fields: write a function outside of the domain, "
        f"`function value({receiver[1]}: Ref): {type_} requires acc({text}) {{ {text} }}`"
    )
