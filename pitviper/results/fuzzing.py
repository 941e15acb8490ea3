"""What a search for mistakes of ours has found: plain data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum

from pitviper.base.record import field, record


class Kind(Enum):
    """What contradicts what; the first three are mistakes for sure, the others may be weakness.

    NOTE(trusted). An assertion is judged once and trusted where it is used. A member that verifies
    only because of that rests on a judgement that does not cover the use: sooner or later something
    false is concluded from it, whether or not this program shows it.
    """

    WRONG = "wrong"  # verified by an engine, and a run fails
    UNTRUE = "untrue"  # a confirmed counterexample to what is proved, or a proof a solver refutes
    CRASH = "crash"  # an engine ended with an exception
    TRUSTED = "trusted"  # verified, but not if everything is judged again on every use
    DISAGREE = "disagree"  # one engine verifies what the other refutes
    CHANGED = "changed"  # a change that keeps the meaning changed a verdict


_NAMES = re.compile(r"'\w+'")
CERTAIN = (Kind.WRONG, Kind.UNTRUE, Kind.CRASH)


@record
class Contradiction:
    """`said` is a sentence about who says what; `text` is the program, small where it could be.

    `case` is the number of the case, `origin` the generator and the change that made the program.
    """

    kind: Kind
    said: str
    text: str
    case: int = 0
    origin: str = ""

    @property
    def signature(self) -> str:
        """Contradictions with the same one are likely to have the same cause."""
        return f"{self.kind.value}: {_NAMES.sub('...', self.said)}"


@record
class Fuzzed:
    """What became of the cases of a run.

    `programs` counts judged programs by the generator that made them, `oracles` comparisons by the
    judges that made them, `verdicts` what engines said about programs.
    """

    seed: int
    cases: int
    seconds: float
    programs: Mapping[str, int] = field(default_factory=dict)
    oracles: Mapping[str, int] = field(default_factory=dict)
    verdicts: Mapping[str, int] = field(default_factory=dict)
    contradictions: tuple[Contradiction, ...] = ()
    late: tuple[int, ...] = ()
    """Cases that did not end in their time."""

    @property
    def judged(self) -> int:
        """All programs, those that others were made of included."""
        return sum(self.programs.values())

    @property
    def certain(self) -> tuple[Contradiction, ...]:
        return tuple([found for found in self.contradictions if found.kind in CERTAIN])
