"""Where the public suite is: beside the project, or where PITVIPER_SUITE says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_BESIDE = Path(__file__).parents[3] / "shared" / "suite"

SUITE = Path(os.environ.get("PITVIPER_SUITE", _BESIDE))

needs_suite = pytest.mark.skipif(
    not SUITE.is_dir(), reason=f"the conformance suite is not on this machine ({SUITE})"
)
