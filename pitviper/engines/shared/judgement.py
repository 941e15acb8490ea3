"""Which assertions are judged where they are written, and which again where they are used.

NOTE(judged-once). An assertion is found well-formed once, in a state that has nothing but what it
brings itself. That is enough for every use, as long as the same parts of it are looked at there:
more permission does not hurt, and values are those of what it holds. It is not enough where the
assertion looks at the state that it is used in: `perm` and `forperm` see what else is held, and of
a pair `[A, B]` one side is judged with what another side says. Such assertions are judged on every
use. So are the parts of a wand that are not judged where it is mentioned.
"""

from __future__ import annotations

from pitviper.program import assertion as pa
from pitviper.program import expr as pe
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
    """Whether a side of a wand has parts that are not judged where the wand is mentioned."""
    return any(
        isinstance(n, pa.Binding) or (isinstance(n, pe.Old) and n.label == LEFT_HAND_SIDE)
        for n in descendants(side)
    )
