"""Viper's statements as instructions: jumps, loops with their frames, and the simple ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING

from pitviper.base.record import replace
from pitviper.engines.explore.model.term import Fresh, Literal, Local, Operation, Term
from pitviper.engines.explore.model.types import RATIONAL, SCALARS, is_token
from pitviper.engines.explore.notes import INVARIANT
from pitviper.engines.explore.options import Loops
from pitviper.engines.explore.viper import assertions, calls, predicates, quantifiers, wands
from pitviper.engines.explore.viper import expressions as rules
from pitviper.engines.explore.viper.definedness import is_total
from pitviper.engines.explore.viper.emitter import (
    NOTHING,
    TRUE,
    Emitter,
    Obligation,
    Place,
    Scope,
    boolean,
    negated,
    text,
)
from pitviper.engines.explore.viper.types import model_type
from pitviper.engines.shared.failures import about_fold
from pitviper.program import assertion as pa
from pitviper.program import stmt as ps
from pitviper.program.assertion import Assertion, FieldLocation
from pitviper.program.cfg import flow_graph, jumped_over
from pitviper.program.expr import CurrentPerm, ForPerm, Var
from pitviper.program.member import Method
from pitviper.program.node import Node
from pitviper.program.pairs import held_when_given
from pitviper.program.walk import assigned_variables, descendants

if TYPE_CHECKING:
    from pitviper.engines.explore.viper.program import Translation


FULL = Literal(Fraction(1), RATIONAL)
NONE = Literal(Fraction(0), RATIONAL)


class Body:
    """The body of one method, or a script: where its labels are, and which loops are around."""

    def __init__(
        self, method: Method, out: Emitter, tr: Translation, block: ps.Block | None = None
    ) -> None:
        self._method = method
        self._out = out
        self._tr = tr
        self._places: dict[str, Place] = {}
        self._around: dict[str, tuple[int, ...]] = {}
        self._loops: list[tuple[int, Local]] = []
        self._numbers = 0
        self._visible: list[Local] = []
        assert method.body is not None
        self._block = block or method.body
        self._find_labels(self._block, ())

    def lower(self, sc: Scope) -> Scope:
        names = {
            s.variable.name: calls.variable(s.variable)
            for s in descendants(self._block)
            if isinstance(s, ps.Declare)
        }
        self._visible = [n for n in sc.names.values() if isinstance(n, Local)]
        sc = sc.binding(names)
        for variable in jumped_over(self._block):
            self._havoc(variable)
        self._statement(self._block, sc)
        return sc

    def _find_labels(self, s: ps.Stmt, around: tuple[int, ...]) -> None:
        """The loops around each label, by the order in which loops are met."""
        match s:
            case ps.Block(statements):
                for part in statements:
                    self._find_labels(part, around)
            case ps.If(_, then, otherwise):
                self._find_labels(then, around)
                self._find_labels(otherwise, around)
            case ps.While():
                self._find_labels(s.body, (*around, id(s)))
            case ps.Label(name):
                self._places[name] = Place()
                self._around[name] = around
            case _:
                pass

    def _obligation(self, error: str, s: ps.Stmt, *parts: str | Node) -> Obligation:
        return Obligation(error, s.span, self._method.name, parts)

    def _about(self, error: str, assertion: Assertion) -> Obligation:
        return Obligation(error, assertion.span, self._method.name)

    def _statement(self, s: ps.Stmt, sc: Scope) -> None:  # noqa: C901, PLR0915 - table of contents
        out, tr = self._out, self._tr
        if not isinstance(s, ps.Block):
            out.span = s.span
        match s:
            case ps.Block(statements):
                outer = len(self._visible)
                for part in statements:
                    self._statement(part, sc)
                del self._visible[outer:]
            case ps.Declare(variable):
                self._havoc(variable)
                self._visible.append(calls.variable(variable))
            case ps.LocalAssign(target, value):
                inner = sc.proving(self._obligation("assignment.failed", s))
                out.assign(calls.variable(target), rules.lower(value, inner, out, tr))
            case ps.FieldAssign():
                self._field_assign(s, sc.proving(self._obligation("assignment.failed", s)))
            case ps.New(target, fields):
                to, known = calls.variable(target), self._with_objects()
                out.native("heap.new", sc.heap, text(",".join(fields)), *known, to=(to,))
            case ps.MethodCall():
                calls.call(s, sc, out, tr)
            case ps.Inhale(assertion):
                inner = sc.proving(self._about("inhale.failed", assertion))
                assertions.transfer(assertion, inner, assertions.Gain(sc.heap), out, tr)
                calls.note_gain((assertion,), sc.heap, out, tr)
            case ps.Exhale(assertion):
                inner = sc.proving(self._about("exhale.failed", assertion))
                assertions.exhale(assertion, inner, out, tr)
            case ps.Assert(assertion):
                inner = sc.proving(self._about("assert.failed", assertion))
                assertions.check_only(assertion, inner, out, tr)
            case ps.Cut(assertion):
                self._cut(assertion, sc)
            case ps.Fold(location, share):
                error, node, parts = about_fold(s)
                inner = sc.proving(Obligation(error, node.span, self._method.name, parts))
                predicates.fold(location, share, inner, out, tr)
            case ps.Unfold(location, share):
                inner = sc.proving(self._obligation("unfold.failed", s, location))
                predicates.unfold(location, share, inner, out, tr)
            case ps.If():
                self._if(s, sc)
            case ps.While():
                self._while(s, sc)
            case ps.Label():
                self._label(s, sc)
            case ps.Goto(target):
                self._goto(target, sc)
            case ps.Quasihavoc():
                havoc(s, sc.proving(self._obligation("quasihavoc.failed", s)), out, tr)
            case ps.Refute():
                out.native("remark", text("`refute` was passed over"))
            case ps.Package():
                inner = sc.proving(self._obligation("package.failed", s))
                wands.package(s, inner, self._script, out, tr)
            case ps.Apply(wand):
                inner = sc.proving(self._obligation("apply.failed", s))
                wands.apply(wand, inner, out, tr)
            case ps.QuasihavocAll():
                havoc_all(s, sc.proving(self._obligation("quasihavoc.failed", s)), out, tr)
            case ps.Unreachable():
                out.unsupported("unreachable")

    def _cut(self, assertion: Assertion, sc: Scope) -> None:
        """What the assertion holds stays as it is, everything else is given up."""
        out, obligation = self._out, self._about("cut.failed", assertion)
        given = assertions.exhale_clauses([(assertion, obligation)], sc, out, self._tr)
        fresh = out.new_heap("heap.empty")
        gain = assertions.Gain(fresh, given)
        kept = held_when_given(assertion)
        assertions.transfer(kept, sc.on(fresh).proving(obligation), gain, out, self._tr)
        out.new_heap("heap.replace", sc.heap, fresh)

    def _script(self, block: ps.Block, out: Emitter, sc: Scope) -> Scope:
        return Body(self._method, out, self._tr, block).lower(sc)

    def _with_objects(self) -> tuple[Local, ...]:
        """Variables that may have objects, where it matters: see NOTE(older values)."""
        if not self._tr.chooses_objects:
            return ()
        kinds = [(v, v.type) for v in self._visible]
        return tuple([v for v, kind in kinds if kind not in SCALARS and not is_token(kind)])

    def _havoc(self, variable: Var) -> None:
        target = calls.variable(variable)
        self._out.assign(target, Fresh(target.type, target.name))

    def _field_assign(self, s: ps.FieldAssign, sc: Scope) -> None:
        out, tr = self._out, self._tr
        receiver = out.keep(rules.lower(s.receiver, sc, out, tr))
        value = rules.lower(s.value, sc, out, tr)
        held = Operation("held", (sc.heap, receiver), RATIONAL, s.field)
        shown = FieldLocation(s.receiver, s.field, span=s.receiver.span)
        blame = sc.obligation.blame("insufficient.permission", shown, shown)
        out.check(boolean("at_most", FULL, held), blame)
        out.native("heap.write", sc.heap, receiver, text(s.field), value)

    def _if(self, s: ps.If, sc: Scope) -> None:
        out = self._out
        inner = sc.proving(self._about("if.failed", s.condition))
        other, end = Place(), Place()
        out.branch(negated(rules.lower(s.condition, inner, out, self._tr)), other)
        self._statement(s.then, sc)
        out.jump(end)
        out.put(other)
        self._statement(s.otherwise, sc)
        out.put(end)

    # ------------------------------------------------------------ loops

    def _while(self, s: ps.While, sc: Scope) -> None:
        has_labels = any(isinstance(n, ps.Label) for n in descendants(s.body))
        match self._tr.options.loops:
            case Loops.INVARIANT:
                self._by_invariant(s, sc)
            case Loops.AUTO if not has_labels:
                self._by_either(s, sc)
            case _:
                self._unrolled(s, sc)

    def _by_either(self, s: ps.While, sc: Scope) -> None:
        """The invariant if the condition depends on the input when the loop is entered."""
        out = self._out
        inner = sc.proving(self._about("while.failed", s.condition))
        condition = rules.lower(s.condition, inner, out, self._tr)
        unroll, end = Place(), Place()
        out.branch(negated(boolean("symbolic", condition)), unroll)
        self._by_invariant(s, sc)
        out.jump(end)
        out.put(unroll)
        self._unrolled(s, sc)
        out.put(end)

    def _exhale_invariant(self, s: ps.While, error: str, sc: Scope) -> Local:
        name = self._method.name
        clauses = [(c, Obligation(error, c.span, name, (c,))) for c in s.invariants]
        return assertions.exhale_clauses(clauses, sc, self._out, self._tr)

    def _alone(self, s: ps.While, sc: Scope, given: Term) -> Local:
        return calls.alone(s.invariants, sc, given, self._out, self._tr)

    @contextmanager
    def _inside(self, s: ps.While, sc: Scope, start: Local) -> Iterator[None]:
        """The heap is what the loop works with; the rest waits until the loop is left."""
        frame = self._out.new_heap("heap.replace", sc.heap, start)
        self._loops.append((id(s), frame))
        yield
        self._loops.pop()
        self._out.native("heap.pour", sc.heap, frame)

    def _test(self, s: ps.While, sc: Scope, end: Place) -> None:
        self._out.span = s.condition.span
        inner = sc.proving(self._about("while.failed", s.condition))
        condition = rules.lower(s.condition, inner, self._out, self._tr)
        self._out.branch(negated(condition), end)

    def _unrolled(self, s: ps.While, sc: Scope) -> None:
        out, again, end = self._out, Place(), Place()
        given = self._exhale_invariant(s, "invariant.not.established", sc)
        with self._inside(s, sc, self._alone(s, sc, given)):
            out.put(again)
            self._test(s, sc, end)
            self._statement(s.body, sc)
            out.span = s.condition.span
            kept = self._exhale_invariant(s, "invariant.not.preserved", sc)
            out.new_heap("heap.replace", sc.heap, self._alone(s, sc, kept))
            out.jump(again)
            out.put(end)

    def _by_invariant(self, s: ps.While, sc: Scope) -> None:
        """Section 2.4.4: one iteration from any state in which the invariant holds."""
        out, end = self._out, Place()
        self._exhale_invariant(s, "invariant.not.established", sc)
        out.native("remark", text(INVARIANT))
        for variable in assigned_variables(s.body):
            self._havoc(variable)
        with self._inside(s, sc, self._alone(s, sc, NOTHING)):
            self._test(s, sc, end)
            self._statement(s.body, sc)
            out.span = s.condition.span
            self._exhale_invariant(s, "invariant.not.preserved", sc)
            out.native("stop")
            out.put(end)

    # ------------------------------------------------------------ jumps

    def _label(self, s: ps.Label, sc: Scope) -> None:
        out = self._out
        out.put(self._places[s.name])
        at = sc.old[s.name]
        out.native("heap.copy", sc.heap, to=(at,))
        is_certain = _loops_of_jumps(self._block).get(s.name)
        if is_certain is not None:
            self._jumped_to(s, sc, is_certain=is_certain)
        out.assign(self._tr.passed(s.name), TRUE)

    def _jumped_to(self, s: ps.Label, sc: Scope, *, is_certain: bool) -> None:
        """The invariant of a label counts where a loop begins.

        The first time it is established, then preserved; in another loop nobody knows which. A run
        holds what the invariant does not give, too: whoever fails with it fails without, but for
        those that look at amounts.
        """
        out, again, end = self._out, Place(), Place()
        if not is_certain:
            out.native("remark", text("a loop of jumps was run without its invariant"))
        if not s.invariants:
            return
        out.branch(self._tr.passed(s.name), again)
        self._check_invariant(s, "invariant.not.established", sc)
        out.jump(end)
        out.put(again)
        self._check_invariant(s, "invariant.not.preserved", sc)
        out.put(end)

    def _check_invariant(self, s: ps.Label, error: str, sc: Scope) -> None:
        for clause in s.invariants:
            inner = sc.proving(replace(self._about(error, clause), parts=(clause,)))
            assertions.check_only(clause, inner, self._out, self._tr)

    def _goto(self, target: str, sc: Scope) -> None:
        """Loops that are left give back what they had set aside."""
        if target not in self._places:
            self._out.unsupported(f"a jump to {target}")
            return
        around = self._around[target]
        inside = [number for number, _ in self._loops]
        if tuple(inside[: len(around)]) != around:
            self._out.unsupported("a jump into a loop")
            return
        for _, frame in reversed(self._loops[len(around) :]):
            self._out.native("heap.pour", sc.heap, frame)
        self._out.jump(self._places[target])


def _loops_of_jumps(block: ps.Block) -> dict[str, bool]:
    """Labels at which loops begin, and whether failures are certain there.

    They are if nobody looks at amounts, and an invariant is in no other loop.
    """
    graph = flow_graph(block)
    inside = [b for head, blocks in graph.loops.items() for b in blocks if b != head]
    heads = [(head, graph.blocks[head].head) for head in graph.loops]
    looking = (CurrentPerm, ForPerm, ps.Quasihavoc, ps.QuasihavocAll)
    looks = any(isinstance(node, looking) for node in descendants(block))
    labels = [(number, head) for number, head in heads if isinstance(head, ps.Label)]
    known = {h.name: not looks and (n not in inside or not h.invariants) for n, h in labels}
    odd = {h.name: False for h in graph.irreducible if isinstance(h, ps.Label)}
    return {**known, **odd}


def havoc(s: ps.Quasihavoc, sc: Scope, out: Emitter, tr: Translation) -> None:
    end = Place()
    if s.condition is not None:
        out.branch(negated(rules.lower(s.condition, sc, out, tr)), end)
    _forget(s.location, sc, out, tr)
    out.put(end)


def havoc_all(s: ps.QuasihavocAll, sc: Scope, out: Emitter, tr: Translation) -> None:
    """All that is held and meets the condition, which is about the state before."""
    before = sc.on(out.new_heap("heap.copy", sc.heap))
    sources = quantifiers.held_values((s.variables, s.location), before, tr)
    if sources is None:
        out.unsupported("quasihavocall with such a location")
        return
    if s.condition is not None and not is_total(s.condition):
        rules.lower(s.condition, quantifiers.any_values(s.variables, before, out), out, tr)

    def inside(inner: Scope) -> None:
        skip = Place()
        if s.condition is not None:
            out.branch(negated(rules.lower(s.condition, inner, out, tr)), skip)
        _forget(s.location, inner.on(sc.heap), out, tr)
        out.put(skip)

    quantifiers.nest(list(zip(s.variables, sources, strict=True)), before, inside, out)


def _forget(location: pa.Location, sc: Scope, out: Emitter, tr: Translation) -> None:
    """The value of a field or the contents of a predicate instance, where any is held."""
    if isinstance(location, pa.Wand):
        out.unsupported("quasihavoc of wands")
        return
    end = Place()
    at = assertions.arguments_of(location, sc, out, tr)
    held = assertions.held_term(location, at, sc.heap)
    out.branch(negated(boolean("less", assertions.NO_AMOUNT, held)), end)
    match location:
        case pa.FieldLocation(_, field):
            value = out.keep(Fresh(model_type(tr.program.fields[field].type), field))
            out.native("heap.write", sc.heap, *at, text(field), value)
        case pa.PredicateLocation(predicate):
            out.native("heap.forget", sc.heap, text(predicate), *at)
    out.put(end)
