"""What an exploration found: plain data, in the words of the source program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum

from pitviper.base.record import field, record
from pitviper.results.finding import Finding
from pitviper.results.testcase import TestCase
from pitviper.source.span import Span


@record
class ExploredRun:
    """One node of the search. `parent` is the run from which it was made, -1 for the first.

    `doubts` are reasons why a failure may not be one of the program; `unjudged` is what the run
    passed over, so that its passing proves less. `assuming` names the domains
    whose axioms must have a model in which the values hold. `packages` says, for packages whose way
    depended on their left-hand side: what was decided before, and what was taken.
    """

    number: int
    parent: int
    status: str
    finding: Finding | None = None
    detail: str = ""
    decisions: int = 0
    steps: int = 0
    test: TestCase | None = None
    doubts: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    assuming: tuple[str, ...] = ()
    packages: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def is_failure(self) -> bool:
        return self.finding is not None

    def is_of(self, member: str) -> bool:
        """Whether what fails is a check of this member."""
        return self.finding is not None and self.finding.member == member


@record
class Replayed:
    """What a test does now: `status` as of a run; `as_expected` compares with what it did.

    `changed` says that the text of the program is another one than the test was made for.
    """

    test: TestCase
    status: str
    finding: str = ""
    line: int = 0
    message: str = ""
    run: ExploredRun | None = None
    changed: bool = False

    @property
    def as_expected(self) -> bool:
        test = self.test
        return (self.status, self.finding) == (test.status, test.finding)


@record
class Place:
    """An assertion of the source: how often it was reached, and how often it failed."""

    span: Span
    member: str
    error: str
    reached: int = 0
    failed: int = 0


@record
class LineCount:
    """A line of a file, in a member: how many runs came there. No run is 0."""

    file: str
    line: int
    runs: int
    member: str = ""


@record
class BranchCount:
    """A condition of a statement: in how many runs it held, in how many it did not."""

    file: str
    line: int
    member: str
    held: int
    failed: int


@record
class MemberCount:
    """A method or function: where it is declared, and how many runs came there."""

    file: str
    line: int
    member: str
    runs: int


class Unreached(Enum):
    """Why no run came to a place."""

    DEAD = "dead"
    EXCLUDED = "excluded"
    OPEN = "not reached"


@record
class PictureBlock:
    """Statements in a row: lines with their number, how many runs came there, whether one fails.

    `facts` hold whenever the block is entered. `why` says why no run came there, if none did.
    """

    number: int
    lines: tuple[str, ...]
    runs: int = 0
    fails: bool = False
    facts: tuple[str, ...] = ()
    why: Unreached | None = None


@record
class PictureEdge:
    """From block to block; `label` is the value of the condition before it."""

    source: int
    target: int
    label: str = ""
    runs: int = 0
    why: Unreached | None = None


@record
class Picture:
    """The control-flow graph of a method; before it is explored, numbers of runs say nothing."""

    method: str
    blocks: tuple[PictureBlock, ...] = ()
    edges: tuple[PictureEdge, ...] = ()
    is_explored: bool = True


@record
class Static:
    """What is known without a run; `paths` is None where loops make them endless."""

    blocks: int = 0
    loops: int = 0
    paths: int | None = None
    dead_lines: tuple[int, ...] = ()
    uninitialised: tuple[str, ...] = ()


@record
class MethodExploration:
    """`open` are reasons why the search says nothing about all inputs; without, it is complete.

    `inlined` names callees and recursive functions whose bodies were run: what holds then need not
    follow from their contracts. `beyond` are failures of runs in which callees did something else
    that their contracts allow; they are doubtful, for no run of the program as it is fails so.
    `called` are failures in callees, of runs with their bodies, where a search by contracts says
    the rest: a method that asks for nothing wrong is not to blame for them.
    `counts` says how many runs ended in each way, `left` how many ways were begun or are known, and
    were not run to their end. `method` may be the name of a function.
    """

    method: str
    runs: tuple[ExploredRun, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    open: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    lines: tuple[LineCount, ...] = ()
    branches: tuple[BranchCount, ...] = ()
    static: Static = Static()
    picture: Picture | None = None
    seconds: float = 0.0
    inlined: tuple[str, ...] = ()
    beyond: tuple[ExploredRun, ...] = ()
    left: int = 0
    members: tuple[MemberCount, ...] = ()
    is_function: bool = False
    called: tuple[ExploredRun, ...] = ()

    @property
    def failures(self) -> tuple[ExploredRun, ...]:
        return tuple([run for run in self.runs if run.is_failure])

    @property
    def certain_failures(self) -> tuple[ExploredRun, ...]:
        """Failures that the program really has, in the method and in what it calls."""
        return tuple([*[run for run in self.failures if not run.doubts], *self.called])

    @property
    def own_failures(self) -> tuple[ExploredRun, ...]:
        """Those of them for which no callee, function or predicate is to blame."""
        return tuple([run for run in self.certain_failures if run.is_of(self.method)])

    @property
    def is_complete(self) -> bool:
        """Whether every input takes a path that was run."""
        return not self.open

    @property
    def claim(self) -> Claim:
        """PROVED only if the search is complete, no run failed, and no contract was passed over."""
        if self.own_failures:
            return Claim.FAILS
        if not self.is_complete or self.failures:
            return Claim.OPEN
        return Claim.HOLDS if self.inlined else Claim.PROVED

    @property
    def coverage(self) -> tuple[int, int]:
        """Lines of the program that runs came to, and all lines with code."""
        return sum(1 for line in self.lines if line.runs), len(self.lines)


INTERRUPTED = "interrupted"
"""Why a method was not begun, or not finished, when somebody wanted an end."""

TIME_IS_OVER = "the time for the run is over"
"""Why it was not with a limit for everything."""

FIRST_FOUND = "a failure was found, and --first asks for no more"
"""Why it was not where one failure is enough."""

EARLY = (INTERRUPTED, TIME_IS_OVER, FIRST_FOUND)


@record
class Exploration:
    """What is known about one file."""

    file: str
    methods: tuple[MethodExploration, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0

    @property
    def claim(self) -> Claim:
        """Methods without body have nothing to claim; those that were not begun are open.

        A run that fails in a callee is a failure of the program, whoever is to blame.
        """
        if any(method.certain_failures for method in self.methods):
            return Claim.FAILS
        waiting = [Claim.OPEN for _, why in self.skipped if why in EARLY]
        return claim_of_all([*[method.claim for method in self.methods], *waiting])


class Claim(Enum):
    """FAILS: inputs make a check of the method fail. PROVED: all were run, whatever callees may do.

    HOLDS: all inputs were run with the bodies of callees or of recursive functions, so that it need
    not follow from their contracts; it is no proof in the sense of a verifier. OPEN: neither.
    """

    FAILS = "fails"
    PROVED = "proved"
    HOLDS = "holds"
    OPEN = "open"


WORST_FIRST = (Claim.FAILS, Claim.OPEN, Claim.HOLDS, Claim.PROVED)


def claim_of_all(claims: Iterable[Claim]) -> Claim:
    """The weakest of several; of none, nothing is known."""
    found = list(claims)
    return next((claim for claim in WORST_FIRST if claim in found), Claim.OPEN)


@record
class StaticBlock:
    """Instructions without jumps in between.

    `lines` are those of the source with their numbers; `known` holds whenever a run enters the
    block, `left` whenever it leaves it. Where `reachable` is False, no run comes here.
    """

    number: int
    lines: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    reachable: bool = True


@record
class StaticEdge:
    """A transition; `feasible` is False where what is known rules it out."""

    source: int
    target: int
    condition: str = ""
    feasible: bool = True


@record
class StaticMethod:
    """`paths` is None where loops make them endless; `left` are those that known facts leave.

    `decided` counts branches and checks that need no solver. `any_value` are variables that may be
    read before they are assigned, `versions` says how many values single assignment gives each
    variable.
    """

    method: str
    blocks: tuple[StaticBlock, ...] = ()
    edges: tuple[StaticEdge, ...] = ()
    loops: tuple[int, ...] = ()
    paths: int | None = None
    left: int | None = None
    decided: int = 0
    dead_lines: tuple[int, ...] = ()
    any_value: tuple[str, ...] = ()
    versions: tuple[tuple[str, int], ...] = ()
