"""The texts of errors and reasons, made from their ids in one place."""

from __future__ import annotations

ERRORS = {
    "assignment.failed": "Assignment might fail.",
    "call.failed": "Method call might fail.",
    "call.precondition": "The precondition of method {0} might not hold.",
    "application.precondition": "Precondition of function {0} might not hold.",
    "not.wellformed": "Contract might not be well-formed.",
    "function.not.wellformed": "Function might not be well-formed.",
    "predicate.not.wellformed": "Predicate might not be well-formed.",
    "postcondition.violated": "Postcondition of {0} might not hold.",
    "exhale.failed": "Exhale might fail.",
    "inhale.failed": "Inhale might fail.",
    "assert.failed": "Assert might fail.",
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


def error_text(error: str, *parts: str) -> str:
    return ERRORS[error].format(*parts)


def reason_text(reason: str, *parts: str) -> str:
    return REASONS[reason].format(*parts)
