"""The project's own list of programs where it differs from their annotations on purpose."""

from __future__ import annotations

import tomllib
from pathlib import Path, PurePosixPath

from pitviper.base.usage_error import UsageError
from pitviper.driver.suite.programs import Difference


def read_differences(path: Path) -> list[Difference]:
    """Tables `[[difference]]` with `path`, a `reason` that is not empty, and perhaps `stage`."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from error
    entries = content.get("difference", [])
    if not isinstance(entries, list) or set(content) - {"difference"}:
        raise UsageError(f"{path}: only [[difference]] tables are expected")
    return [_difference(entry, path) for entry in entries]


def _difference(entry: object, file: Path) -> Difference:
    match entry:
        case {"path": str(path), "reason": str(reason), **rest} if reason.strip():
            match rest:
                case {"stage": "check" | "verify" as stage}:
                    return Difference(PurePosixPath(path), reason, stage)
                case {} if not rest:
                    return Difference(PurePosixPath(path), reason)
    raise UsageError(f"{file}: a difference has a path and a reason, not {entry!r}")
