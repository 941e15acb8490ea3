"""The present query as SMT-LIB text that any solver can be asked."""

from __future__ import annotations

import io

from pitviper.debugger.workbench import Workbench
from pitviper.results.debugging import Problem
from pitviper.solver.recording import Log
from pitviper.solver.z3.options import Z3Options
from pitviper.terms.build import negate


def smtlib_query(bench: Workbench) -> str | Problem:
    """Axioms, assumptions with their texts as comments, and the negated goal: unsat is proved."""
    goal = bench.setup.goal
    if goal.term is None:
        return Problem("this goal is about permissions: it has no single query")
    out = io.StringIO()
    log = Log(out, Z3Options().settings())
    log.note(f"{bench.obligation.error.message}")
    log.note("axioms")
    for axiom in bench.obligation.axioms:
        log.add(axiom)
    texts = {node.id: node.final or node.description for node in bench.nodes()}
    for fact in bench.active():
        log.note(f"[{fact.id}] {texts.get(fact.id) or ''}")
        log.add(fact.term)
    log.note(f"goal: {goal.final or goal.text}")
    log.add(negate(goal.term))
    log.check("goal", bench.solver.limit)
    return out.getvalue()
