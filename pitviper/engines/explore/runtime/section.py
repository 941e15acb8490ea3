"""Sections: parts of a run in a state that is made up for them, and that the rest never sees.

NOTE(sections). A package must work for every state of its left-hand side. A run makes one up, by
inputs like all others; another run makes up another one. Three things are different from the rest
of a run. An assumption that is not met ends nothing: what comes behind the section does not depend
on that state, and what the section takes must not tell that there is none. It goes on as if the
assumption held, until something fails; then only the section ends. For that reason both sides of
assumptions are searched. Another run ends the section at once, without what it took last: nobody
takes less, so what fails behind it fails for good. And what the section takes from outside must
not depend on what was made up: decisions about it are found by the names of their symbols.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pitviper.engines.explore.runtime.heap import Heap
from pitviper.engines.explore.runtime.run import Ended, Kind, Run, Site, Status
from pitviper.terms.term import App, Quantified, Term

LEFT = "lhs "
"""Names of inputs that a left-hand state consists of start with this, once for each nesting."""


class Section:
    """`footprint` is what it took from outside; `whole` is that and the made-up state together.

    `whole` keeps what the section has given up, too: the two states must fit all the same.
    `is_met` says that no assumption about the made-up state failed, `is_cut` that something failed
    after that, `is_short` that the section ended at once. `failed` is a failure that waits for its
    end. While the left-hand state is made up, `around` are the heaps outside, which know values
    that it may share; `plain` are locations that all left-hand states have, `sure` those that they
    have in full.
    """

    __slots__ = (
        "around", "failed", "footprint", "is_cut", "is_met", "is_open", "is_short", "parent",
        "plain", "prefix", "start", "sure", "whole",
    )  # fmt: skip

    def __init__(self, run: Run, prefix: str) -> None:
        self.parent: Section | None = run.section
        self.prefix: str = prefix if self.parent is None else self.parent.prefix + prefix
        self.start = len(run.decisions)
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
                raise Ended(Status.UNMET, run.site, section=self)

    def outermost_unmet(self) -> Section | None:
        """The outermost section around here whose made-up state is none."""
        around = None if self.parent is None else self.parent.outermost_unmet()
        return around or (None if self.is_met else self)

    def puts_off(self, site: Site) -> bool:
        """Whether a false condition may wait: the end can tell that there is no such state."""
        if not self.is_package:
            return False
        self.failed = self.failed or site
        return True


@contextmanager
def opened(run: Run, prefix: str) -> Iterator[Section]:
    """What happens inside is in a section; behind it the run is back where the section began."""
    section, depth, index = Section(run, prefix), len(run.frames), run.index
    fillings = len(run.fillings)
    run.section = section
    try:
        yield section
    except Ended as end:
        if end.section is not section:
            raise
        section.is_cut = not section.is_short
        while len(run.frames) > depth:
            run.leave(run.method)
    finally:
        section.is_open = False
        run.section = section.parent
        del run.fillings[fillings:]
    run.index = index


@contextmanager
def speaking_for(run: Run, section: Section | None) -> Iterator[None]:
    """What is assumed or made up inside belongs to a section around, or to the run itself."""
    before = run.section
    run.section = section
    try:
        yield
    finally:
        run.section = before


def living(section: Section | None) -> Section | None:
    """The section, or the one around it that is not over."""
    while section is not None and not section.is_open:
        section = section.parent
    return section


def depends(run: Run, section: Section) -> bool:
    """Whether the way through the section was decided by its made-up state."""
    made = section.prefix
    kinds = (Kind.BRANCH, Kind.ASSUME)
    since = run.decisions[section.start :]
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
