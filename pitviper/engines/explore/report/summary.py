"""Adds runs up to what is known about a method: counts, coverage, assertions, what is open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter

from pitviper.base.record import names_of, replace
from pitviper.engines.explore.analysis.dataflow import uninitialised
from pitviper.engines.explore.analysis.graph import Graph, graph_of
from pitviper.engines.explore.analysis.model_facts import admitted_by
from pitviper.engines.explore.model.program import Call, Constraint, Method, Model
from pitviper.engines.explore.model.term import HIDDEN
from pitviper.engines.explore.notes import FAILS_WHERE_USED
from pitviper.engines.explore.report.attempts import Attempt, Repeatable, Tally, Trace
from pitviper.engines.explore.report.flow_graph import (
    Counts,
    conditions_of,
    is_jump,
    is_whole,
    picture_of,
)
from pitviper.engines.explore.runtime.ending import Site, Status
from pitviper.engines.explore.search.path_tree import arranged
from pitviper.engines.explore.viper.calls import entry_name
from pitviper.engines.explore.viper.functions import method_name
from pitviper.results.exploration import (
    BranchCount,
    ExploredRun,
    LineCount,
    MemberCount,
    MethodExploration,
    Picture,
    Place,
    Static,
)
from pitviper.source.span import NO_SPAN, Span

_behind_parent = attrgetter(*names_of(ExploredRun)[2:])
"""All of a run but its number and its parent."""


class Summary:
    """Grows with every run."""

    def __init__(self, model: Model, method: str) -> None:
        self._model = model
        self._method = method
        self._attempts: list[Attempt] = []
        self._tally = Tally(method)
        self._left = 0

    def add(self, attempt: Attempt, trace: Trace) -> None:
        self._attempts.append(attempt)
        self._tally.add(attempt.run, trace)

    def merge(self, attempts: Iterable[Attempt], tally: Tally) -> None:
        """What another process found."""
        self._attempts += attempts
        self._tally.merge(tally)

    def add_missing(self, found: Iterable[tuple[Attempt, Trace]]) -> None:
        """Failing runs that the search did not come to; a path that it went is known."""
        paths = {attempt.path for attempt in self._attempts}
        for attempt, trace in found:
            if attempt.path not in paths:
                paths.add(attempt.path)
                self.add(attempt, trace)

    def left_open(self, entries: int, limit: str = "") -> None:
        """The search ended with so many paths that nobody has run, because of a limit."""
        self._left += entries
        if entries:
            which = f" ({limit})" if limit else ""
            paths = "1 path is open" if entries == 1 else f"{entries} paths are open"
            self.remark(f"the limit of the search was reached{which}, {paths}")

    def cut_short(self, entries: int, why: str) -> None:
        """Somebody wanted an end while so many paths waited."""
        self._left += entries + 1
        self.remark(why)

    def remark(self, why: str) -> None:
        self._tally.open[why] = None

    def first_failures(self) -> list[Repeatable]:
        """Of failures at the same place the one that stands first, with and without doubts."""
        found: dict[tuple[Site | None, bool], Attempt] = {}
        failures = [a for a in self._attempts if a.run.finding is not None]
        for attempt in sorted(failures, key=lambda a: (len(a.path), a.path)):
            found.setdefault((attempt.site, bool(attempt.run.doubts)), attempt)
        return [attempt.repeatable() for attempt in found.values()]

    def show(self, shown: Mapping[str, ExploredRun]) -> None:
        """Other inputs for the same failures, by path."""
        for index, attempt in enumerate(self._attempts):
            if attempt.path in shown and attempt.run.finding is not None:
                self._attempts[index] = replace(attempt, run=shown[attempt.path])

    def _runs(self) -> tuple[ExploredRun, ...]:
        attempts = self._attempts
        places = arranged([a.path for a in attempts], [a.has_run for a in attempts])
        return tuple(
            [
                ExploredRun(number, place.parent, *_behind_parent(attempts[place.index].run))
                for number, place in enumerate(places)
            ]
        )

    def _unmet_assumptions(self) -> int:
        """How many runs ended where the body of a callee assumes something that somebody wrote."""
        runs = 0
        for (method, at), count in self._tally.assumed.items():
            if self._model.methods[method].instructions[at].span.text:
                self.remark(f"an assumption in the body of method {method} was not met")
                runs += count
        return runs

    def result(self, seconds: float) -> MethodExploration:
        body, tally = self._model.methods[self._method], self._tally
        unmet = self._unmet_assumptions()
        if (self._method, 0) not in tally.covered:
            self.remark("no input came as far as the body")
        elif not tally.counts.keys() & {Status.PASSED.value, Status.FAILED.value}:
            self.remark("no run came to its end")
        if not one_footprint([attempt.run for attempt in self._attempts]):
            self.remark("what a package takes depends on its left-hand side")
        cut = self._failing_callees()
        for name in dict.fromkeys(cut):
            self.remark(f"{name} {FAILS_WHERE_USED}")
        graph = graph_of(body)
        return MethodExploration(
            self._method,
            self._runs(),
            dict(sorted(tally.counts.items())),
            tuple(sorted(tally.open)),
            self._places(),
            self._lines(),
            self._branches(),
            self._static(body, graph),
            self._picture(body, graph),
            seconds,
            tuple([m.member for m in self._methods() if self._is_inlined(m)]),
            left=self._left + tally.left + len(cut) + unmet,
            members=self._members(),
        )

    def _failing_callees(self) -> list[str]:
        """What runs failed in, other than the method: they were not run to the end of that."""
        found = [a.run.finding.member for a in self._attempts if a.run.finding is not None]
        return [name for name in found if name != self._method]

    def _is_inlined(self, method: Method) -> bool:
        """Whether a run of the body knows more than a verifier: callees, recursive functions."""
        if method.name == self._method:
            return any(self._calls(site, method.name) for site in self._tally.covered)
        if " " not in method.name:
            return True
        seen: dict[str, None] = {}
        todo = [method.name]
        while todo:
            called = [
                i.method
                for i in self._model.methods[todo.pop()].instructions
                if isinstance(i, Call) and not i.native
            ]
            if method.name in called:
                return True
            todo += [name for name in called if name not in seen]
            seen.update(dict.fromkeys(called))
        return False

    def _calls(self, site: Site, method: str) -> bool:
        """Whether a method is called there; an entry calls its method in place of a caller."""
        caller, index = site
        instruction = self._model.methods[caller].instructions[index]
        if not isinstance(instruction, Call) or instruction.native:
            return False
        return instruction.method == method and caller != entry_name(method)

    def _methods(self) -> list[Method]:
        """The method itself and what its runs called; not its entry, which is no code."""
        called = {name for name, _ in self._tally.covered}
        entry = entry_name(self._method)
        return [
            m
            for m in self._model.methods.values()
            if m.name != entry and (m.name == self._method or m.name in called)
        ]

    def _places(self) -> tuple[Place, ...]:
        """Assertions of the source, each once, whatever number of constraints it is."""
        found: dict[tuple[Span, str], Place] = {}
        for method in [*self._methods(), self._model.methods[entry_name(self._method)]]:
            for index, instruction in enumerate(method.instructions):
                if not isinstance(instruction, Constraint) or instruction.blame is None:
                    continue
                blame, site = instruction.blame, (method.name, index)
                before = found.get((blame.span, blame.error))
                found[blame.span, blame.error] = Place(
                    blame.span,
                    blame.member,
                    blame.error,
                    max(self._tally.reached.get(site, 0), 0 if before is None else before.reached),
                    self._tally.failed.get(site, 0) + (0 if before is None else before.failed),
                )
        return tuple(sorted(found.values(), key=lambda p: (p.span.file.name, p.span.start)))

    def _lines(self) -> tuple[LineCount, ...]:
        found: dict[tuple[str, int], LineCount] = {}
        for method in self._methods():
            for index, instruction in enumerate(method.instructions):
                span = instruction.span
                if is_whole(span, method) or is_jump(instruction):
                    continue
                key = (str(span.file.path), span.line)
                runs = self._tally.covered.get((method.name, index), 0)
                before = found.get(key)
                if before is None or before.runs < runs:
                    found[key] = LineCount(*key, runs, method.member)
        return tuple([found[key] for key in sorted(found)])

    def _branches(self) -> tuple[BranchCount, ...]:
        counts = self._all_counts()
        return tuple(
            [
                BranchCount(str(span.file.path), span.line, method.member, held, failed)
                for method in self._methods()
                for span, held, failed in conditions_of(method, counts)
            ]
        )

    def _members(self) -> tuple[MemberCount, ...]:
        found = []
        for method in self._methods():
            span = method.instructions[0].span
            runs = self._tally.covered.get((method.name, 0), 0)
            if span is not NO_SPAN:
                found.append(MemberCount(str(span.file.path), span.line, method.member, runs))
        return tuple(found)

    def _all_counts(self) -> Counts:
        return Counts(self._tally.covered, self._tally.edges, self._tally.failed)

    def _static(self, body: Method, graph: Graph) -> Static:
        function = self._model.methods.get(method_name(self._method))
        return _static(body, graph) if function is None else _static(function, graph_of(function))

    def _picture(self, body: Method, graph: Graph) -> Picture:
        """That of a function is the one of its body: the method of its name only applies it."""
        counts = replace(self._all_counts(), is_complete=not self._tally.open)
        function = self._model.methods.get(method_name(self._method))
        if function is None:
            known = admitted_by(entry_name(self._method), body.name, self._model)
            return picture_of(body, graph, counts, known)
        return replace(picture_of(function, graph_of(function), counts), method=self._method)


def one_footprint(runs: Iterable[ExploredRun]) -> bool:
    """Whether runs that agree on all before a package took the same (`NOTE(one-footprint)`)."""
    found: dict[str, tuple[str, ...]] = {}
    return all(
        found.setdefault(before, taken) == taken for run in runs for before, taken in run.packages
    )


def _static(body: Method, graph: Graph) -> Static:
    dead = {body.instructions[i].span.line for i in graph.dead_instructions()}
    alive = {
        body.instructions[i].span.line
        for b in graph.blocks
        if b.number in graph.reachable
        for i in range(b.start, b.end)
    }
    return Static(
        len(graph.reachable),
        graph.loops,
        graph.paths,
        tuple(sorted(dead - alive)),
        tuple([name for name in uninitialised(body, graph) if not name.startswith(HIDDEN)]),
    )
