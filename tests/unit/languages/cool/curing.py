"""Findings about object programs, with cures that were tried."""

from __future__ import annotations

import pitviper
from pitviper.driver.verify.options import VerifyOptions
from pitviper.results.finding import Finding


def findings(
    text: str,
    *,
    backend: str = "symbolic",
    select: tuple[str, ...] = (),
    no_inference: bool = False,
) -> tuple[Finding, ...]:
    options = VerifyOptions(cures=True, backend=backend, select=select, no_inference=no_inference)
    return pitviper.verify(text, name="it.cool", options=options).findings
