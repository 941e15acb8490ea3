"""Writes the messages anew."""

from tests.golden.newcomer import MESSAGES, messages

MESSAGES.write_text(messages(), encoding="utf-8")
