"""What a user may switch in the front end."""

from __future__ import annotations

from pathlib import Path

from pitviper.base.record import record

INFER_DEPTH = 3
"""Predicates that are opened or closed in a row, unless somebody wants it otherwise."""


@record
class CheckOptions:
    """`respect_function_perm_amounts`: exact amounts in functions, hence no warning about them.
    Without `termination`, decreases clauses are dropped unchecked.
    `strict`: what would be believed without proof or promise is an error, not a warning.
    `import_root`: quoted imports reach only files in this folder, links followed.
    `infer_depth`: predicates that are opened or closed in a row for one place, where that is
    inferred."""

    respect_function_perm_amounts: bool = False
    smoke_detection: bool = False
    termination: bool = True
    strict: bool = False
    import_root: Path | None = None
    infer_depth: int = INFER_DEPTH
