"""Writes the profile of a file to standard output."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pitviper.cli.arguments import common

if TYPE_CHECKING:
    from pitviper.results.profile import MemberProfile


def show_profile_text(profiles: list[MemberProfile], path: Path) -> None:
    from pitviper.views.terminal.profile import profile_text

    common.write(profile_text(profiles, path))


def show_profile_json(profiles: list[MemberProfile], path: Path) -> None:
    from pitviper.views.json.lines import json_line
    from pitviper.views.terminal.profile import profile_objects

    for value in profile_objects(profiles):
        common.write_line(json_line({**value, "file": str(path)}))
