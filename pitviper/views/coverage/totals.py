"""Coverage of explorations, added up by file: what the reports and other tools need."""

from __future__ import annotations

from collections.abc import Iterable

from pitviper.base.record import record
from pitviper.results.exploration import MemberCount, MethodExploration

Lines = dict[str, dict[int, int]]
"""By file: how many runs came to each line."""

Branches = dict[int, list[tuple[int, int]]]
"""By line: for each condition there, in how many runs it held, and in how many it did not."""


@record
class FileCoverage:
    """What is known of one file; `owners` says to which member a line belongs."""

    file: str
    lines: dict[int, int]
    branches: Branches
    members: tuple[MemberCount, ...]
    owners: dict[int, str]

    def lines_of(self, member: str) -> list[int]:
        return [line for line in self.lines if self.owners.get(line) == member]

    def covered(self, lines: Iterable[int]) -> tuple[int, int]:
        """Lines that were run, and all of these."""
        wanted = list(lines)
        return sum(1 for line in wanted if self.lines[line]), len(wanted)

    def taken(self, lines: Iterable[int]) -> tuple[int, int]:
        """Sides of conditions that were taken, and all of those in these lines."""
        sides = [n for line in lines for pair in self.branches.get(line, []) for n in pair]
        return sum(1 for runs in sides if runs), len(sides)


def line_counts(methods: Iterable[MethodExploration]) -> Lines:
    """The runs of all methods, added up."""
    found: Lines = {}
    for method in methods:
        for line in method.lines:
            of_file = found.setdefault(line.file, {})
            of_file[line.line] = of_file.get(line.line, 0) + line.runs
    return {file: dict(sorted(lines.items())) for file, lines in sorted(found.items())}


def branch_counts(methods: Iterable[MethodExploration], file: str) -> Branches:
    """Conditions of one line in their order."""
    found: dict[int, dict[int, tuple[int, int]]] = {}
    for method in methods:
        places: dict[int, int] = {}
        for branch in method.branches:
            if branch.file != file:
                continue
            number = places.get(branch.line, 0)
            places[branch.line] = number + 1
            of_line = found.setdefault(branch.line, {})
            held, failed = of_line.get(number, (0, 0))
            of_line[number] = (held + branch.held, failed + branch.failed)
    return {line: list(sides.values()) for line, sides in sorted(found.items())}


def file_coverage(methods: tuple[MethodExploration, ...]) -> list[FileCoverage]:
    """Each file that runs may come to, in the order of names."""
    return [
        FileCoverage(
            file,
            lines,
            branch_counts(methods, file),
            _members(methods, file),
            {c.line: c.member for m in methods for c in m.lines if c.file == file},
        )
        for file, lines in line_counts(methods).items()
    ]


def _members(methods: tuple[MethodExploration, ...], file: str) -> tuple[MemberCount, ...]:
    found: dict[tuple[int, str], int] = {}
    for method in methods:
        for count in method.members:
            if count.file == file:
                key = (count.line, count.member)
                found[key] = found.get(key, 0) + count.runs
    return tuple(
        [MemberCount(file, line, name, runs) for (line, name), runs in sorted(found.items())]
    )
