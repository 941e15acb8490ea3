"""Programs of the debugger's tutorial, opened, and answers as texts."""

from __future__ import annotations

from pathlib import Path

from pitviper.driver.debug.debugging import DebugSession, open_debugger
from pitviper.results.debugging import NodeReply, Problem, ProofReply
from pitviper.views.terminal.debugger import DebuggerView, Shown
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.style import plain

PROGRAMS = Path(__file__).parents[3] / "examples" / "debugger"


def opened(name: str) -> DebugSession:
    return open_debugger(PROGRAMS / f"{name}.vpr")


def said(session: DebugSession, line: str) -> str:
    """The answers as the terminal shows them, without colours."""
    replies = session.execute(line)
    assert session.debugger is not None
    config = session.debugger.config
    view = DebuggerView(Page(plain), Shown(config.internal, config.depth, config.depths))
    return "".join([view.text(reply) for reply in replies])


def outcome(session: DebugSession, line: str) -> str:
    """What became of the goal."""
    reply = session.execute(line)[-1]
    assert isinstance(reply, ProofReply), reply
    return reply.proof.outcome.value


def problem(session: DebugSession, line: str) -> tuple[str, str]:
    """What is wrong with a line, and the part of it that is marked."""
    reply = session.execute(line)[-1]
    assert isinstance(reply, Problem), reply
    return reply.message, reply.line[reply.start : reply.end]


def ids(session: DebugSession, line: str) -> list[int]:
    """The numbers of the assumptions in an answer."""
    reply = next(r for r in session.execute(line) if isinstance(r, NodeReply))
    return [node.id for node in reply.nodes]
