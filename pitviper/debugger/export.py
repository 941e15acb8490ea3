"""What a reader takes along: the present query as SMT-LIB text, the recorded steps as JSON."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator

from pitviper.debugger.steps import Steps
from pitviper.debugger.tools import Tools
from pitviper.debugger.workbench import Workbench
from pitviper.engines.symbolic.state import State
from pitviper.explain.recorder import Action, node_text, outcome_text
from pitviper.results.debugging import Problem
from pitviper.terms.build import negate
from pitviper.terms.term import TRUE


def smtlib_query(bench: Workbench, tools: Tools) -> str | Problem:
    """Returns axioms, assumptions with their texts, and the negated goal: unsat is proved."""
    goal = bench.setup.goal
    if goal.term is None:
        return Problem("this goal is about permissions: it has no single query")
    out = io.StringIO()
    log = tools.open_log(out)
    log.note(f"{bench.obligation.error.message}")
    log.note("axioms")
    for axiom in bench.obligation.axioms:
        log.add(axiom)
    texts = {node.id: node.final or node.description for node in bench.nodes()}
    for fact in bench.active():
        log.note(f"[{fact.id}] {texts.get(fact.id) or ''}")
        log.add(fact.term)
    for learnt in goal.learnt:
        log.note("learnt from the goal")
        log.add(learnt)
    log.note(f"goal: {goal.final or goal.text}")
    log.add(negate(goal.term))
    log.check("goal", bench.solver.limit)
    return out.getvalue()


def trace_lines(steps: Steps) -> Iterator[str]:
    """Gives one object a line: `{"kind": "state", ...}` and `{"kind": "step", ...}`."""
    writer = _Writer(steps)
    for number, parent, action in steps.actions():
        yield from writer.step(number, parent, action)


class _Writer:
    def __init__(self, steps: Steps) -> None:
        self._obligation = steps.obligation
        self._numbers: dict[int, int] = {}
        self._heaps: dict[int, list[str]] = {}
        self._written: set[int] = set()

    def step(self, number: int, parent: int | None, action: Action) -> Iterator[str]:
        states = [*([] if action.before is None else [action.before]), *action.after]
        for st in states:
            yield from self._state(st)
        line = action.node.span.line if action.node.span.file.text else None
        before = None if action.before is None else self._numbers[id(action.before)]
        yield _json(
            kind="step",
            step=number,
            parent=parent,
            rule=action.rule,
            text=node_text(action.node),
            line=line,
            outcome=outcome_text(action),
            before=before,
            after=[self._numbers[id(st)] for st in action.after],
        )

    def _state(self, st: State) -> Iterator[str]:
        if id(st) in self._numbers:
            return
        number = self._numbers[id(st)] = len(self._numbers)
        text = self._obligation.text
        heap = self._heaps.get(id(st.held))
        if heap is None:
            heap = self._heaps[id(st.held)] = [v.text for v in self._obligation.held(st.held)]
        new = []
        node = st.path
        while node.older is not None and id(node) not in self._written:
            self._written.add(id(node))
            if node.fact is not TRUE and self._obligation.final(node.fact) is not None:
                new.append(text(node.fact))
            node = node.older
        store = {name: text(value) for name, value in st.store.items()}
        yield _json(kind="state", state=number, store=store, heap=heap, learnt=new[::-1])


def _json(**parts: object) -> str:
    return json.dumps(parts, ensure_ascii=False)
