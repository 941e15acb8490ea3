"""Source languages beside Viper: text to typed program, each in a room of its own.

A `SourceFile` comes in; a typed program of `program/` or diagnostics go out, with places in the
file. Languages are found by the ending of a file's name. Read `registry.py` first. Imports the
typed program and the checker's small parts; no logic, no solver and no engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitviper.languages.registry import Language


def register(language: Language) -> None:
    """Makes a language known by the ending of its files; see docs/front-ends.md."""
    from pitviper.languages import registry

    registry.register(language)
