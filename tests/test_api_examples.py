"""The examples of the documentation run, and give what they say."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

import pitviper

ROOT = Path(__file__).parent.parent
DOCUMENTED = (
    "pitviper",
    "pitviper.driver.debug.debugging",
    "pitviper.driver.front.frontend",
    "pitviper.driver.suite.suite",
    "pitviper.driver.verify.verify",
)


@pytest.mark.smoke
@pytest.mark.parametrize("name", DOCUMENTED)
def test_docstrings(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.failed == 0
    assert outcome.attempted > 0


def test_python_blocks_of_the_readme() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})


def test_importing_the_package_loads_nothing_else() -> None:
    """The command line depends on it: a cold start has a budget."""
    assert pitviper.__all__ == ["__version__", "check", "parse", "replay", "verify"]
    source = Path(pitviper.__file__).read_text()
    top_level = [line for line in source.splitlines() if re.match(r"(from|import) ", line)]
    assert top_level == [
        "from __future__ import annotations",
        "from typing import TYPE_CHECKING",
        "from pitviper.version import VERSION as __version__",
    ]
