"""Languages are found by the ending of a file; the example of the documentation is one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import pitviper
from pitviper.languages import registry
from pitviper.results import wording

GUIDE = Path(__file__).parents[3] / "docs" / "front-ends.md"


@pytest.fixture
def claims(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The language of the guide, for one test."""
    monkeypatch.setattr(registry, "_LANGUAGES", dict(registry._LANGUAGES))
    monkeypatch.setattr(wording, "_WORDINGS", dict(wording._WORDINGS))
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    exec(compile(code, str(GUIDE), "exec"), {})
    yield


@pytest.mark.usefixtures("claims")
def test_the_language_of_the_guide_is_verified() -> None:
    done = pitviper.verify("let x = 3\nclaim x > 2\nclaim x > 5\n", name="it.claims")
    assert done.verdict.value == "refuted"
    (finding,) = done.findings
    assert (finding.id, finding.span.line) == ("assert.failed:assertion.false", 3)


@pytest.mark.usefixtures("claims")
def test_mistakes_in_the_language_of_the_guide_have_places() -> None:
    front = pitviper.check("let x = 3\nhello\n", name="it.claims")
    (error,) = front.errors
    assert error.span is not None
    assert error.span.line == 2


@pytest.mark.usefixtures("claims")
def test_a_mistake_of_the_front_end_is_told_as_the_guide_says() -> None:
    done = pitviper.verify("claim y > 2\n", name="it.claims")
    assert done.verdict is pitviper.Verdict.REJECTED
    (shown,) = re.findall(r"```text\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert shown.strip() in str(done)


@pytest.mark.usefixtures("claims")
def test_typed_in_text_is_read_beside_the_language_of_the_guide() -> None:
    session = pitviper.debug("let x = 3\nclaim x > 5\n", name="it.claims")
    assert "contradicts what is known" in session.ask("assume x > 5")


def test_files_with_other_endings_are_viper() -> None:
    assert registry.language_of(Path("list.vpr")) is None
    assert registry.language_of(Path("list.cool")) is registry.COOL


def test_a_language_is_registered_by_the_package() -> None:
    from pathlib import Path

    from pitviper import languages
    from pitviper.languages.registry import Language, Loaded, language_of

    nothing = Language("nothing", ".nothing", lambda _, __: Loaded(None, ()))
    languages.register(nothing)
    assert language_of(Path("a.nothing")) is nothing
