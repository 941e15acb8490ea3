"""Coverage for Cobertura: XML as its DTD (coverage-04) wants it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pitviper.results.exploration import MemberCount, MethodExploration
from pitviper.views.coverage.totals import FileCoverage, file_coverage
from pitviper.views.paths import display_path

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">',
)


def cobertura_text(methods: tuple[MethodExploration, ...]) -> str:
    files = file_coverage(methods)
    covered, lines = _sum([file.covered(file.lines) for file in files])
    taken, sides = _sum([file.taken(file.lines) for file in files])
    rates = f'line-rate="{_rate(covered, lines)}" branch-rate="{_rate(taken, sides)}"'
    parts = [
        *HEAD,
        f'<coverage {rates} lines-covered="{covered}" lines-valid="{lines}" '
        f'branches-covered="{taken}" branches-valid="{sides}" complexity="0" version="1" '
        'timestamp="0">',
        "<sources><source>.</source></sources>",
        f'<packages><package name="viper" {rates} complexity="0"><classes>',
    ]
    for file in files:
        parts += _file(file)
    parts += ["</classes></package></packages>", "</coverage>"]
    return "\n".join(parts) + "\n"


def _file(file: FileCoverage) -> list[str]:
    shown = str(display_path(Path(file.file)))
    return [
        f"<class name={_quoted(Path(file.file).stem)} filename={_quoted(shown)} "
        f"{_rates(file, file.lines)}>",
        "<methods>",
        *[line for member in file.members for line in _member(file, member)],
        "</methods>",
        "<lines>",
        *[_line(file, line) for line in file.lines],
        "</lines>",
        "</class>",
    ]


def _member(file: FileCoverage, member: MemberCount) -> list[str]:
    own = file.lines_of(member.member)
    return [
        f'<method name={_quoted(member.member)} signature="" {_rates(file, own)}><lines>',
        *[_line(file, line) for line in own],
        "</lines></method>",
    ]


def _line(file: FileCoverage, line: int) -> str:
    hits, pairs = file.lines[line], file.branches.get(line, [])
    if not pairs:
        return f'<line number="{line}" hits="{hits}" branch="false"/>'
    taken, sides = file.taken([line])
    percent = round(100 * taken / sides)
    conditions = "".join(
        f'<condition number="{number}" type="jump" coverage="{50 * sum(1 for n in pair if n)}%"/>'
        for number, pair in enumerate(pairs)
    )
    return (
        f'<line number="{line}" hits="{hits}" branch="true" '
        f'condition-coverage="{percent}% ({taken}/{sides})">'
        f"<conditions>{conditions}</conditions></line>"
    )


def _rates(file: FileCoverage, lines: Iterable[int]) -> str:
    own = list(lines)
    line_rate, branch_rate = _rate(*file.covered(own)), _rate(*file.taken(own))
    return f'line-rate="{line_rate}" branch-rate="{branch_rate}" complexity="0"'


def _rate(part: int, whole: int) -> str:
    return f"{part / whole:.4f}" if whole else "1.0000"


def _sum(pairs: list[tuple[int, int]]) -> tuple[int, int]:
    return sum(a for a, _ in pairs), sum(b for _, b in pairs)


def _quoted(text: str) -> str:
    from xml.sax.saxutils import quoteattr  # it loads a library for networks: 25 ms

    return quoteattr(text)
