"""The option --watch: a command again whenever its file changes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from pitviper.cli.output import stdout
from pitviper.cli.start import tell
from pitviper.results.exit_code import ExitCode

ENDED = (ExitCode.INTERRUPTED, ExitCode.TERMINATED)


def whenever_changed(
    path: Path,
    once: Callable[[list[Path]], ExitCode],
    listed: Callable[[], Sequence[Path]] = tuple,
) -> ExitCode:
    """Until it is interrupted; `once` fills the list with imported files.

    `listed` are the programs of the folders that were given.

    A file that cannot be read is an error at first; later on it may be about to be written.
    """
    from pitviper.base.usage_error import UsageError
    from pitviper.driver.front.file_changes import watched

    imports: list[Path] = []
    code = ExitCode.FINE
    for number, _ in enumerate(watched(path, imports, listed=listed)):
        imports.clear()
        try:
            code = once(imports)
        except UsageError as error:
            if not number:
                raise
            tell(f"pitviper: error: {error}\n")
        if code in ENDED:
            break
        stdout.write_line("Waiting for changes; end with Ctrl-C.")
        sys.stdout.flush()
    return code
