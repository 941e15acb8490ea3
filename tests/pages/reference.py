"""Pages of the reference that are made from the program itself.

`python -m tests.pages.reference` writes them; a test compares.
"""

from __future__ import annotations

import argparse
import re
from html import escape

from pitviper.cli.main import COMMANDS, full_parser, sub_parsers
from pitviper.results.catalogue import CONSTRUCTS, FRONT, REASONS, WARNINGS, Entry
from pitviper.results.examples import example_of
from pitviper.results.exit_code import EXPLANATION
from pitviper.views.ids import PAGE
from tests.pages.run import ROOT

FOLDER = ROOT / "docs" / "reference"
MADE = "<!-- made by `python -m tests.pages.reference`: do not edit -->"


def commands_page() -> str:
    """Every command with every option, as the parser knows them."""
    parsers = sub_parsers(full_parser())
    parts = [
        MADE,
        "# Commands and options",
        "`pitviper COMMAND --help` shows the options used most, `--help-all` what is here.",
        "```text\n" + EXPLANATION.rstrip() + "\n```",
    ]
    return "\n\n".join([*parts, *[_command(name, parsers[name]) for name in COMMANDS]]) + "\n"


def _command(name: str, parser: argparse.ArgumentParser) -> str:
    rows = [row for action in parser._actions for row in _row(action)]
    examples = re.search(r"examples:\n((?:  .*\n)+)", parser.format_help())
    shown = "" if examples is None else re.sub(r"^  ", "", examples[1], flags=re.MULTILINE)
    return "\n\n".join(
        [
            f"## pitviper {name}",
            " ".join((parser.description or "").split()),
            "\n".join(["| option | meaning |", "|---|---|", *rows]),
            f"```sh\n{shown.rstrip()}\n```",
        ]
    )


def _row(action: argparse.Action) -> list[str]:
    if action.help == argparse.SUPPRESS or "--help" in action.option_strings:
        return []
    values = "|".join(map(str, action.choices or ()))
    metavar = action.metavar if isinstance(action.metavar, str) else "VALUE"
    value = "" if action.nargs == 0 else f" {values or metavar}"
    names = ", ".join(action.option_strings)
    name = f"{names}{value}" if names else metavar if action.metavar else values
    meaning = " ".join((action.help or "").split())
    return [f"| `{_cell(name.strip())}` | {_cell(meaning)} |"]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def errors_page() -> str:
    """Every id, with what `pitviper explain` says."""
    parts = [
        MADE,
        "# Ids of errors",
        "The id of a failed check has two halves, `CONSTRUCT:REASON`: what was checked, and why\n"
        "it failed. `pitviper explain ID` tells the same in the terminal.",
        "## Constructs",
        *[_construct_entry(name) for name in CONSTRUCTS],
        "## Reasons",
        *[_entry(name, entry) for name, entry in REASONS.items()],
        "## Rejected programs",
        *[_entry(name, entry) for name, entry in FRONT.items()],
        "## Warnings, and what is no error of the program",
        *[_entry(name, entry) for name, entry in WARNINGS.items()],
    ]
    return "\n\n".join(parts) + "\n"


def _construct_entry(name: str) -> str:
    example = example_of(name)
    if example is None:
        return f"### {name}\n\n{CONSTRUCTS[name]}"
    return _entry(name, Entry(CONSTRUCTS[name], example.cure, example.bad, example.good))


def _entry(name: str, entry: Entry) -> str:
    return "\n\n".join(
        [
            f"### {name}",
            entry.meaning,
            f"**What to do.** {entry.cure}",
            *([f"A program that has it:\n\n```viper\n{entry.bad}\n```"] if entry.bad else []),
            *([f"The same without it:\n\n```viper\n{entry.good}\n```"] if entry.good else []),
        ]
    )


_LOOK = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;"
    "color:#1a1a1a;background:#fff}pre{background:#f3f3f3;padding:.6rem;overflow:auto}"
    "h3:target{background:#fff3c4}@media(prefers-color-scheme:dark){body{color:#e6e6e6;"
    "background:#1b1b1b}pre{background:#2a2a2a}h3:target{background:#5a4a00}}"
)


def ids_page() -> str:
    """The same as a page that is installed with the tool: ids in reports link to it."""
    groups = (
        ("Constructs", {name: _construct(name) for name in CONSTRUCTS}),
        ("Reasons", {name: _told(entry) for name, entry in REASONS.items()}),
        ("Rejected programs", {name: _told(entry) for name, entry in FRONT.items()}),
        ("Warnings", {name: _told(entry) for name, entry in WARNINGS.items()}),
    )
    lines = [
        "<!doctype html>",
        "<!-- made by `python -m tests.pages.reference`: do not edit -->",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Ids of Pitviper</title><style>{_LOOK}</style></head><body><main>",
        "<h1>Ids of errors</h1>",
        "<p>The id of a failed check has two halves, <code>CONSTRUCT:REASON</code>: what was "
        "checked, and why it failed. <code>pitviper explain ID</code> says the same.</p>",
    ]
    for title, entries in groups:
        lines.append(f"<h2>{title}</h2>")
        for name, texts in entries.items():
            lines += [f'<h3 id="{name}">{name}</h3>', *texts]
    return "\n".join([*lines, "</main></body></html>", ""])


def _construct(name: str) -> list[str]:
    example = example_of(name)
    if example is None:
        return [_words(CONSTRUCTS[name])]
    return _told(Entry(CONSTRUCTS[name], example.cure, example.bad, example.good))


def _told(entry: Entry) -> list[str]:
    programs = (("A program that has it", entry.bad), ("The same without it", entry.good))
    return [
        _words(entry.meaning),
        _words(f"What to do: {entry.cure}"),
        *[f"<p>{said}:</p><pre>{escape(text)}</pre>" for said, text in programs if text],
    ]


def _words(text: str) -> str:
    return "<p>" + re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text)) + "</p>"


PAGES = {"commands.md": commands_page, "errors.md": errors_page}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), encoding="utf-8")
    PAGE.write_text(ids_page(), encoding="utf-8")
