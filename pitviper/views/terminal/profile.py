"""Shows where the time of each member went, and which quantifiers kept the solver busy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pitviper.results.profile import MemberProfile
from pitviper.results.wording import spoken
from pitviper.source.span import SourceFile, Span
from pitviper.views.json.lines import JsonObject
from pitviper.views.terminal.style import visible

MEMBERS, PLACES, QUANTIFIERS = 10, 8, 8
"""How many of each are shown, the most expensive first."""

WIDTH = 60
"""Of the text of a source line."""


def profile_text(members: Sequence[MemberProfile], source: SourceFile) -> str:
    """The profile of one file; empty if nothing was verified."""
    if not members:
        return ""
    ordered = sorted(members, key=lambda m: -m.seconds)
    lines = _source_lines(source)
    parts = [f"\nProfile, the {min(MEMBERS, len(ordered))} members that took longest:"]
    for member in ordered[:MEMBERS]:
        parts += _member(member, lines, Span(source, 0, 0))
    rest = ordered[MEMBERS:]
    if rest:
        parts.append(f"\n  {len(rest)} further members: {sum(m.seconds for m in rest):.2f} s")
    parts += _barely(members, lines)
    return "\n".join(parts) + "\n"


def profile_objects(members: Sequence[MemberProfile]) -> Iterator[JsonObject]:
    """The same for machines, complete: one object for each member."""
    for m in members:
        yield {
            "kind": "profile",
            "member": m.member,
            "seconds": round(m.seconds, 6),
            "solver_seconds": round(m.solver_seconds, 6),
            "axiom_seconds": round(m.axiom_seconds, 6),
            "questions": m.questions,
            "resources": m.resources,
            "places": [
                {
                    "file": p.file,
                    "line": p.line,
                    "questions": p.questions,
                    "proved": p.proved,
                    "exhausted": p.exhausted,
                    "barely": p.barely,
                    "resources": p.resources,
                    "seconds": round(p.seconds, 6),
                }
                for p in m.places
            ],
            "quantifiers": [{"name": q.name, "instances": q.instances} for q in m.quantifiers],
        }


def _member(m: MemberProfile, lines: Mapping[tuple[str, int], str], at: Span) -> Iterator[str]:
    share = m.solver_seconds / m.seconds if m.seconds else 0.0
    yield (
        f"\n  {visible(m.member)}: {m.seconds:.2f} s, of it {share:.0%} in {m.questions} questions"
        f" to the solver ({m.resources:,} resources), {m.axiom_seconds:.2f} s for axioms"
    )
    if m.questions:
        yield f"    {'line':>6} {'questions':>9} {'at limit':>8} {'seconds':>8} {'resources':>12}"
    for p in m.places[:PLACES]:
        text = lines.get((p.file, p.line), p.file)
        part = f"{p.resources / m.resources:5.0%}" if m.resources else ""
        yield (
            f"    {p.line:>6} {p.questions:>9} {p.exhausted:>8} {p.seconds:>8.3f}"
            f" {p.resources:>12,} {part}  {visible(_cut(text))}"
        )
    if len(m.places) > PLACES:
        yield f"           {len(m.places) - PLACES} further lines"
    if m.quantifiers:
        yield f"    {'instances':>16}  quantifier"
    for q in m.quantifiers[:QUANTIFIERS]:
        yield f"    {q.instances:>16,}  {visible(spoken(q.name, at))}"
    rest = m.quantifiers[QUANTIFIERS:]
    if rest:
        yield f"    {sum(q.instances for q in rest):>16,}  {len(rest)} further quantifiers"


def _barely(
    members: Sequence[MemberProfile], lines: Mapping[tuple[str, int], str]
) -> Iterator[str]:
    """Proofs that hang by a thread, of all members, in the order of their places."""
    found = sorted({(p.file, p.line) for m in members for p in m.places if p.barely})
    if found:
        yield "\n  Proved with the last tenth of their limit, so easily lost after a change:"
    for file, line in found:
        yield f"    {line:>6}  {visible(_cut(lines.get((file, line), file)))}"


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}..."


def _source_lines(source: SourceFile) -> dict[tuple[str, int], str]:
    """The lines of the file itself; those of imported files are shown by their file's name."""
    texts = source.text.split("\n")
    return {(source.name, number): text for number, text in enumerate(texts, 1)}
