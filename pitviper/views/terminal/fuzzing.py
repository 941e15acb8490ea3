"""What a search for mistakes of ours has found, for people."""

from __future__ import annotations

from collections.abc import Mapping

from pitviper.results.fuzzing import Contradiction, Fuzzed, Kind
from pitviper.version import VERSION


def contradiction_line(found: Contradiction) -> str:
    return f"{found.kind.value.upper()} case {found.case}: {found.said} [{found.origin}]"


def report_text(found: Contradiction, seed: int) -> str:
    """A program with all that somebody needs who looks into it: ready to be filed."""
    lines = [
        f"// {found.kind.value}: {found.said}",
        f"// made by {found.origin}, pitviper {VERSION}",
        f"// again: pitviper fuzz --seed {seed} --first {found.case} --cases 1",
    ]
    return "\n".join([*lines, found.text])


def summary_text(done: Fuzzed) -> str:
    """Counts by generator and by oracle, and how many contradictions of each kind there are."""
    kinds = {kind.value: sum(c.kind is kind for c in done.contradictions) for kind in Kind}
    signatures: dict[str, int] = {}
    for found in done.contradictions:
        signatures[found.signature] = signatures.get(found.signature, 0) + 1
    lines = [
        f"seed {done.seed}: {done.judged} programs of {done.cases} cases in {done.seconds:.0f} s",
        *_table("programs by generator", done.programs),
        *_table("comparisons by oracle", done.oracles),
        *_table("verdicts", done.verdicts),
        *_table("contradictions", kinds),
        *_table("contradictions by what was said", signatures),
    ]
    if done.late:
        lines.append(f"not finished in their time: cases {', '.join(map(str, done.late))}")
    return "\n".join([*lines, ""])


def _table(title: str, counts: Mapping[str, int]) -> list[str]:
    if not counts:
        return []
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return [f"{title}:", *[f"  {count:7}  {name}" for name, count in ordered]]
