"""Writes the messages anew."""

from tests.golden.newcomer import MESSAGES, messages
from tests.golden.newcomer.mistakes import MESSAGES as MISTAKE_MESSAGES
from tests.golden.newcomer.mistakes import mistake_messages

MESSAGES.write_text(messages(), encoding="utf-8")
MISTAKE_MESSAGES.write_text(mistake_messages(), encoding="utf-8")
