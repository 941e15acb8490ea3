"""The commands of the debugger: their names, their help, and how a line is taken apart."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable

from pitviper.base.record import record
from pitviper.debugger.commands import proof, show, tools
from pitviper.debugger.session import Debugger, NoObligation
from pitviper.debugger.tools import Unavailable
from pitviper.results.debugging import Listing, Note, Problem, Quit, Reply
from pitviper.solver.session import SolverTrouble

Replies = tuple[Reply, ...]
Run = Callable[[Debugger, str], Replies]


@record
class Command:
    """`names`: the long one first. `words` may follow it, for completion."""

    names: tuple[str, ...]
    usage: str
    summary: str
    run: Run
    words: tuple[str, ...] = ()
    takes_expression: bool = False


def run_command(debugger: Debugger, line: str) -> Replies:
    """Runs a line; never raises for bad input: a `Problem` says what is wrong, and where."""
    text = line.strip()
    if not text or text.startswith(("#", "//")):
        return ()
    name, _, rest = text.partition(" ")
    command = find(name)
    if command is None:
        return (_unknown(name, line),)
    if rest.strip() and not command.usage:
        start = line.index(rest.strip(), line.index(name) + len(name))
        return (Problem(f"nothing follows `{name}`", line, start, start + len(rest.strip())),)
    try:
        replies = command.run(debugger, rest.strip())
    except NoObligation:
        return (Problem("choose an error first: `choose 0`"),)
    except (Unavailable, SolverTrouble) as error:
        return (Problem(str(error)),)
    return tuple([_in_line(reply, line) for reply in replies])


def find(name: str) -> Command | None:
    """Returns a command by one of its names, or a beginning that only one long name has."""
    for command in COMMANDS:
        if name in command.names:
            return command
    close = [c for c in COMMANDS if c.names[0].startswith(name)]
    return close[0] if len(close) == 1 else None


def _unknown(name: str, line: str) -> Problem:
    close = [c.names[0] for c in COMMANDS if c.names[0].startswith(name)]
    hint = f": {', '.join(close)}?" if close else ": `help` lists all commands"
    start = line.find(name)
    return Problem(f"there is no command `{name}`{hint}", line, start, start + len(name))


def _in_line(reply: Reply, line: str) -> Reply:
    """Places in an expression as places in the whole line."""
    if isinstance(reply, Problem) and reply.line and reply.line in line and reply.line != line:
        shift = line.rfind(reply.line)
        return Problem(reply.message, line, reply.start + shift, reply.end + shift)
    return reply


def _help(_: Debugger, text: str) -> Replies:
    if text:
        command = find(text)
        if command is None:
            return (_unknown(text, text),)
        names = ", ".join(command.names)
        return (Listing(f"{names}  {command.usage}".rstrip(), (command.summary,)),)
    lines = [line for command in COMMANDS for line in _told(command)]
    return (Listing("commands", tuple([*lines, *_ABOUT_EXPRESSIONS])),)


_NAMES, _SUMMARY = 21, 48
"""Columns in the list of commands: longer names have a line of their own."""


def _told(command: Command) -> list[str]:
    head = _head(command)
    first, *rest = textwrap.wrap(command.summary, _SUMMARY)
    further = [f"{'':<{_NAMES}}  {line}" for line in rest]
    if len(head) <= _NAMES:
        return [f"{head:<{_NAMES}}  {first}", *further]
    return [head, f"{'':<{_NAMES}}  {first}", *further]


_ABOUT_EXPRESSIONS = (
    "",
    "E is an expression in the language of the program. `x@2` is a version of a",
    "variable, `old[debug@3](e)` the value of e in the state with that label",
    "(`show old`); variables without version are those in scope.",
)


def _head(command: Command) -> str:
    return f"{', '.join(command.names)} {command.usage}".rstrip()


def _quit(_: Debugger, __: str) -> Replies:
    return (Quit(),)


def _undo(debugger: Debugger, _: str) -> Replies:
    done = debugger.bench.undo()
    return (Note("undone"),) if done else (Problem("there is nothing to undo"),)


def _redo(debugger: Debugger, _: str) -> Replies:
    done = debugger.bench.redo()
    return (Note("done again"),) if done else (Problem("there is nothing to do again"),)


COMMANDS: tuple[Command, ...] = (
    Command(("errors", "e"), "", "list the failed obligations", show.errors),
    Command(("choose", "ch"), "N", "work on one of them", show.choose),
    Command(
        ("show", "s"),
        "[SECTION..]",
        "store, heap, old, branch, assumptions, axioms, goal or all",
        show.show,
        show.SECTIONS,
    ),
    Command(
        ("assert", "ass", "a"), "[E]", "set another goal and try it", proof.set_goal,
        takes_expression=True,
    ),
    Command(
        ("prove", "p"), "[E]", "try the goal, or an expression without changing the goal",
        proof.prove, takes_expression=True,
    ),
    Command(
        ("assume", "aa"), "E", "add an assumption without proof", proof.assume,
        takes_expression=True,
    ),
    Command(
        ("lemma", "l"), "E", "prove, then add as an assumption", proof.lemma,
        takes_expression=True,
    ),
    Command(("remove", "ra"), "IDS", "take assumptions away: 48,23 or 20-28", proof.remove),
    Command(("restore", "rs"), "IDS|all", "bring them back", proof.restore, ("all",)),
    Command(("reset", "r"), "", "back to the obligation as it was", proof.reset),
    Command(("undo", "u"), "", "take back the last change", _undo),
    Command(("redo",), "", "make it again", _redo),
    Command(("print", "pr"), "ID", "all about one assumption", show.print_node),
    Command(("find", "f"), "TEXT", "assumptions that mention a text", show.find),
    Command(
        ("config", "c"),
        "[internal on|off] [depth N] [depth ID N]",
        "what of the tree is shown",
        show.config,
        ("internal", "depth", "on", "off"),
    ),
    Command(
        ("solver", "so"),
        "[z3|cvc5] [limit N] [OPTION=VALUE..]",
        "which solver is asked, and how",
        tools.solver,
        ("z3", "cvc5", "limit"),
    ),
    Command(
        ("minimise", "min"), "[apply]", "a smallest set of assumptions that is enough",
        proof.minimise, ("apply",),
    ),
    Command(("why-not", "w"), "", "which part fails, what is missing", proof.why),
    Command(("suggest", "sg"), "", "assumptions and ghost statements that help", tools.suggest),
    Command(("path", "pa"), "[all]", "the steps that lead here", show.path, ("all",)),
    Command(
        ("goto", "g"),
        "STEP",
        "look at a step: a number, parent, child, next, previous, then, else, failure",
        show.goto,
        ("parent", "child", "next", "previous", "then", "else", "failure"),
    ),
    Command(("diff", "d"), "STEP STEP", "what differs between two states", show.diff),
    Command(("counterexample", "ce"), "", "a concrete failing state", tools.counterexample),
    Command(
        ("export", "x"), "smt|viper|trace [FILE]", "the query, a reduced program, all steps",
        tools.export, ("smt", "viper", "trace"),
    ),
    Command(("source", "src"), "[LINES]", "the program around the error", show.source),
    Command(("help", "h", "?"), "[COMMAND]", "this list, or one command", _help),
    Command(("quit", "q"), "", "end the session", _quit),
)  # fmt: skip


def names() -> Iterable[str]:
    return [command.names[0] for command in COMMANDS]


_WORD = re.compile(r"[A-Za-z0-9_$@#:.-]*$")


def completions(debugger: Debugger, line: str) -> tuple[str, ...]:
    """Returns commands first, then what the command takes: words, numbers, names, labels."""
    found = _WORD.search(line)
    word = found.group() if found is not None else ""
    name, space, _ = line.lstrip().partition(" ")
    if not space:
        return _beginning(word, names())
    command = find(name)
    if command is None:
        return ()
    try:
        return _beginning(word, _words(command, debugger))
    except (NoObligation, Unavailable):
        return _beginning(word, command.words)


def _words(command: Command, debugger: Debugger) -> Iterable[str]:
    if command.takes_expression:
        return ["old[", *debugger.bench.obligation.vocabulary()]
    match command.names[0]:
        case "choose":
            return [str(at) for at in range(len(debugger.obligations))]
        case "print" | "remove" | "restore":
            return [*command.words, *[str(node.id) for node in debugger.bench.nodes()]]
        case "help":
            return names()
        case _:
            return command.words


def _beginning(word: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """Those that begin with the word; a label may follow `old[`."""
    part = word.rpartition("[")[2]
    return tuple(dict.fromkeys([c for c in candidates if c.startswith(part)]))
