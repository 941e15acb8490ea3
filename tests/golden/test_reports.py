"""The reports in the documentation are those of today."""

from __future__ import annotations

from tests.golden.reports import DOCUMENT, page


def test_reports_in_the_documentation() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == page()
