"""Messages about the mistakes of newcomers are those of today, and each names a cure."""

from __future__ import annotations

import re

from tests.golden.newcomer import MESSAGES, messages


def test_messages() -> None:
    assert MESSAGES.read_text(encoding="utf-8") == messages()


def test_each_error_names_its_cure() -> None:
    text = MESSAGES.read_text(encoding="utf-8")
    paragraphs = [p for p in re.split(r"\n(?=error\[)", text) if p.startswith("error[")]
    bare = [p.partition("\n")[0] for p in paragraphs if "  help: " not in p]
    assert bare == []
