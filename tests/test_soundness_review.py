"""The review of rules that conclude without a proof (`docs/soundness-review.md`) has no holes."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
REVIEW = (ROOT / "docs" / "soundness-review.md").read_text(encoding="utf-8")

UNCHECKED = re.compile(
    r"\b(trusting|trusting_contract|trusting_in_wand|unjudged|for_expression|unless_lenient|quiet)\("
    r"|\b(checking|claiming)=False|\blenient=True|Judged\.(CLAIMS|NOTHING)"
)
"""How a rule of a verifier turns checks off."""


def test_every_module_that_evaluates_without_checks_is_in_the_review() -> None:
    engines = [ROOT / "pitviper" / "engines" / name for name in ("symbolic", "vcg", "shared")]
    found = [
        path.relative_to(ROOT / "pitviper").as_posix()
        for engine in engines
        for path in sorted(engine.rglob("*.py"))
        if UNCHECKED.search(path.read_text(encoding="utf-8"))
    ]

    assert len(found) > 20
    assert [module for module in found if f"`{module}`" not in REVIEW] == []


def test_what_the_review_names_is_there() -> None:
    modules = re.findall(r"`((?:engines|encoding|plugins|solver|driver)/[\w/]+\.py)`", REVIEW)
    programs = re.findall(r"`([\w/]+\.vpr)`", REVIEW)
    tests = re.findall(r"`(tests/[\w/]+(?:\.py)?)`", REVIEW)

    assert len(modules) > 40 and len(programs) > 30
    assert [name for name in modules if not (ROOT / "pitviper" / name).is_file()] == []
    assert [name for name in programs if not (ROOT / "tests" / "programs" / name).is_file()] == []
    assert [name for name in tests if not (ROOT / name).exists()] == []
