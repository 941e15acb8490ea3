"""Who takes part in a measurement: Silicon, this tree, the tree of another commit."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from compare_silicon import (
    VERIFY,
    WORKER,
    our_options,
    our_verdict,
    run_cold,
    silicon_options,
)
from front_end import environment
from program_list import ROOT
from silicon_installation import Silicon
from warm_process import Timing, WarmProcess

from pitviper.driver.suite.programs import SuiteProgram


class Contender(Protocol):
    """Verifies a program in a new process, or in one that stays warm."""

    @property
    def name(self) -> str: ...

    def cold(self, program: SuiteProgram, timeout: float) -> Timing: ...

    def warm(self, known: Path, timeout: float) -> WarmProcess: ...

    def request(self, program: SuiteProgram) -> str: ...


@dataclass(frozen=True, slots=True)
class TheirSilicon:
    """`warm_up` is how often it verifies a known program first: a Java process gets hot slowly."""

    silicon: Silicon
    warm_up: int
    name: str = "Silicon"

    def cold(self, program: SuiteProgram, timeout: float) -> Timing:
        command = self.silicon.cold(program.path, silicon_options(program))
        return run_cold(command, timeout, lambda code: "verified" if code == 0 else "refuted")

    def warm(self, known: Path, timeout: float) -> WarmProcess:
        lines = ["\t".join(self.silicon.options(known))] * self.warm_up
        return WarmProcess(self.silicon.server, lines, timeout)

    def request(self, program: SuiteProgram) -> str:
        return "\t".join(self.silicon.options(program.path, silicon_options(program)))


@dataclass(frozen=True, slots=True)
class Tree:
    """Pitviper as it stands in a folder."""

    folder: Path
    name: str

    @property
    def environment(self) -> dict[str, str]:
        """No daemon and no remembered answers, byte code as after an installation."""
        off = {"PITVIPER_DAEMON": "off", "PITVIPER_CACHE": "off"}
        return {**environment(), **off, "PYTHONPATH": str(self.folder)}

    def command(self, *options: str) -> list[str]:
        return [sys.executable, *VERIFY, *options]

    def supported(self, option: str, *values: str) -> list[str]:
        """An option with its values, or nothing where this tree does not know it yet."""
        done = subprocess.run(
            [sys.executable, *VERIFY, "--help-all"],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return [option, *values] if f"{option} " in done.stdout else []

    def cold(self, program: SuiteProgram, timeout: float) -> Timing:
        library = [f"--library={folder}" for folder in program.options.library]
        command = self.command(*our_options(program), *library, str(program.path))
        return run_cold(command, timeout, our_verdict, self.environment)

    def warm(self, known: Path, timeout: float) -> WarmProcess:
        lines = [json.dumps({"file": str(known), "options": []})] * 3
        return WarmProcess([sys.executable, str(WORKER)], lines, timeout, self.environment)

    def request(self, program: SuiteProgram) -> str:
        library = [str(folder) for folder in program.options.library]
        asked = {"file": str(program.path), "options": our_options(program), "library": library}
        return json.dumps(asked)


THIS = Tree(ROOT, "this")


@contextmanager
def tree_of(commit: str, folder: Path) -> Iterator[Tree]:
    """The tree of a commit, checked out into a new folder until the end of the block."""
    target = folder / "tree"
    _git("worktree", "add", "--detach", "--force", str(target), commit)
    try:
        yield Tree(target, _git("rev-parse", "--short", commit))
    finally:
        _git("worktree", "remove", "--force", str(target))


def current_commit() -> str:
    """This tree's commit, with a mark if something is changed."""
    changed = "+" if _git("status", "--porcelain", "--untracked-files=no") else ""
    return _git("rev-parse", "--short", "HEAD") + changed


def _git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"git {arguments[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()
