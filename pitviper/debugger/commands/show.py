"""Commands that only look: at errors, sections, assumptions, steps and the program."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.debugger.session import Debugger, PrintConfig
from pitviper.debugger.steps import Steps
from pitviper.results.debugging import (
    DebugNode,
    Listing,
    NodeReply,
    Note,
    Problem,
    Reply,
    SourceReply,
)
from pitviper.terms.smtlib import text as smtlib_text

Replies = tuple[Reply, ...]

SECTIONS = ("store", "heap", "old", "branch", "assumptions", "axioms", "goal", "error", "all")
_ALL = ("error", "branch", "store", "heap", "old", "assumptions", "goal")


def errors(debugger: Debugger, _: str) -> Replies:
    return (debugger.errors(),)


def choose(debugger: Debugger, text: str) -> Replies:
    if not text:
        return (debugger.errors(),)
    if not text.isdigit():
        return (Problem(f"`{text}` is no number", text, 0, len(text)),)
    return (debugger.choose(int(text)),)


def show(debugger: Debugger, text: str) -> Replies:
    if not text:
        return (debugger.overview(),)
    chosen: list[str] = []
    at = 0
    for word in text.split():
        at = text.find(word, at)
        found = [name for name in SECTIONS if name.startswith(word)]
        if not found:
            known = ", ".join(SECTIONS)
            return (Problem(f"there is no section `{word}`: {known}", text, at, at + len(word)),)
        chosen += _ALL if found[0] == "all" else [found[0]]
    return (debugger.sections(tuple(dict.fromkeys(chosen))),)


def print_node(debugger: Debugger, text: str) -> Replies:
    node = _node(debugger, text)
    if isinstance(node, Problem):
        return (node,)
    found = debugger.bench.find(node.id)
    terms = () if found is None or found.term is None else (smtlib_text(found.term),)
    return (NodeReply((node,), terms, title="assumption"),)


def _node(debugger: Debugger, text: str) -> DebugNode | Problem:
    if not text.isdigit():
        said = f"`{text}` is no number" if text else "the number of an assumption is missing"
        return Problem(said, text, 0, len(text))
    found = next((node for node in debugger.bench.views() if node.id == int(text)), None)
    return found or Problem(f"there is no assumption {text}", text, 0, len(text))


def find(debugger: Debugger, text: str) -> Replies:
    if not text:
        return (Problem("a text to look for is missing"),)
    found = [
        replace(node, children=())
        for node in debugger.bench.views()
        if any(text in word for word in (node.description, node.original, node.final) if word)
    ]
    if not found:
        return (Note(f"no assumption mentions {text}"),)
    return (NodeReply(tuple(found), title=f"mention {text}"),)


def config(debugger: Debugger, text: str) -> Replies:
    words = text.split()
    match words:
        case []:
            pass
        case ["internal", "on" | "off" as value]:
            debugger.config = replace(debugger.config, internal=value == "on")
        case ["depth", depth] if depth.isdigit():
            debugger.config = replace(debugger.config, depth=int(depth))
        case ["depth", id_, depth] if id_.isdigit() and depth.isdigit():
            others = tuple([d for d in debugger.config.depths if d[0] != int(id_)])
            debugger.config = replace(debugger.config, depths=(*others, (int(id_), int(depth))))
        case _:
            usage = "config [internal on|off] [depth N] [depth ID N]"
            return (Problem(f"use it as `{usage}`", text, 0, len(text)),)
    return (Listing("configuration", _told(debugger.config)),)


def _told(config: PrintConfig) -> tuple[str, ...]:
    shown = "shown" if config.internal else "hidden"
    single = [f"depth of [{id_}]: {depth}" for id_, depth in config.depths]
    return (f"internal assumptions: {shown}", f"depth: {config.depth}", *single)


# ---------------------------------------------------------------- the recorded run


def path(debugger: Debugger, text: str) -> Replies:
    steps = _steps(debugger)
    if isinstance(steps, Problem):
        return (steps,)
    return (steps.whole() if text == "all" else steps.path(),)


def goto(debugger: Debugger, text: str) -> Replies:
    steps = _steps(debugger)
    if isinstance(steps, Problem):
        return (steps,)
    return (steps.go(text) if text else steps.at(),)


def diff(debugger: Debugger, text: str) -> Replies:
    steps = _steps(debugger)
    if isinstance(steps, Problem):
        return (steps,)
    match text.split():
        case [first, second]:
            return (steps.diff(first, second),)
        case [first]:
            return (steps.diff(first, str(steps.here)),)
        case _:
            return (Problem("two steps are expected: `diff 3 9`"),)


def _steps(debugger: Debugger) -> Steps | Problem:
    steps = debugger.steps
    return Problem("this obligation has no recorded steps") if steps is None else steps


def source(debugger: Debugger, text: str) -> Replies:
    if text and not text.isdigit():
        return (Problem(f"`{text}` is no number of lines", text, 0, len(text)),)
    error = debugger.current
    return (SourceReply(error.offending or error.span, int(text or 5)),)
