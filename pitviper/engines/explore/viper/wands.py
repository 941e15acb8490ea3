"""Magic wands: as resources, packaged, and applied."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from pitviper.base.record import replace
from pitviper.encoding.wand_shapes import wand_shape
from pitviper.engines.explore.model.term import Local, Operation, Term
from pitviper.engines.explore.model.types import BOOLEAN, HEAP, RATIONAL
from pitviper.engines.explore.viper import assertions
from pitviper.engines.explore.viper import expressions as rules
from pitviper.engines.explore.viper.emitter import (
    CLOSURE,
    HEAP_NAME,
    HEAPS,
    NOTHING,
    Emitter,
    Obligation,
    Place,
    Scope,
    boolean,
    number,
    text,
)
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.program.node import Node
from pitviper.program.pairs import has_pairs
from pitviper.program.walk import children, descendants

if TYPE_CHECKING:
    from pitviper.engines.explore.viper.program import Translation


LEFT = "lhs"
"""The label of the state in which the left-hand side of a wand holds."""

UNDEFINED = "a part of a wand that is not defined"

Script: TypeAlias = Callable[[ps.Block, Emitter, Scope], Scope]
"""Emits the statements of a script; the scope afterwards."""


class Located:
    """A wand with its shape and the values of its holes, computed once."""

    __slots__ = ("holes", "shape", "wand")

    def __init__(self, wand: pa.Wand, shape: str, holes: tuple[Term, ...]) -> None:
        self.wand = wand
        self.shape = shape
        self.holes = holes


def located(wand: pa.Wand, sc: Scope, out: Emitter, tr: Translation) -> Located:
    """Holes are looked at even where the wand would not: there they need no value."""
    _check_sides(wand, sc, out, tr)
    shape = wand_shape(wand, tr.program)
    with out.trusting(UNDEFINED):
        holes = tuple([out.keep(rules.lower(hole, sc, out, tr)) for hole in shape.holes])
    return Located(wand, shape.name, holes)


def _check_sides(wand: pa.Wand, sc: Scope, out: Emitter, tr: Translation) -> None:
    """Both sides must make sense alone: a run of its own finds out, where it is not evident."""
    if is_evidently_framed(wand):
        return
    skip, chosen = Place(), out.local(BOOLEAN, "judged")
    out.native("wand.judge", to=(chosen,))
    out.branch(boolean("not", chosen), skip)
    blame = Obligation("wand.not.wellformed", wand.span, out.member)
    left, right = out.new_heap("heap.empty"), out.new_heap("heap.empty")
    alone = replace(sc, obligation=blame, outer=None, scale=None, lenient=True)
    assertions.transfer(wand.left, alone.on(left), assertions.Gain(left), out, tr)
    behind = replace(alone.on(right), old={**sc.old, LEFT: left})
    assertions.transfer(wand.right, behind, assertions.Gain(right), out, tr)
    out.native("stop")
    out.put(skip)


def held(at: Located, heap: Local) -> Term:
    return Operation("held_wand", (heap, *at.holes), RATIONAL, at.shape)


def move(at: Located, sc: Scope, way: assertions.Gain | assertions.Loss, out: Emitter) -> None:
    """Inhale or exhale a wand."""
    if isinstance(way, assertions.Gain):
        out.native("wand.give", way.heap, way.source, text(at.shape), *at.holes)
        return
    require(at, sc, way.heap, out)
    out.native("wand.take", way.heap, way.sink, text(at.shape), *at.holes)


def require(at: Located, sc: Scope, heap: Local, out: Emitter) -> None:
    if sc.outer is not None:
        out.native("wand.fetch_wand", heap, sc.heap, sc.outer, text(at.shape), *at.holes)
    there = boolean("less", assertions.NO_AMOUNT, out.keep(held(at, heap), "held"))
    out.check(there, sc.obligation.blame("wand.not.found", at.wand, at.wand))


# ---------------------------------------------------------------- package


def package(s: ps.Package, sc: Scope, script: Script, out: Emitter, tr: Translation) -> None:
    """Two methods of their own: one makes up a left-hand state, one goes from there to the right.

    They get all variables and old heaps by value; no script changes those outside of it.
    """
    at = located(s.wand, sc, out, tr)
    if looks_at_amounts(s.wand):
        out.native("remark", text("what `perm` in a wand looks at depends on the contents"))
    names = {n: v for n, v in sc.names.items() if isinstance(v, Local)}
    old = {label: Local(f"$old_{label or ''}", HEAP) for label in sc.old}
    passed = [tr.passed(label) for label in sc.old if label is not None and label != LEFT]
    inside = tuple([*names.values(), *passed])
    labels = [label for label in sc.old if label != LEFT]
    name = tr.script_name(out.member)
    left = Emitter(out.member)
    left.span = s.wand.left.span
    heap = Local(HEAP_NAME, HEAP)
    blame = Obligation("wand.not.wellformed", s.wand.span, out.member)
    scope = Scope(names, heap, heap, old, blame)
    assertions.transfer(s.wand.left, scope, assertions.Gain(heap), left, tr)
    tr.methods[f"left {name}"] = left.method(f"left {name}", (heap, *inside, *old.values()), ())
    right = Emitter(out.member)
    right.span = s.span
    around, lhs = Local("$around", HEAPS), Local("$lhs", HEAP)
    kept = {label: old[label] for label in labels}
    scope = replace(scope, old={**kept, LEFT: lhs}, obligation=sc.obligation, outer=around)
    after = script(s.script, right, scope)
    right.span = s.span
    given = assertions.exhale_clauses([(s.wand.right, sc.obligation)], after, right, tr)
    params = (heap, around, lhs, *inside, *kept.values())
    tr.methods[f"script {name}"] = right.method(f"script {name}", params, (given,))
    before = [sc.old[label] for label in sc.old]
    arguments = (*inside, *before)
    out.native(
        "wand.package",
        sc.heap,
        sc.outer or NOTHING,
        text(f"left {name}"),
        text(f"script {name}"),
        text(at.shape),
        number(len(at.holes)),
        number(len(arguments)),
        *at.holes,
        *arguments,
        *inside,
        *[sc.old[label] for label in labels],
    )


# ---------------------------------------------------------------- apply


def apply(wand: pa.Wand, sc: Scope, out: Emitter, tr: Translation) -> None:
    """The wand and its left-hand side for the right-hand side: what comes out of the script, or,
    of a wand that nobody has seen packaged, anything of that kind."""
    at = located(wand, sc, out, tr)
    require(at, sc, sc.heap, out)
    closure, known = out.local(CLOSURE, "wand"), out.local(BOOLEAN, "known")
    out.native("wand.take", sc.heap, NOTHING, text(at.shape), *at.holes, to=(closure,))
    before = out.new_heap("heap.copy", sc.heap)
    given = assertions.exhale_clauses([(wand.left, sc.obligation)], sc, out, tr)
    made, skip = out.local(HEAP, "made"), Place()
    out.native("wand.run", closure, given, to=(made, known))
    if has_pairs(wand):
        out.refuse(known, "applying a wand with a pair that was packaged here")
    out.branch(known, skip)
    if looks_at_amounts(wand):
        out.native("remark", text("what `perm` in a wand looks at depends on the contents"))
    inner = replace(sc.on(made), old={**sc.old, LEFT: before}, outer=None)
    with out.trusting(UNDEFINED):
        assertions.transfer(wand.right, inner, assertions.Gain(made), out, tr)
    out.put(skip)
    out.native("heap.pour", sc.heap, made)


def applying(e: pe.Applying, sc: Scope, out: Emitter, tr: Translation) -> Term:
    inner = replace(sc.on(out.new_heap("heap.copy", sc.heap)), outer=None)
    apply(e.wand, inner, out, tr)
    return out.keep(rules.lower(e.body, inner, out, tr))


Framed = list[tuple[pe.Expr, str]]
"""Fields that are known to be held."""


def looks_at_amounts(wand: pa.Wand) -> bool:
    return any(isinstance(n, pe.CurrentPerm | pe.ForPerm) for n in descendants(wand))


def is_evidently_framed(wand: pa.Wand) -> bool:
    """Whether both sides read only what they hold, and use only operations with a value."""
    left: Framed = []
    return _side(wand.left, left, []) and _side(wand.right, [], left)


def are_evidently_framed(clauses: tuple[pa.Assertion, ...]) -> bool:
    """The same of clauses that stand one behind the other."""
    held: Framed = []
    return all([_side(clause, held, []) for clause in clauses])


def _side(a: pa.Assertion, held: Framed, left: Framed) -> bool:
    match a:
        case pa.Star(conjuncts):
            return all([_side(part, held, left) for part in conjuncts])
        case pa.Access(location, amount):
            fine = _reads(location, held, left)
            if isinstance(location, pa.FieldLocation):
                held.append((location.receiver, location.field))
            return fine and _is_positive(amount)
        case pa.Guarded(condition, body):
            return _reads(condition, held, left) and _side(body, list(held), left)
        case pa.Choice(condition, then, otherwise):
            sides = [_side(side, list(held), left) for side in (then, otherwise)]
            return _reads(condition, held, left) and all(sides)
        case pa.Wand():
            return is_evidently_framed(a)
        case pa.QuantifiedPermission() | pa.Binding() | pa.InhaleExhale():
            return False
        case _:
            return _reads(a, held, left)


def _is_positive(amount: pe.Expr) -> bool:
    match amount:
        case pe.PermLit(pe.PermConstant.WRITE | pe.PermConstant.WILDCARD):
            return True
        case pe.PermArith(pe.PermOp.FRACTION, pe.IntLit(above), pe.IntLit(below)):
            return above > 0 and below > 0
        case _:
            return False


def _reads(node: Node, held: Framed, left: Framed) -> bool:
    """Whether an expression, or a location, has a value where these fields are held."""
    match node:
        case pe.FieldRead(receiver, field):
            return (receiver, field) in held and _reads(receiver, held, left)
        case pe.Old(label, operand) if label == "lhs":
            return _reads(operand, left, left)
        case pa.FieldLocation() | pa.PredicateLocation():
            return all(_reads(part, held, left) for part in children(node))
        case _:
            return _is_total(node) and all(_reads(part, held, left) for part in children(node))


_TOTAL = (
    pe.IntLit, pe.BoolLit, pe.NullLit, pe.PermLit, pe.Var, pe.Not, pe.And, pe.Or, pe.Implies,
    pe.Conditional, pe.Equal, pe.NotEqual, pe.Negate, pe.Compare, pe.SeqLit, pe.SetLit,
    pe.SeqAppend, pe.SeqTake, pe.SeqDrop, pe.SeqContains, pe.SetBinary, pe.Subset, pe.SetContains,
    pe.Cardinality,
)  # fmt: skip


def _is_total(node: Node) -> bool:
    if isinstance(node, pe.PermArith):
        return node.op is not pe.PermOp.DIV and not _may_divide_by_zero(node)
    if isinstance(node, pe.IntArith):
        return node.op in (pe.IntOp.ADD, pe.IntOp.SUB, pe.IntOp.MUL)
    return isinstance(node, _TOTAL)


def _may_divide_by_zero(node: pe.PermArith) -> bool:
    if node.op not in (pe.PermOp.INT_DIV, pe.PermOp.FRACTION):
        return False
    return not isinstance(node.right, pe.IntLit) or node.right.value == 0
