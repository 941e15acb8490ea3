"""What can be chosen about proofs of procedures."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from pitviper.solver.session import ASSERT


class Strategy(Enum):
    WALK = "one question for each assertion, in order"
    WHOLE = "one question for all assertions of a procedure, as often as there are failures"


@dataclass(frozen=True, slots=True)
class ProverOptions:
    """Limits count solver resources: `first` without the lazy facts, `last` with them."""

    strategy: Strategy = Strategy.WALK
    first: int = ASSERT // 10
    last: int = ASSERT
