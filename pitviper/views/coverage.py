"""Coverage of explorations for other tools: LCOV and Cobertura files."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import quoteattr

from pitviper.results.exploration import MethodExploration

Lines = dict[str, dict[int, int]]
"""By file: how many runs came to each line."""


def line_counts(methods: Iterable[MethodExploration]) -> Lines:
    """The runs of all methods, added up."""
    found: Lines = {}
    for method in methods:
        for line in method.lines:
            of_file = found.setdefault(line.file, {})
            of_file[line.line] = of_file.get(line.line, 0) + line.runs
    return {file: dict(sorted(lines.items())) for file, lines in sorted(found.items())}


def _branches(methods: Iterable[MethodExploration], file: str) -> dict[int, list[tuple[int, int]]]:
    """By line: the two sides of each branch; branches of one line in their order."""
    found: dict[int, dict[int, tuple[int, int]]] = {}
    for method in methods:
        places: dict[int, int] = {}
        for branch in method.branches:
            if branch.file != file:
                continue
            number = places.get(branch.line, 0)
            places[branch.line] = number + 1
            of_line = found.setdefault(branch.line, {})
            jumped, on = of_line.get(number, (0, 0))
            of_line[number] = (jumped + branch.jumped, on + branch.went_on)
    return {line: list(sides.values()) for line, sides in sorted(found.items())}


def lcov_text(methods: tuple[MethodExploration, ...]) -> str:
    parts = []
    for file, lines in line_counts(methods).items():
        parts += ["TN:pitviper", f"SF:{file}"]
        branches = _branches(methods, file)
        found = hit = 0
        for line, sides in branches.items():
            for number, pair in enumerate(sides):
                for side, runs in enumerate(pair):
                    taken = runs if sum(pair) else "-"
                    parts.append(f"BRDA:{line},{number},{side},{taken}")
                    found += 1
                    hit += runs > 0
        parts += [f"BRF:{found}", f"BRH:{hit}"]
        parts += [f"DA:{line},{runs}" for line, runs in lines.items()]
        covered = sum(1 for runs in lines.values() if runs)
        parts += [f"LF:{len(lines)}", f"LH:{covered}", "end_of_record"]
    return "\n".join(parts) + "\n"


def cobertura_text(methods: tuple[MethodExploration, ...]) -> str:
    counts = line_counts(methods)
    total = sum(len(lines) for lines in counts.values())
    covered = sum(1 for lines in counts.values() for runs in lines.values() if runs)
    rate = covered / total if total else 1.0
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">',
        f'<coverage line-rate="{rate:.4f}" branch-rate="0" lines-covered="{covered}" '
        f'lines-valid="{total}" branches-covered="0" branches-valid="0" complexity="0" '
        'version="1" timestamp="0">',
        "<sources><source>.</source></sources>",
        f'<packages><package name="viper" line-rate="{rate:.4f}" branch-rate="0" complexity="0">',
        "<classes>",
    ]
    for file, lines in counts.items():
        own = sum(1 for runs in lines.values() if runs) / len(lines)
        name = quoteattr(file)
        parts.append(
            f"<class name={name} filename={name} "
            f'line-rate="{own:.4f}" branch-rate="0" complexity="0"><methods/><lines>'
        )
        parts += [f'<line number="{line}" hits="{runs}"/>' for line, runs in lines.items()]
        parts.append("</lines></class>")
    parts += ["</classes></package></packages>", "</coverage>"]
    return "\n".join(parts) + "\n"
