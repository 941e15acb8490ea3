"""What may be typed next."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pitviper.debugger.commands import grammar
from pitviper.debugger.session import Debugger, NoObligation
from pitviper.debugger.tools import Unavailable

_WORD = re.compile(r"[A-Za-z0-9_$@#:.-]*$")


def completions(debugger: Debugger, line: str) -> tuple[str, ...]:
    """Commands first, then what the command takes: words, numbers, names, versions, labels."""
    found = _WORD.search(line)
    word = found.group() if found is not None else ""
    name, space, _ = line.lstrip().partition(" ")
    if not space:
        return _beginning(word, grammar.names())
    command = grammar.find(name)
    if command is None:
        return ()
    try:
        return _beginning(word, _words(command, debugger))
    except (NoObligation, Unavailable):
        return _beginning(word, command.words)


def _words(command: grammar.Command, debugger: Debugger) -> Iterable[str]:
    if command.takes_expression:
        return ["old[", *debugger.bench.obligation.vocabulary()]
    match command.names[0]:
        case "choose":
            return [str(at) for at in range(len(debugger.obligations))]
        case "print" | "remove" | "restore":
            return [*command.words, *[str(node.id) for node in debugger.bench.nodes()]]
        case "help":
            return grammar.names()
        case _:
            return command.words


def _beginning(word: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """Those that begin with the word; a label may follow `old[`."""
    part = word.rpartition("[")[2]
    return tuple(dict.fromkeys([c for c in candidates if c.startswith(part)]))
