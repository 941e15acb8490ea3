"""What `--help` shows at first glance: what fits a small screen, and where the rest is.

The full text, with every option, is behind `--help-all`.
"""

from __future__ import annotations

import textwrap

from pitviper.base.record import record

LINES, COLUMNS = 24, 80
"""A terminal that nobody has made larger."""


@record
class Brief:
    """`usage` is behind the name of the command; options and examples are those used most."""

    usage: str
    options: tuple[tuple[str, str], ...] = ()
    examples: tuple[str, ...] = ()


_JSON = ("--format FORM", "text (default), json (an object a line) or sarif")
_SELECT = ("--select A,B", "only these members, and what they depend on")
_TIMEOUT = ("--timeout SECONDS", "time for the whole run")

BRIEFS = {
    "check": Brief(
        "FILE...",
        (_JSON, ("--strict", "recursive functions must be known to end"), _TIMEOUT),
        ("check list.vpr", "check --format sarif *.vpr > findings.sarif"),
    ),
    "format": Brief(
        "FILE...",
        (
            ("--check", "change nothing, say which files would change"),
            ("--diff", "change nothing, show what would change"),
        ),
        ("format list.vpr", "format --check *.vpr"),
    ),
    "verify": Brief(
        "FILE...",
        (
            _SELECT,
            ("--errors N", "show at most N errors of each member (default all)"),
            ("--quiet", "show nothing but findings"),
            ("--counterexample", "show a small state in which each failed check fails"),
            ("--watch", "verify again whenever a file changes"),
            ("--suggest", "try `fold` and `unfold` where permission is missing"),
            ("--fix", "write them into the program, after showing what changes"),
            ("--backend ENGINE", "symbolic (default), vcg, or both and compare"),
            _TIMEOUT,
            _JSON,
        ),
        ("verify --select append,length list.vpr",),
    ),
    "explore": Brief(
        "FILE",
        (
            ("--method NAME", "only this method; may be repeated"),
            ("--first", "end with the first failing input"),
            ("--seconds S", "time for each method"),
            ("--save-tests DIR", "keep failing inputs as tests for `pitviper replay`"),
            ("--html FILE", "a report with coverage"),
            _JSON,
        ),
        ("explore list.vpr", "explore --method insert --seconds 10 list.vpr"),
    ),
    "replay": Brief(
        "TEST...",
        (
            ("--step", "go through the run, forwards and backwards"),
            ("--dap", "let an editor go through the run"),
            _JSON,
        ),
        ("replay tests/insert-1.json", "replay --step tests/insert-1.json"),
    ),
    "wizard": Brief(
        "FILE",
        (
            ("--seconds S", "time for each method"),
            ("--html FILE", "the colours as a page"),
            _JSON,
        ),
        ("wizard list.vpr", "wizard --html colours.html list.vpr"),
    ),
    "counterexample": Brief(
        "FILE",
        (
            ("--svg FILE", "draw the heap; --png and --dot likewise"),
            ("--where CONDITION", "it must hold in the state; may be repeated"),
            ("--next N", "show N further states of different shapes"),
            ("--at LINE", "a state in which that line is reached, failing or not"),
            _JSON,
        ),
        ("counterexample list.vpr", "counterexample --svg state.svg list.vpr"),
    ),
    "debug": Brief(
        "FILE",
        (
            _SELECT,
            ("--commands SCRIPT", "commands from a file, - for standard input"),
            _TIMEOUT,
            _JSON,
        ),
        ("debug list.vpr", "debug --commands script.txt list.vpr"),
    ),
    "explain": Brief(
        "[ID]",
        (),
        ("explain assert.failed:insufficient.permission", "explain"),
    ),
    "suite": Brief(
        "DIR",
        (
            ("--jobs N", "run N programs at the same time"),
            ("--timeout SECONDS", "time for each program"),
            _JSON,
        ),
        ("suite tests/",),
    ),
    "fuzz": Brief(
        "",
        (("--minutes N", "end after N minutes"), ("--seed S", "which random programs")),
        ("fuzz --minutes 5 --seed 1",),
    ),
    "cache": Brief("info|clear", (("--cache DIR", "the folder"),), ("cache info", "cache clear")),
    "daemon": Brief("start|stop|status", (), ("daemon start", "daemon stop")),
    "lsp": Brief("", (), ("lsp",)),
    "report": Brief(
        "FILE --html OUT",
        (("--explore", "run the methods, too"), _TIMEOUT),
        ("report list.vpr --html list.html",),
    ),
    "serve": Brief(
        "[FOLDER]",
        (
            ("--port N", "port of this machine (default 7717)"),
            ("--no-browser", "print the link only"),
            ("--read-only", "nothing is saved"),
        ),
        ("serve", "serve list.vpr"),
    ),
    "mcp": Brief(
        "", (("--root DIR", "folder whose files may be read"),), ("mcp", "mcp --root proofs")
    ),
    "dap": Brief("", (), ("dap",)),
    "server": Brief(
        "--viper", (("--port N", "where to listen (default: a free port)"),), ("server --viper",)
    ),
    "tour": Brief(
        "[STEP]",
        (
            ("--write DIR", "write its programs into a folder, to try things with them"),
            ("--no-wait", "all steps at once"),
        ),
        ("tour", "tour 3", "tour --write tour"),
    ),
    "doctor": Brief("", (("--format FORM", "text (default) or json"),), ("doctor",)),
    "completion": Brief(
        "bash|zsh|fish",
        (),
        (
            'eval "$(pitviper completion bash)"',
            "completion fish > ~/.config/fish/completions/pitviper.fish",
        ),
    ),
}

FIRST = (
    ("verify", "does a program keep its promises?"),
    ("counterexample", "in which state does it not?"),
    ("debug", "why not? stand inside a failed proof"),
    ("explain", "what does the id of an error mean?"),
    ("explore", "which inputs make it fail? tests, coverage"),
    ("wizard", "verify and explore side by side"),
    ("check", "is this a well-typed program?"),
    ("format", "lay it out"),
    ("tour", "the whole in ten minutes"),
    ("doctor", "is everything there that is needed?"),
)

ALSO = {
    "replay": "a kept test",
    "suite": "many tests",
    "fuzz": "Pitviper itself",
    "cache": "answers",
    "daemon": "speed",
    "lsp": "editors",
    "serve": "browser",
    "report": "web page",
    "completion": "shells",
    "server": "ViperServer",
    "dap": "debuggers",
    "mcp": "agents",
}
"""What the other commands are for, in as few words as fit."""

EXIT_CODES = "exit codes: 0 fine, 1 findings, 2 wrong usage, 3 our fault, 4 undecided"


def brief_help(command: str, description: str) -> str:
    """Returns the first glance at a sub-command."""
    brief = BRIEFS.get(command, Brief("..."))
    told = textwrap.wrap(" ".join(description.split()), COLUMNS - 2)
    if "FILE" in brief.usage:
        told.append("FILE: a program, a folder of programs, or - for standard input")
    options = "[options] " if brief.options else ""
    lines = [f"usage: pitviper {command} {options}{brief.usage}".rstrip(), "", *told, ""]
    if brief.options:
        width = max(len(name) for name, _ in brief.options)
        lines += ["options:"]
        lines += [f"  {name:<{width}}  {text}" for name, text in brief.options]
        lines += [""]
    if brief.examples:
        lines += ["examples:", *[_example(text) for text in brief.examples], ""]
    lines += [EXIT_CODES]
    lines += [f"all options, more examples: pitviper {command} --help-all", ""]
    return "\n".join(lines)


def _example(text: str) -> str:
    return f"  {text}" if text.startswith("eval") else f"  pitviper {text}"


def overview(others: tuple[str, ...]) -> str:
    """Returns the first glance at the tool; `others` are commands with a word or two each."""
    width = max(len(name) for name, _ in FIRST)
    also = ", ".join([f"{name} ({ALSO[name]})" for name in others])
    return "\n".join(
        [
            "usage: pitviper COMMAND [options] ...",
            "",
            "A verifier, proof debugger and test generator for the Viper language.",
            "",
            *[f"  {name:<{width}}  {text}" for name, text in FIRST],
            "",
            *textwrap.wrap(f"also: {also}", COLUMNS - 2),
            "examples:",
            "  pitviper tour",
            "",
            EXIT_CODES,
            "pitviper COMMAND --help: about one command; pitviper --help-all: all commands",
            "",
        ]
    )
