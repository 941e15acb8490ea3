"""What would close a question that a search has left open, for whoever wrote the program."""

from __future__ import annotations

from collections.abc import Sequence

NO_INPUT = "no input came as far as the body"

_VERIFIER = "runs cannot settle this: the verifier has to prove it"
_BOUNDS = "bounds for the quantified variables (`0 <= i && i < n`) let it be decided"
_TIME = "more `--seconds` look further"

_REMEDIES = (
    (
        "the limit of the search was reached",
        "bounds in the precondition end it, and so do invariants with `--loops invariant`",
    ),
    ("too many steps", "`--steps` allows longer runs, an invariant with `--loops invariant` none"),
    ("too deep recursion", "`--depth` allows deeper calls, `--calls contract` none"),
    ("input too large", "`--size` allows larger inputs, a precondition can bound them"),
    ("unsupported", "say it in another way: as it is, only the verifier can settle it"),
    (
        "solver gave up",
        "bounds in the precondition help; products of unknowns are hard for it",
    ),
    (
        "left the path it was made for",
        "the values that were found lead elsewhere; bounds in the precondition help",
    ),
    ("out of memory", "`--memory` allows more, bounds in the precondition need less"),
    ("worker died", "bounds in the precondition make runs smaller"),
    ("worker was stopped", _TIME),
    ("out of time", _TIME),
    ("the time for the run is over", "a longer `--timeout` lets it come to its end"),
    ("no run was begun before the time was over", "a longer `--timeout` lets it begin"),
    ("infinitely many values was decided by one", _BOUNDS),
    ("whether quantifiers have a model", _BOUNDS),
    (
        "nobody has found a model of the axioms",
        "functions with bodies in place of axioms leave no doubt",
    ),
    ("a loop was replaced by its invariant", "a stronger invariant, or `--loops unroll`, tells"),
    ("triggers of a quantifier", _VERIFIER),
    ("was passed over", _VERIFIER),
    ("loops of jumps", "a `while` loop in place of `goto` is looked at in full"),
    ("without its invariant", "a `while` loop in place of `goto` is looked at in full"),
    (
        "no run came to its end",
        "bounds in the precondition make runs shorter; the limits above, longer",
    ),
    ("that cannot exist", "a precondition that rules them out settles it"),
    ("could be filled in", "a precondition that says less of predicate instances is filled in"),
    ("depends on the contents", "`unfold` the instance before"),
    ("were not compared", "`unfold` the instances before"),
    ("package", _VERIFIER),
    ("wand", _VERIFIER),
    ("left-hand s", _VERIFIER),
    ("was left out", _VERIFIER),
    ("fails where it is used", "mend it, or ask for more in its precondition"),
    ("an assumption in the body", "other values end at that assumption: is it meant?"),
    (
        "the axioms contradict each other",
        "take back an axiom: nothing can be said with all of them",
    ),
    (
        "a new object was the value of a function",
        "keep in a variable what the function gave: what a variable has is no new object",
    ),
    ("says something about all references", "say it about those that are meant"),
    (NO_INPUT, "is the precondition satisfiable?"),
)
"""Words of reasons, and what would help."""


def with_remedies(reasons: Sequence[str], *, options: bool = True) -> list[str]:
    """Why a search is open, and what would close it: a search that was cut short asks nothing.

    Where there are no `options` of a command line, none is named.
    """
    alone = len(reasons) == 1
    return [
        with_remedy(why, options=options) if alone or why != NO_INPUT else why for why in reasons
    ]


def with_remedy(why: str, *, options: bool = True) -> str:
    remedy = next((text for words, text in _REMEDIES if words in why), "")
    is_usable = remedy and (options or "`--" not in remedy)
    return f"{why}; {remedy}" if is_usable else why
