"""Messages about the mistakes of newcomers are those of today, and each names a cure."""

from __future__ import annotations

import re

import pytest

from tests.golden.newcomer import MESSAGES, messages
from tests.golden.newcomer.mistakes import MESSAGES as MISTAKE_MESSAGES
from tests.golden.newcomer.mistakes import Mistake, mistake_messages, mistakes, said_of


def test_messages() -> None:
    assert MESSAGES.read_text(encoding="utf-8") == messages()


def test_each_error_names_its_cure() -> None:
    text = MESSAGES.read_text(encoding="utf-8")
    paragraphs = [p for p in re.split(r"\n(?=error\[)", text) if p.startswith("error[")]
    bare = [p.partition("\n")[0] for p in paragraphs if "  help: " not in p]
    assert bare == []


def test_messages_of_mistakes() -> None:
    assert MISTAKE_MESSAGES.read_text(encoding="utf-8") == mistake_messages()


def headings(report: str) -> list[str]:
    """What is wrong, in short: `error[id]: message` for each."""
    return re.findall(r"^(?:error|warning)\[.*", report, flags=re.MULTILINE)


@pytest.mark.parametrize("mistake", mistakes(), ids=[m.name for m in mistakes()])
def test_a_mistake_is_mended_as_its_message_says(mistake: Mistake) -> None:
    report = said_of(mistake.name, mistake.program)
    assert headings(report)
    assert report.count("  help: ") == len(headings(report))
    if not mistake.edits:
        return
    after = headings(said_of(mistake.name, mistake.mended))
    assert headings(report)[0] not in after
    assert not any("unsatisfiable" in heading for heading in after)  # no cure by contradiction
    if "typechecker.error" in report or "consistency.error" in report:
        assert not any("parser.error" in heading for heading in after)
    if "parser.error" not in report and "rejected" not in report:
        assert not any("error]" in heading for heading in after)
