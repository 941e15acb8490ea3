"""The texts of errors and reasons, made from their ids in one place."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pitviper.base.record import field, record
from pitviper.results.finding import Finding
from pitviper.source.span import Span

ERRORS = {
    "assignment.failed": "Assignment might fail.",
    "call.failed": "Method call might fail.",
    "call.precondition": "The precondition of method {0} might not hold.",
    "application.precondition": "Precondition of function {0} might not hold.",
    "not.wellformed": "Contract might not be well-formed.",
    "function.not.wellformed": "Function might not be well-formed.",
    "predicate.not.wellformed": "Predicate might not be well-formed.",
    "predicate.part.not.wellformed": "A part of {0} might not make sense without the rest.",
    "postcondition.violated": "Postcondition of {0} might not hold.",
    "exhale.failed": "Exhale might fail.",
    "inhale.failed": "Inhale might fail.",
    "assert.failed": "Assert might fail.",
    "cut.failed": "Cut might fail.",
    "if.failed": "Conditional statement might fail.",
    "while.failed": "While statement might fail.",
    "invariant.not.established": "Loop invariant {0} might not hold on entry.",
    "invariant.not.preserved": "Loop invariant {0} might not be preserved.",
    "fold.failed": "Folding {0} might fail.",
    "unfold.failed": "Unfolding {0} might fail.",
    "package.failed": "Packaging wand might fail.",
    "apply.failed": "Applying wand might fail.",
    "quasihavoc.failed": "Quasihavoc might fail.",
    "quasihavocall.failed": "Quasihavocall might fail.",
    "wand.not.wellformed": "Magic wand might not be well-formed.",
    "internal": "An internal error occurred.",
}

REASONS = {
    "assertion.false": "Assertion {0} might not hold.",
    "insufficient.permission": "There might be insufficient permission to access {0}",
    "division.by.zero": "Divisor {0} might be zero.",
    "negative.permission": "Fraction {0} might be negative.",
    "permission.not.positive": "Fraction {0} might not be positive.",
    "seq.index.negative": "Index {0} into {1} might be negative.",
    "seq.index.length": "Index {0} into {1} might exceed sequence length.",
    "map.key.contains": "Map {1} might not contain an entry at key {0}.",
    "wand.not.found": "Magic wand instance not found.",
    "qp.not.injective": "Quantified resource {0} might not be injective.",
    "quasihavocall.not.injective": "Quasihavocall statement {0} might not be injective.",
    "labelled.state.not.reached": "Did not reach labelled state {1} required to evaluate {0}.",
    "feature.unsupported": "{0} is not supported. {1}",
}


NULL_RECEIVER = "receiver.null"
"""The reason where a language has receivers that nobody asks for in a contract."""


@record
class Wording:
    """How a language says what engines find: texts that differ from those of Viper.

    `kinds` are the words for members, `words` patterns of words in sentences, `values` the words
    that values are written with, `ids` the first halves of ids that have other words. `ends` is
    what ends a clause or statement.
    """

    errors: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    ids: Mapping[str, str] = field(default_factory=dict)
    ends: str = ""


VIPER = Wording()

COOL = Wording(
    errors={
        "call.failed": "The call might fail.",
        "application.precondition": "The precondition of pure method {0} might not hold.",
        "function.not.wellformed": "Pure method might not be well-formed.",
        "cut.failed": "Join might fail.",
        "fold.failed": "Closing {0} might fail.",
        "unfold.failed": "Opening {0} might fail.",
        "inhale.failed": "The assumption might not be well-formed.",
    },
    reasons={
        "seq.index.length": "Index {0} into {1} might be too large.",
        NULL_RECEIVER: "Its receiver might be null.",
    },
    kinds={"function": "pure method"},
    words={
        r"an `exhale`": "an assignment",
        r"\bunfolding\b": "opening",
        r"\bunfold\b": "open",
        r"\bunfolded\b": "opened",
        r"\bfolding\b": "closing",
        r"\bfold\b": "close",
        r"\bfolded\b": "closed",
        r"\binhaled\b": "assumed",
        r"\binhale\b": "assume",
        r"\bfunction\b": "pure method",
        r"\bFunction\b": "Pure method",
        r"of the sequence": "of the array or sequence",
        r"put one to `([\w.]+)` before this": r"write `acc(\1)` and `&&` before this",
        r"^snapshot\..*": "contents of predicates",
        r"^array\.length\.\w+": "lengths of arrays",
        r"^object\.class\.\w+": "classes of objects",
        r"^untouched ([\w.]+)\.\w+$": r"contents of \1",
    },
    values={
        "Seq(": "seq(",
        "Set(": "set(",
        "Seq[Int](": "seq<int>(",
        "Seq[Bool](": "seq<bool>(",
        "Seq[Ref](": "seq(",
        "Set[Int](": "set<int>(",
        "Set[Bool](": "set<bool>(",
        "Set[Ref](": "set(",
    },
    ids={
        "fold.failed": "close.failed",
        "unfold.failed": "open.failed",
        "inhale.failed": "assume.failed",
        "cut.failed": "join.failed",
        "function.not.wellformed": "pure.not.wellformed",
    },
    ends=";",
)

_WORDINGS = {".cool": COOL}


def register_wording(ending: str, wording: Wording) -> None:
    """Files with this ending are spoken about in these words."""
    _WORDINGS[ending] = wording


def wording_of(span: Span | None) -> Wording:
    """The words of the language that a place belongs to."""
    return VIPER if span is None else _WORDINGS.get(span.file.path.suffix, VIPER)


def error_text(error: str, *parts: str, at: Span | None = None) -> str:
    """The sentence about what failed; `at` tells the language."""
    return wording_of(at).errors.get(error, ERRORS[error]).format(*parts)


def reason_text(reason: str, *parts: str, at: Span | None = None) -> str:
    """The sentence about why it failed; `at` tells the language."""
    own = wording_of(at).reasons
    return (own[reason] if reason in own else REASONS[reason]).format(*parts)


def kind_text(kind: str, at: Span | None) -> str:
    """The word for a kind of members: method, function, predicate."""
    return wording_of(at).kinds.get(kind, kind)


def shown_error(error: str, at: Span | None) -> str:
    """The first half of an id, in words of the language that a place belongs to."""
    return wording_of(at).ids.get(error, error)


def meant_error(shown: str) -> str:
    """The first half of an id that some language shows otherwise."""
    for wording in _WORDINGS.values():
        for error, own in wording.ids.items():
            if own == shown:
                return error
    return shown


def value_text(text: str, at: Span | None) -> str:
    """A value, as the language that a place belongs to writes it."""
    for word, own in wording_of(at).values.items():
        text = text.replace(word, own)
    return text


_PREFIXES = {
    "parser.error": "Parse error: ",
    "parser.warning": "Parse warning: ",
    "typechecker.warning": "Type checker warning: ",
    "consistency.error": "Consistency error: ",
    "verifier.warning": "Verifier warning: ",
}


def readable_message(problem_id: str, message: str, span: Span | None) -> str:
    """`Parse error: MSG (file.vpr@3.5--3.9)`, as the tools of the language print it."""
    return f"{prefixed_message(problem_id, message)} ({readable_place(span)})"


def prefixed_message(problem_id: str, message: str) -> str:
    """`Parse error: MSG`."""
    return f"{_PREFIXES.get(problem_id, '')}{message}"


def readable_place(span: Span | None) -> str:
    """`file.vpr@3.5--3.9`, or `<no position>`."""
    return "<no position>" if span is None else str(span)


LONGEST_QUOTE = 60
"""Characters of the program that a piece of advice quotes; longer parts are only pointed at."""

_LABELS = {
    "assertion.false": "this might not hold",
    "insufficient.permission": "permission might be missing",
    "division.by.zero": "this might be zero",
    "negative.permission": "this might be negative",
    "permission.not.positive": "this might not be positive",
    "seq.index.negative": "this might be negative",
    "seq.index.length": "this might be too large",
    "map.key.contains": "this key might be absent",
    "wand.not.found": "this instance might not be held",
    "qp.not.injective": "two of these might be of one object",
    "labelled.state.not.reached": "the state might not exist here",
    "termination.condition.false": "this promise might not cover the call",
    "tuple.condition.false": "this measure might not apply",
    "tuple.false": "this measure",
}

_GIVEN_BACK = {
    "postcondition.violated": "the body has to leave this permission behind: is a `fold` missing, "
    "or was it used up by a call or an `exhale`?",
    "invariant.not.preserved": "each iteration has to leave this permission behind: is a `fold` "
    "missing, or was it used up by a call or an `exhale`?",
    "invariant.not.established": "the loop takes this permission along: it has to be there before "
    "the first iteration",
    "fold.failed": "a `fold` needs all that the body of the predicate holds",
    "unfold.failed": "the instance has to be held: is a `fold` missing, or was it unfolded before?",
}
"""Advice where permission is missing, by the construct that needs it."""

_CONTRACTS = ("not.wellformed", "function.not.wellformed", "predicate.not.wellformed")


def label_of(finding: Finding) -> str:
    """A few words for the place of the offending part."""
    if finding.message.endswith(" might be null."):
        return "this might be null"
    if finding.reason == "termination.condition.false":
        place = finding.offending
        if place is not None and re.search(r"\bdecreases\b", place.text) is None:
            return "nothing says that this ends"
    return _LABELS.get(finding.reason, "this part")


def advice_for(finding: Finding) -> str | None:
    """What the user can do, where that is obvious, in words of the language."""
    advice = finding.advice or _advice(finding)
    return None if advice is None else spoken(advice, finding.span)


def spoken(text: str, at: Span | None) -> str:
    """A sentence about Viper, in words of the language that a place belongs to."""
    for word, own in wording_of(at).words.items():
        text = re.sub(word, own, text)
    return text


def _advice(finding: Finding) -> str | None:
    part = _quote(finding)
    match finding.reason:
        case "insufficient.permission":
            return _permission_advice(finding.error, part)
        case "division.by.zero":
            return f"make sure that {part or 'the divisor'} is not 0, or test it before"
        case "seq.index.negative":
            return f"make sure that {part or 'the index'} is at least 0"
        case "seq.index.length":
            return f"make sure that {part or 'the index'} is less than the length of the sequence"
        case "map.key.contains":
            return f"make sure that {part or 'the key'} is in the domain of the map"
        case "qp.not.injective":
            return "say that different instances of the quantifier have different receivers"
        case "tuple.false":
            return "the measure has to get smaller with each call or iteration, and not below 0"
        case "assertion.false" if finding.error == "invariant.not.preserved":
            return "at the start of an iteration only the invariants are known: is one missing?"
        case _:
            return None


def _permission_advice(error: str, part: str | None) -> str | None:
    if error in _CONTRACTS:
        return f"the permission has to come first: put one to {part or 'the location'} before this"
    if error in _GIVEN_BACK:
        return _GIVEN_BACK[error]
    if error == "assignment.failed":
        return f"get permission to {part or 'the location'} before: full permission to write it"
    if error == "internal":
        return None
    return (
        "the permission has to be held here: ask for it in the precondition, or get it before by "
        "`unfold`, `fold`, `inhale` or a call"
    )


def _quote(finding: Finding) -> str | None:
    """The text of the offending part in quotes; None where it is the whole, long or broken."""
    part = finding.offending
    if part is None or part == finding.span or "\n" in part.text:
        return None
    return f"`{part.text}`" if 0 < len(part.text) <= LONGEST_QUOTE else None
