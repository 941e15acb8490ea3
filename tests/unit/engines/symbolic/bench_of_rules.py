"""What a test of one rule needs: a small program, a state, a solver that answers from a table."""

from __future__ import annotations

from collections.abc import Mapping

from pitviper.encoding.symbols import Symbols
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Chunk, Heap, field_resource, predicate_resource
from pitviper.engines.symbolic.options import Options
from pitviper.engines.symbolic.services import Log, Obligation, Services
from pitviper.engines.symbolic.state import State
from pitviper.explain import findings
from pitviper.program.assertion import Access, FieldLocation, PredicateLocation
from pitviper.program.callgraph import call_graph
from pitviper.program.expr import FieldRead, PermConstant, PermLit, Var
from pitviper.program.member import Field, Function, Method, Predicate, Program
from pitviper.program.types import BOOL, INT, REF
from pitviper.solver.session import PROVED
from pitviper.terms import build as tb
from pitviper.terms.sort import REF as REF_SORT
from pitviper.terms.supply import Supply
from pitviper.terms.term import Term
from tests.unit.solver.replies import Replies

X, Y, B = Var("x", REF), Var("y", REF), Var("b", BOOL)
N = Var("n", INT)
WRITE = PermLit(PermConstant.WRITE)
X_F = FieldRead(X, "f", INT)
ACC_X_F = Access(FieldLocation(X, "f"), WRITE)

x, y = tb.constant("x", REF_SORT), tb.constant("y", REF_SORT)
n, b = tb.constant("n", tb.integer(0).sort), tb.constant("b", tb.TRUE.sort)
v = tb.constant("v", tb.integer(0).sort)
STORE: Mapping[str, Term] = {"x": x, "y": y, "n": n, "b": b}

CELL = Predicate("cell", (X,), ACC_X_F)
ACC_CELL = Access(PredicateLocation("cell", (X,)), WRITE)


def program(*members: Function | Method) -> Program:
    return Program(
        fields={"f": Field("f", INT)},
        methods={m.name: m for m in members if isinstance(m, Method)},
        functions={m.name: m for m in members if isinstance(m, Function)},
        predicates={"cell": CELL},
        domains={},
        adts={},
    )


def context(*proved: Term, of: Program | None = None) -> Context:
    """A context whose solver proves just these goals, and what stands on the path."""
    known = of or program()
    solver = Replies({goal: PROVED for goal in proved})
    services = Services(
        known, Symbols(known), solver, call_graph(known), Options(), "m", Supply(), Log(), findings
    )
    return Context(services, Obligation("assert.failed", X))


def codes(cx: Context) -> list[str]:
    return [finding.id for finding in cx.services.log.findings.values()]


def holding(*chunks: Chunk) -> State:
    heap = Heap()
    for chunk in chunks:
        heap = heap.adding(chunk)
    return State(STORE, heap)


def field_chunk(receiver: Term = x, value: Term = v, amount: Term = tb.WRITE) -> Chunk:
    return Chunk(field_resource("f"), (receiver,), value, amount)


def cell_chunk(snap: Term) -> Chunk:
    return Chunk(predicate_resource("cell"), (x,), snap, tb.WRITE)


def facts(st: State) -> list[Term]:
    return [entry.fact for entry in st.path]
