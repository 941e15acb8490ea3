"""Commands that need more than the obligation: other solvers, other runs, files."""

from __future__ import annotations

from pathlib import Path

from pitviper.base.file import write_file
from pitviper.base.record import replace
from pitviper.base.usage_error import UsageError
from pitviper.debugger.analyses import suggestions
from pitviper.debugger.export import smtlib_query, trace_lines
from pitviper.debugger.session import Debugger
from pitviper.debugger.tools import SolverSettings
from pitviper.results.debugging import (
    CounterexampleReply,
    Listing,
    Note,
    Outcome,
    Problem,
    ProofReply,
    Reply,
)

Replies = tuple[Reply, ...]


def solver(debugger: Debugger, text: str) -> Replies:
    if not text:
        return (Listing("solver", _told(debugger)),)
    settings = _settings(debugger.settings, text)
    if isinstance(settings, Problem):
        return (settings,)
    debugger.use_solver(settings)
    return Listing("solver", _told(debugger)), ProofReply(debugger.bench.prove())


def _settings(now: SolverSettings, text: str) -> SolverSettings | Problem:
    words = text.split()
    if words[0] in ("z3", "cvc5"):
        now = SolverSettings(words.pop(0))
    while words:
        word = words.pop(0)
        at = text.find(word)
        if word == "limit":
            if not words or not words[0].isdigit() or not 0 < int(words[0]) < 2**32:
                return Problem("a limit is a number of resources", text, at, at + len(word))
            now = replace(now, limit=int(words.pop(0)))
        elif "=" in word:
            name, _, value = word.lstrip("-").partition("=")
            now = replace(now, options=(*now.options, (name, value)))
        else:
            said = f"`{word}` is no solver and no option: z3, cvc5, limit N, NAME=VALUE"
            return Problem(said, text, at, at + len(word))
    return now


def _told(debugger: Debugger) -> tuple[str, ...]:
    settings, used = debugger.settings, debugger.bench.solver
    options = [f"{name}={value}" for name, value in settings.options]
    return (f"{used.name}, limit {used.limit}", *options)


def suggest(debugger: Debugger, _: str) -> Replies:
    bench = debugger.bench
    if bench.prove().outcome is Outcome.PROVED:
        return (Note("the goal is proved: there is nothing to suggest"),)
    lines = [f"assume {text}" for text in suggestions(bench)]
    if bench.obligation.lack() is not None and bench.setup.goal.original:
        lines += debugger.tools.ghost_statements(bench.obligation.error)
    if not lines:
        return (Note("nothing that was tried proves the goal"),)
    return (Listing("with one of these the goal is proved", tuple(lines)),)


def counterexample(debugger: Debugger, _: str) -> Replies:
    """Shows a counterexample of the goal as it is now, with the assumptions as they are."""
    bench = debugger.bench
    goal = bench.setup.goal
    if goal.term is None:
        return (Problem("this goal is about permissions: ask for a goal that is a fact"),)
    if bench.prove().outcome is Outcome.PROVED:
        return (Note("the goal is proved: it has no counterexample"),)
    path = bench.goal_path()
    found = debugger.tools.counterexample(debugger.current, path, goal.term, goal.text)
    return (CounterexampleReply(found),)


def export(debugger: Debugger, text: str) -> Replies:
    kind, _, target = text.partition(" ")
    match kind:
        case "smt" | "smtlib":
            written: str | Problem = smtlib_query(debugger.bench, debugger.tools)
        case "viper" | "vpr":
            written = debugger.tools.reduced_program(debugger.current)
        case "trace":
            written = _trace(debugger)
        case _:
            known = "`export smt`, `export viper` or `export trace`, and a file if you like"
            return (Problem(f"use {known}", text, 0, len(text)),)
    if isinstance(written, Problem):
        return (written,)
    if not target.strip():
        return (Listing("", tuple(written.splitlines()), plain=True),)
    return (_write(Path(target.strip()), written),)


def _trace(debugger: Debugger) -> str | Problem:
    steps = debugger.steps
    if steps is None:
        return Problem("this obligation has no recorded steps")
    return "".join([f"{line}\n" for line in trace_lines(steps)])


def _write(path: Path, text: str) -> Reply:
    try:
        write_file(path, text)
    except UsageError as error:
        return Problem(str(error))
    return Note(f"written to {path}")
