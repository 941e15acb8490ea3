"""Commands that change the obligation, or ask the solver about it."""

from __future__ import annotations

import re

from pitviper.debugger.analyses import minimal, why_not
from pitviper.debugger.obligations.obligation import Fact, Goal, Read
from pitviper.debugger.session import Debugger
from pitviper.debugger.workbench import Workbench
from pitviper.results.debugging import (
    DebugNode,
    Listing,
    NodeReply,
    Note,
    Outcome,
    Problem,
    ProofReply,
    Reply,
)
from pitviper.solver.session import SPLIT
from pitviper.terms.term import FALSE, Term

Replies = tuple[Reply, ...]


def set_goal(debugger: Debugger, text: str) -> Replies:
    """Sets another goal; without an expression, that of the obligation again."""
    bench = debugger.bench
    if not text:
        bench.set_goal(bench.obligation.goal)
        return prove(debugger, "")
    goal = _goal(bench, text)
    if isinstance(goal, Problem):
        return (goal,)
    bench.set_goal(goal)
    return prove(debugger, "")


def prove(debugger: Debugger, text: str) -> Replies:
    """Tries the goal, or an expression; the goal stays what it is."""
    bench = debugger.bench
    other = _goal(bench, text) if text else None
    return (other,) if isinstance(other, Problem) else (ProofReply(bench.prove(other)),)


def _goal(bench: Workbench, text: str) -> Goal | Problem:
    read = bench.read(text)
    if isinstance(read, Problem):
        return read
    return Goal(text, read.final, read.term, read.formula, read.learnt)


def assume(debugger: Debugger, text: str) -> Replies:
    """Adds an assumption without proof, unless it contradicts what is known."""
    bench = debugger.bench
    read = _pure(bench, text)
    if isinstance(read, Problem):
        return (read,)
    assert read.term is not None
    facts = (*read.learnt, read.term)
    if bench.is_inconsistent(*facts):
        return _contradiction(bench, facts)
    node = bench.add(read, "assumed")
    view = [n for n in bench.tree() if n.id == node.id]
    return NodeReply(tuple(view), title="added"), ProofReply(bench.prove())


def _contradiction(bench: Workbench, facts: tuple[Term, ...]) -> Replies:
    if bench.is_inconsistent():
        told = "what is known contradicts itself already: everything follows from it"
        return (Note(f"not added: {told}", warning=True),)
    culprits = _enough(bench, FALSE, facts)
    told = "not added: this contradicts what is known, and everything would follow from it"
    return Note(told, warning=True), NodeReply(_views(bench, culprits), title="contradicted")


def lemma(debugger: Debugger, text: str) -> Replies:
    bench = debugger.bench
    read = _pure(bench, text)
    if isinstance(read, Problem):
        return (read,)
    assert read.term is not None
    answer = bench.ask(read.term, bench.path().assume_all(read.learnt))
    if not answer.proved:
        more = " (the solver gave up)" if answer.exhausted else ""
        return (Note(f"not proved, so not added{more}: {read.final or text}", warning=True),)
    node = bench.add(read, "lemma")
    view = [n for n in bench.tree() if n.id == node.id]
    return NodeReply(tuple(view), title="proved and added"), ProofReply(bench.prove())


def _pure(bench: Workbench, text: str) -> Read | Problem:
    if not text:
        return Problem("an expression is missing")
    read = bench.read(text)
    if isinstance(read, Read) and read.term is None:
        return Problem(_only_facts(bench), text, 0, len(text))
    return read


def _only_facts(bench: Workbench) -> str:
    """NOTE(permissions). The recorded states are what the verifier had: what it did behind them, it
    would have done in another way with more permission. So that has to be verified anew."""
    line = bench.obligation.error.span.line
    return (
        "permissions cannot be assumed here, only facts: with more of them the run itself would be"
        f" another; write `inhale` with this assertion before line {line}, and debug again"
    )


def remove(debugger: Debugger, text: str) -> Replies:
    bench = debugger.bench
    ids = _ids(bench, text)
    if isinstance(ids, Problem):
        return (ids,)
    before = len(bench.active())
    bench.remove(ids)
    count = before - len(bench.active())
    return Note(f"removed {_facts(count)}"), ProofReply(bench.prove())


def restore(debugger: Debugger, text: str) -> Replies:
    bench = debugger.bench
    ids = bench.setup.removed if text == "all" else _ids(bench, text)
    if isinstance(ids, Problem):
        return (ids,)
    before = len(bench.active())
    bench.restore(ids)
    count = len(bench.active()) - before
    return Note(f"restored {_facts(count)}"), ProofReply(bench.prove())


def _facts(count: int) -> str:
    return "1 fact" if count == 1 else f"{count} facts"


def reset(debugger: Debugger, _: str) -> Replies:
    debugger.bench.reset()
    return Note("the obligation is as it was"), debugger.overview()


_RANGE = re.compile(r"(\d+)(?:\s*-\s*(\d+))?")


def _ids(bench: Workbench, text: str) -> frozenset[int] | Problem:
    """`48,23` or `20-28`; unknown ones are refused."""
    known = {node.id for node in bench.nodes()}
    found: set[int] = set()
    if not text:
        return Problem("numbers of assumptions are missing: `show assumptions` has them")
    at = 0
    for piece in re.split(r"[,\s]+", text):
        at = text.find(piece, at)
        match = _RANGE.fullmatch(piece)
        if match is None:
            return Problem(f"`{piece}` is no number", text, at, at + len(piece))
        low, high = int(match[1]), int(match[2] or match[1])
        wanted = range(low, high + 1) if high - low < 100_000 else range(0)
        ids = [id_ for id_ in wanted if id_ in known]
        if not ids or (match[2] is None and low not in known):
            return Problem(f"there is no assumption {piece}", text, at, at + len(piece))
        found.update(ids)
    return frozenset(found)


# ---------------------------------------------------------------- analysis


def minimise(debugger: Debugger, text: str) -> Replies:
    bench = debugger.bench
    goal = bench.setup.goal.term
    if goal is None:
        return (Problem("this goal is about permissions: it has no single query"),)
    if bench.prove().outcome is not Outcome.PROVED:
        return (Problem("the goal is not proved: nothing can be left out"),)
    needed = _enough(bench, goal, bench.setup.goal.learnt)
    verb = "is" if len(needed) == 1 else "are"
    title = f"{_facts(len(needed))} of {len(bench.active())} {verb} enough"
    if text == "apply":
        kept = {fact.id for fact in needed}
        bench.remove(frozenset([f.id for f in bench.active() if f.id not in kept]))
        title += ", the others are removed"
    return (NodeReply(_views(bench, needed), title=title),)


def _enough(bench: Workbench, goal: Term, more: tuple[Term, ...] = ()) -> list[Fact]:
    """Facts that, with some more, prove a goal; as few as can be."""
    limit = min(bench.solver.limit, SPLIT)
    session = bench.solver.session

    def enough(facts: list[Fact]) -> bool:
        path = bench.path(facts).assume_all(more)
        return session.entails(path, goal, limit, "minimise").proved

    facts = bench.active()
    return minimal(facts, enough) if enough(facts) else facts


def _views(bench: Workbench, facts: list[Fact]) -> tuple[DebugNode, ...]:
    wanted = {fact.id for fact in facts}
    return tuple([node for node in bench.views() if node.id in wanted])


def why(debugger: Debugger, _: str) -> Replies:
    bench = debugger.bench
    proof = bench.prove()
    if proof.outcome is Outcome.PROVED:
        return (Note("the goal is proved"),)
    return (Listing("why not", why_not(bench)),)
