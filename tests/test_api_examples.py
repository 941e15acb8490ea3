"""The examples of the documentation run, and give what they say."""

from __future__ import annotations

import doctest
import importlib
import re
import subprocess
import sys
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


def test_the_page_about_the_api(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/api.md").read_text(), re.DOTALL)
    examples = doctest.DocTestParser().get_doctest("\n\n".join(blocks), {}, "api", "api.md", 0)
    outcome = doctest.DocTestRunner().run(examples)
    assert outcome.failed == 0
    assert outcome.attempted > 20


def test_the_page_names_everything_that_is_exported() -> None:
    page = (ROOT / "docs/api.md").read_text()
    assert [name for name in pitviper.__all__ if name not in page and name != "__version__"] == []


def test_completion_offers_what_is_exported() -> None:
    pitviper.verify("field f: Int")
    assert [n for n in dir(pitviper) if not n.startswith("__")] == sorted(
        set(pitviper.__all__) - {"__version__"}
    )


def test_importing_the_package_loads_nothing_else() -> None:
    """The command line depends on it: a cold start has a budget."""
    code = (
        "import sys, pitviper; print([m for m in sys.modules if m.startswith('pitviper.')])\n"
        "import pitviper.api.calls; assert callable(pitviper.counterexample), 'a folder hides it'\n"
        "assert not [n for n in pitviper.__all__ if getattr(pitviper, n, None) is None]"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['pitviper.version']\n"
