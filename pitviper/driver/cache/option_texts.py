"""The options that answers depend on, as texts."""

from __future__ import annotations

from pitviper.base.record import names_of
from pitviper.driver.verify.options import VerifyOptions

NEVER_CHANGE_AN_ANSWER = frozenset(["errors", "select", "timeout", "solver_log"])
"""How much is told, about which members, and when to give up: an open question is no answer."""


NEVER_CHANGE_A_REPORT = frozenset(["timeout", "solver_log"])


def option_texts(options: VerifyOptions) -> list[str]:
    """Every option, as it is chosen, that may change what is found out about a member."""
    return _texts(options, NEVER_CHANGE_AN_ANSWER)


def file_option_texts(options: VerifyOptions) -> list[str]:
    """Every option, as it is chosen, that may change what is told about a file."""
    return _texts(options, NEVER_CHANGE_A_REPORT)


def _texts(options: VerifyOptions, without: frozenset[str]) -> list[str]:
    return [
        f"{name}={getattr(options, name)!r}" for name in names_of(options) if name not in without
    ]
