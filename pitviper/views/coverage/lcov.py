"""Coverage for LCOV: a text with one record a line, as geninfo(1) describes it."""

from __future__ import annotations

from pitviper.results.exploration import MethodExploration
from pitviper.views.coverage.totals import FileCoverage, file_coverage


def lcov_text(methods: tuple[MethodExploration, ...]) -> str:
    parts = [line for file in file_coverage(methods) for line in _file(file)]
    return "\n".join(parts) + "\n" if parts else ""


def _file(file: FileCoverage) -> list[str]:
    hit, found = file.covered(file.lines)
    taken, sides = file.taken(file.lines)
    return [
        "TN:pitviper",
        f"SF:{file.file}",
        *[f"FN:{m.line},{m.member}" for m in file.members],
        *[f"FNDA:{m.runs},{m.member}" for m in file.members],
        f"FNF:{len(file.members)}",
        f"FNH:{sum(1 for m in file.members if m.runs)}",
        *_branches(file),
        f"BRF:{sides}",
        f"BRH:{taken}",
        *[f"DA:{line},{runs}" for line, runs in file.lines.items()],
        f"LF:{found}",
        f"LH:{hit}",
        "end_of_record",
    ]


def _branches(file: FileCoverage) -> list[str]:
    """The condition of a line that no run came to has no counts."""
    lines = []
    for line, pairs in file.branches.items():
        for block, pair in enumerate(pairs):
            for side, runs in enumerate(pair):
                lines.append(f"BRDA:{line},{block},{side},{runs if sum(pair) else '-'}")
    return lines
