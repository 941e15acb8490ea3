"""`pitviper explain`: what the id of an error means."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from pitviper.base.similar import nearest
from pitviper.base.usage_error import UsageError
from pitviper.cli.output import stdout
from pitviper.results.catalogue import CONSTRUCTS, FRONT, REASONS, WARNINGS, Entry, known_ids
from pitviper.results.examples import example_of
from pitviper.results.exit_code import ExitCode
from pitviper.results.object_examples import OBJECT_CONSTRUCTS, OBJECT_EXAMPLES
from pitviper.results.wording import meant_error
from pitviper.views.terminal.paragraph import paragraph, words_of


def run(arguments: argparse.Namespace) -> ExitCode:
    lines = _all() if arguments.id is None else _about(arguments.id.strip("[]"))
    for line in lines:
        stdout.write_line(line)
    return ExitCode.FINE


def _all() -> Iterator[str]:
    yield "An id is CONSTRUCT:REASON, what was checked and why it failed; or stands alone."
    for title, ids in (
        ("construct", CONSTRUCTS),
        ("reason", REASONS),
        ("rejected", FRONT),
        ("other", WARNINGS),
    ):
        yield ""
        yield f"{title}:"
        yield from _wrapped(", ".join(ids), indent=2)


def _about(wanted: str) -> list[str]:
    shown, _, reason = wanted.partition(":")
    construct = meant_error(shown)
    lines = [wanted]
    alone = FRONT | WARNINGS
    if wanted in alone:
        return lines + _entry(alone[wanted])
    if not reason and construct in REASONS:
        construct, reason = "", construct
    if (construct and construct not in CONSTRUCTS) or (reason and reason not in REASONS):
        raise UsageError(_unknown(wanted))
    own = OBJECT_CONSTRUCTS.get(shown)
    if construct:
        lines += ["", *_wrapped(own.meaning if own else CONSTRUCTS[construct])]
    example = own.example if own else example_of(construct)
    if own is not None and reason and own.example.reason != reason:
        return lines + _entry(Entry(REASONS[reason].meaning, REASONS[reason].cure, "", ""))
    if reason and (example is None or example.reason != reason):
        return lines + _entry(REASONS[reason])
    if example is None:
        return lines
    meant, cure = "", example.cure
    if reason:
        meant, cure = REASONS[reason].meaning, REASONS[reason].cure
    lines += _entry(Entry(meant, cure, example.bad, example.good))
    objects = OBJECT_EXAMPLES.get(shown)
    if objects is None or (reason and objects.reason != reason):
        return lines
    lines += _example("In the object language (`.cool`), a program that has it:", objects.bad)
    return lines + _example("The same without it:", objects.good)


def _unknown(wanted: str) -> str:
    halves = [half for half in wanted.split(":") if half not in known_ids()]
    close = [match for half in halves if (match := nearest(half, known_ids(), 0.5))]
    hint = f"did you mean {close[0]}?" if close else "`pitviper explain` lists all ids"
    return f"there is no id {wanted}: {hint}"


def _entry(entry: Entry) -> list[str]:
    return [
        *(["", *_wrapped(entry.meaning)] if entry.meaning else []),
        "",
        "What to do:",
        *_wrapped(entry.cure, indent=2),
        *_example("A program that has it:", entry.bad),
        *_example("The same without it:", entry.good),
    ]


def _wrapped(text: str, indent: int = 0) -> list[str]:
    """Lines of the terminal's width, which end between words and between pieces of code."""
    return [" " * indent + line for line in paragraph(words_of(text), stdout.columns(), indent)]


def _example(title: str, program: str) -> list[str]:
    return ["", title, *[f"  {line}" for line in program.splitlines()]] if program else []
