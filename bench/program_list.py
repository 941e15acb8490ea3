"""The fixed list of programs that are measured: `programs.txt`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pitviper.driver.suite.programs import SuiteProgram, find_programs

LIST = Path(__file__).parent / "programs.txt"
ROOT = Path(__file__).parents[1]

SETS = ("cold", "own", "silver", "wild", "frontends")
QUICK = "quick"
SUITE, WILD = "suite", "wild"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the list: a program in one of the `SETS`."""

    set: str
    name: str
    program: SuiteProgram


def read_list(suite: Path, *, quick: bool) -> tuple[list[Entry], list[str]]:
    """The entries in order, and the names of those that are not on this machine.

    Programs that nobody wrote for a suite are looked for in `wild/programs` beside the suite. Their
    paths are absolute: those who verify them stand in other folders.
    """
    suite = suite.resolve()
    wild = suite.parent / WILD / "programs"
    known = {p.path: p for p in find_programs(suite)} if suite.is_dir() else {}
    known |= {p.path: p for p in find_programs(wild)} if wild.is_dir() else {}
    known |= {p.path: p for p in find_programs(ROOT / "examples")}
    entries: list[Entry] = []
    missing: list[str] = []
    for line in LIST.read_text().splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        set_, name = words[0], words[-1]
        if set_ not in SETS or words[1:-1] not in ([], [QUICK]):
            raise SystemExit(f"{LIST}: not a line of the list: {line}")
        folder, _, rest = name.partition("/")
        path = {SUITE: suite / rest, WILD: wild / rest}.get(folder, ROOT / name)
        if quick and QUICK not in words:
            continue
        if path in known:
            entries.append(Entry(set_, rest, known[path]))
        else:
            missing.append(name)
    return entries, missing
