"""What the request of a worker chooses about a verification."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pitviper.checking.options import CheckOptions
from pitviper.driver.verify.options import VerifyOptions


def chosen_options(request: Mapping[str, object]) -> VerifyOptions:
    """Returns the options of a request; what it does not say is as usual."""
    timeout, errors, select = request.get("timeout"), request.get("errors"), request.get("select")
    return VerifyOptions(
        check=CheckOptions(
            respect_function_perm_amounts=bool(request.get("exact_amounts")),
            smoke_detection=bool(request.get("smoke")),
            termination=not request.get("no_termination"),
        ),
        backend=str(request.get("backend") or "symbolic"),
        timeout=float(timeout) if isinstance(timeout, int | float) else None,
        errors=errors if isinstance(errors, int) else None,
        select=tuple(str(name) for name in select) if isinstance(select, list) else (),
        infer_ghost=bool(request.get("infer")),
    )


def open_imports(request: Mapping[str, object]) -> dict[Path, str]:
    """Returns the texts that an editor has open and the program imports, by absolute path."""
    given = request.get("open")
    return {Path(k): str(v) for k, v in given.items()} if isinstance(given, dict) else {}
