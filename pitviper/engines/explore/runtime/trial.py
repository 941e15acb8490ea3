"""Trials: parts of a run in a state that is made up for them, and that the rest never sees.

NOTE(trials). A package must work for every state of its left-hand side. A run makes one up, by
inputs like all others; another run makes up another one. Three things are different from the rest
of a run. An assumption that is not met ends nothing: what comes behind the trial does not depend
on that state, and what the trial takes must not tell that there is none. It goes on as if the
assumption held, until something fails; then only the trial ends. For that reason both sides of
assumptions are searched. Another run ends the trial at once, without what it took last: nobody
takes less, so what fails behind it fails for good. And what the trial takes from outside must
not depend on what was made up: decisions about it are found by the names of their symbols.

    inhale acc(y.f)
    package acc(x.f) && x.f > 0 --* acc(y.f)     // the trial begins: x.f is the input `lhs x.f`
    { assert x.f > 0 }                           // not met by -1: the trial goes on as if
    // the trial is over: the wand took acc(y.f), and nothing behind it depends on `lhs x.f`
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from pitviper.engines.explore.runtime.ending import Ended, Site, Status
from pitviper.engines.explore.runtime.heap import Heap
from pitviper.engines.explore.runtime.value import Kind
from pitviper.terms.term import App, Quantified, Term

if TYPE_CHECKING:
    from pitviper.engines.explore.runtime.run import Run

LEFT = "lhs "
"""Names of inputs that a left-hand state consists of start with this, once for each nesting."""

Packaged: TypeAlias = tuple[str, tuple[str, ...]]
"""A package whose way depended on its left-hand side: what was before, and what it took."""


class Trial:
    """`footprint` is what it took from outside; `whole` is that and the made-up state together.

    `whole` keeps what the trial has given up, too: the two states must fit all the same.
    `is_met` says that no assumption about the made-up state failed, `is_cut` that something failed
    after that, `is_short` that the trial ended at once. `failed` is a failure that waits for its
    end. While the left-hand state is made up, `around` are the heaps outside, which know values
    that it may share; `plain` are locations that all left-hand states have, `sure` those that they
    have in full.
    """

    __slots__ = (
        "around", "failed", "footprint", "is_cut", "is_met", "is_open", "is_short", "parent",
        "plain", "prefix", "start", "sure", "whole",
    )  # fmt: skip

    def __init__(self, run: Run, prefix: str) -> None:
        self.parent: Trial | None = run.trials.current
        self.prefix: str = prefix if self.parent is None else self.parent.prefix + prefix
        self.start = len(run.path.decisions)
        self.around: tuple[Heap, ...] = ()
        self.footprint = Heap()
        self.whole = Heap()
        self.is_open = True
        self.is_met = True
        self.is_cut = False
        self.is_short = False
        self.failed: Site | None = None
        self.plain: dict[object, None] = {}
        self.sure: dict[object, None] = {}

    @property
    def is_package(self) -> bool:
        """Whether there is a made-up state, and not a real one."""
        return self.prefix != ("" if self.parent is None else self.parent.prefix)

    def miss(self, run: Run) -> None:
        """An assumption does not hold: end now, or go on as if.

        A package inside of another one does not end: what it took went through the other.
        """
        was_met, self.is_met = self.is_met, False
        if was_met and self.parent is None and self.is_package and self.failed is None:
            self.is_short = run.option("$ends")
            if self.is_short:
                raise Ended(Status.UNMET, run.site, trial=self)

    def outermost_unmet(self) -> Trial | None:
        """The outermost trial around here whose made-up state is none."""
        around = None if self.parent is None else self.parent.outermost_unmet()
        return around or (None if self.is_met else self)

    def puts_off(self, site: Site) -> bool:
        """Whether a false condition may wait: the end can tell that there is no such state."""
        if not self.is_package:
            return False
        self.failed = self.failed or site
        return True


class Trials:
    """The trials of a run: the `current` one, and what packages that are over have shown.

    `suspended` are the trials around the contents of predicate instances that are being made up.
    `footprints` are what packages took. A run is loose when the way through a package depended on
    its left-hand state, short when a package ended at once, vague when there was no such state.
    """

    __slots__ = ("current", "footprints", "is_loose", "is_short", "is_vague", "suspended")

    def __init__(self) -> None:
        self.current: Trial | None = None
        self.suspended: list[Trial | None] = []
        self.footprints: list[Packaged] = []
        self.is_loose = self.is_short = self.is_vague = False


@contextmanager
def opened(run: Run, prefix: str) -> Iterator[Trial]:
    """What happens inside is in a trial; behind it the run is back where the trial began."""
    trial, depth, index = Trial(run, prefix), len(run.frames), run.index
    fillings = len(run.trials.suspended)
    run.trials.current = trial
    try:
        yield trial
    except Ended as end:
        if end.trial is not trial:
            raise
        trial.is_cut = not trial.is_short
        while len(run.frames) > depth:
            run.leave(run.method)
    finally:
        trial.is_open = False
        run.trials.current = trial.parent
        del run.trials.suspended[fillings:]
    run.index = index


@contextmanager
def speaking_for(run: Run, trial: Trial | None) -> Iterator[None]:
    """What is assumed or made up inside belongs to a trial around, or to the run itself."""
    before = run.trials.current
    run.trials.current = trial
    try:
        yield
    finally:
        run.trials.current = before


def living(trial: Trial | None) -> Trial | None:
    """The trial, or the one around it that is not over."""
    while trial is not None and not trial.is_open:
        trial = trial.parent
    return trial


def depends(run: Run, trial: Trial) -> bool:
    """Whether the way through the trial was decided by its made-up state."""
    made = trial.prefix
    kinds = (Kind.BRANCH, Kind.ASSUME)
    since = run.path.decisions[trial.start :]
    return any(mentions(d.term, made) for d in since if d.kind in kinds)


def mentions(term: Term, prefix: str) -> bool:
    """Whether a term has a symbol with a name like this."""
    todo, seen = [term], {term}
    while todo:
        current = todo.pop()
        if not isinstance(current, App | Quantified):
            continue
        if isinstance(current, App) and current.symbol.name.startswith(prefix):
            return True
        fresh = [arg for arg in current.args if arg not in seen]
        seen.update(fresh)
        todo.extend(fresh)
    return False
