"""Whoever reads why something is open reads what would close it."""

from __future__ import annotations

import pytest

from pitviper.driver.explore.explore import ABOUT_REFERENCES, CONTRADICTION
from pitviper.driver.wizard.colours import NOT_BEGUN
from pitviper.engines.explore import notes
from pitviper.engines.explore.report.inputs import no_model_known
from pitviper.engines.explore.runtime.ending import Status
from pitviper.results.exploration import TIME_IS_OVER
from pitviper.views.remedies import with_remedies, with_remedy

ENDS = [
    status.value
    for status in Status
    if status not in (Status.PASSED, Status.FAILED, Status.UNMET, Status.RETRY, Status.INFEASIBLE)
]
REASONS = [
    *ENDS,
    *notes.DOUBTS,
    notes.IMPOSSIBLE,
    no_model_known(("D",)),
    CONTRADICTION,
    ABOUT_REFERENCES,
    NOT_BEGUN,
    TIME_IS_OVER,
    "the limit of the search was reached (--runs 5), 3 paths are open",
    "no run came to its end",
    "triggers of a quantifier were not looked at",
    "an assumption in the body of method m was not met",
    "what a package takes depends on its left-hand side",
]


@pytest.mark.parametrize("why", REASONS)
def test_every_reason_has_a_remedy(why: str) -> None:
    assert with_remedy(why).startswith(f"{why}; ")


def test_a_page_names_no_options() -> None:
    assert "`--" not in " ".join(with_remedies(REASONS, options=False))
    assert with_remedies(["too many steps: 20000 steps"], options=False) == [
        "too many steps: 20000 steps"
    ]
