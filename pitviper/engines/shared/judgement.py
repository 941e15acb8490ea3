"""Which assertions are judged where they are written, and which again where they are used.

NOTE(judged-once). An assertion is found well-formed once, in a state that has nothing but what it
brings itself. That is enough for every use, as long as the same parts of it are looked at there:
more permission does not hurt, and values are those of what it holds. It is not enough where the
assertion looks at the state that it is used in: `perm` and `forperm` see what else is held, and of
a pair `[A, B]` one side is judged with what another side says. Such assertions are judged on every
use. So are the parts of a wand that are not judged where it is mentioned.

NOTE(holes). The values in the holes of a wand are looked at wherever it is mentioned, without the
conditions that stand in front of them in its sides: these may depend on what a side holds. So a
hole need not make sense there, and nothing may be concluded from looking at it: not that the
precondition of a function holds, nor what is in an instance or given by a wand. Example:

    inhale acc(x.f) && x.f == 0 --* acc(x.f) && x.f == 0 && (x.f > 5 ==> old(root(i)) > 0)
    // `root(i)` is in a hole; the sides make sense whatever `i` is
"""

from __future__ import annotations

from collections.abc import Iterable

from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.member import Program
from pitviper.program.node import Node
from pitviper.program.walk import descendants

LEFT_HAND_SIDE = "lhs"


def is_introspective(*nodes: Node) -> bool:
    """Whether some of the nodes look at what is held where they are used."""
    return any(isinstance(n, pe.CurrentPerm | pe.ForPerm) for a in nodes for n in descendants(a))


def is_judged_on_use(*nodes: Node) -> bool:
    """Whether being well-formed where they are written says too little about other uses."""
    kinds = (pe.CurrentPerm, pe.ForPerm, pa.InhaleExhale, pe.InhaleExhaleExpr)
    return any(isinstance(n, kinds) for a in nodes for n in descendants(a))


def is_judged_on_application(side: Node) -> bool:
    """Whether a side of a wand has parts that are not judged where the wand is mentioned, or only
    in a state where `perm` and `forperm` see nothing."""
    return is_introspective(side) or any(
        isinstance(n, pa.Binding) or (isinstance(n, pe.Old) and n.label == LEFT_HAND_SIDE)
        for n in descendants(side)
    )


def right_is_judged_on_application(wand: pa.Wand) -> bool:
    """Whether the right-hand side of a wand is judged where the wand is applied: also if the left
    one was assumed differently where it was mentioned, so that what follows it was not reached."""
    return is_judged_on_application(wand.right) or is_judged_on_use(wand.left)


def takes_for_granted(nodes: Iterable[Node], program: Program) -> bool:
    """Whether a trusted evaluation would assume something: that preconditions of functions hold.
    Such nodes are judged before they are trusted, and nothing of the kind is known there."""
    return any(
        isinstance(n, pe.FunctionApp) and program.functions[n.function].preconditions
        for node in nodes
        for n in descendants(node)
    )


def is_judged_in_part(body: Node, program: Program, *, exact: bool) -> bool:
    """Whether the body of a predicate is judged again where a part of an instance is folded: it
    was found well-formed for the whole, and amounts that functions require may count exactly."""
    return exact and takes_for_granted((body,), program)


def may_lack_meaning(holes: Iterable[Node], program: Program) -> bool:
    """Whether looking at the holes of a wand would assume something: see NOTE(holes)."""
    return any(_assumes(node, program) for hole in holes for node in descendants(hole))


def _assumes(node: Node, program: Program) -> bool:
    if isinstance(node, pe.FunctionApp):
        return bool(program.functions[node.function].preconditions)
    return isinstance(node, pe.Unfolding | pe.Applying | pe.Asserting)
