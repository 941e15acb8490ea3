"""Adds runs up to what is known about a method: counts, coverage, assertions, what is open."""

from __future__ import annotations

from pitviper.explore.adapters.viper_call import entry_name
from pitviper.explore.analysis.graph import Graph, graph_of
from pitviper.explore.analysis.initialised import uninitialised
from pitviper.explore.model.instruction import Branch, Call, Constraint
from pitviper.explore.model.printer import term_text
from pitviper.explore.model.program import Method, Model
from pitviper.explore.model.term import Literal, Operation, Term
from pitviper.explore.runtime.run import Run, Site, Status
from pitviper.results.exploration import (
    BranchCount,
    ExploredRun,
    LineCount,
    MethodExploration,
    Picture,
    Place,
    Static,
)
from pitviper.source.record import record
from pitviper.source.span import NO_SPAN, Span

FINISHED = (Status.PASSED, Status.FAILED, Status.UNMET, Status.RETRY, Status.INFEASIBLE)
"""Ends that leave nothing open; all others are reasons against completeness."""


@record
class Trace:
    """Where a run came by: plain data that goes between processes."""

    covered: tuple[Site, ...] = ()
    edges: tuple[tuple[str, int, int], ...] = ()
    reached: tuple[Site, ...] = ()
    failed: Site | None = None


def trace_of(run: Run | None) -> Trace:
    if run is None:
        return Trace()
    return Trace(tuple(run.covered), tuple(run.edges), tuple(run.reached), run.site)


class Summary:
    """Grows with every run."""

    def __init__(self, model: Model, method: str) -> None:
        self._model = model
        self._method = method
        self._runs: list[ExploredRun] = []
        self._counts: dict[str, int] = {}
        self._open: dict[str, None] = {}
        self._covered: dict[Site, int] = {}
        self._edges: dict[tuple[str, int, int], int] = {}
        self._reached: dict[Site, int] = {}
        self._failed: dict[Site, int] = {}
        self._left = 0

    def add(self, run: ExploredRun, trace: Trace) -> None:
        self._runs.append(run)
        self._counts[run.status] = self._counts.get(run.status, 0) + 1
        if Status(run.status) not in FINISHED:
            self._open[f"{run.status}: {run.detail}" if run.detail else run.status] = None
            self._left += 1
        for what in run.unjudged:
            self._open[what] = None
        if run.status == Status.UNMET.value and trace.failed is not None:
            self._note_assumption(trace.failed[0])
        for site in trace.covered:
            self._covered[site] = self._covered.get(site, 0) + 1
        for edge in trace.edges:
            self._edges[edge] = self._edges.get(edge, 0) + 1
        for site in trace.reached:
            self._reached[site] = self._reached.get(site, 0) + 1
        if run.finding is not None and trace.failed is not None:
            self._failed[trace.failed] = self._failed.get(trace.failed, 0) + 1

    def _note_assumption(self, method: str) -> None:
        """What the body of a callee assumes is none of the caller's promises."""
        is_member = " " not in method
        if is_member and method != self._method:
            self._open[f"an assumption in the body of method {method} was not met"] = None

    def left_open(self, entries: int) -> None:
        """The search ended with so many paths that nobody has run."""
        self._left += entries
        if entries:
            self._open[f"the limit of the search was reached, {entries} paths are open"] = None

    def remark(self, why: str) -> None:
        self._open[why] = None

    def result(self, seconds: float) -> MethodExploration:
        body = self._model.methods[self._method]
        if (self._method, 0) not in self._covered:
            self._open["no input came as far as the body"] = None
        elif not self._counts.keys() & {Status.PASSED.value, Status.FAILED.value}:
            self._open["no run came to its end"] = None
        graph = graph_of(body)
        return MethodExploration(
            self._method,
            tuple(self._runs),
            dict(sorted(self._counts.items())),
            tuple(self._open),
            self._places(),
            self._lines(),
            self._branches(),
            _static(body, graph),
            self._picture(body, graph),
            seconds,
            tuple([m.member for m in self._methods() if self._is_inlined(m)]),
            left=self._left,
        )

    def _is_inlined(self, method: Method) -> bool:
        """Whether a run of the body knows more than a verifier: callees, recursive functions."""
        if method.name == self._method:
            return any(self._calls(site, method.name) for site in self._covered)
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
        called = {name for name, _ in self._covered}
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
                    max(self._reached.get(site, 0), 0 if before is None else before.reached),
                    self._failed.get(site, 0) + (0 if before is None else before.failed),
                )
        return tuple(sorted(found.values(), key=lambda p: (p.span.file.name, p.span.start)))

    def _lines(self) -> tuple[LineCount, ...]:
        runs: dict[tuple[str, int], int] = {}
        for method in self._methods():
            for index, instruction in enumerate(method.instructions):
                span = instruction.span
                if span is NO_SPAN or _is_whole(span):
                    continue
                key = (str(span.file.path), span.line)
                runs[key] = max(runs.get(key, 0), self._covered.get((method.name, index), 0))
        return tuple([LineCount(f, line, n) for (f, line), n in sorted(runs.items())])

    def _branches(self) -> tuple[BranchCount, ...]:
        found = []
        for method in self._methods():
            for index, instruction in enumerate(method.instructions):
                if not isinstance(instruction, Branch) or isinstance(
                    instruction.condition, Literal
                ):
                    continue
                span = instruction.span
                jumped = self._edges.get((method.name, index, 1), 0)
                on = self._edges.get((method.name, index, 0), 0)
                found.append(BranchCount(str(span.file.path), span.line, method.member, jumped, on))
        return tuple(found)

    def _picture(self, body: Method, graph: Graph) -> Picture:
        """Blocks that consist of jumps only say so."""
        blocks = []
        for block in graph.blocks:
            if block.number not in graph.reachable:
                continue
            lines: dict[str, None] = {}
            for instruction in body.instructions[block.start : block.end]:
                text = instruction.span.text.strip().splitlines()
                if text and not _is_whole(instruction.span):
                    lines[f"{instruction.span.line}: {text[0][:48]}"] = None
            covered = (body.name, block.start) in self._covered
            blocks.append((block.number, "\n".join(lines) or "·", covered))
        edges = []
        for t in graph.transitions:
            if t.source not in graph.reachable:
                continue
            if t.branch is None:
                end = graph.blocks[t.source].end - 1
                runs = self._covered.get((body.name, end), 0)
                edges.append((t.source, t.target, "", runs))
            else:
                assert t.condition is not None
                side = 1 if t.when else 0
                label = _said(t.condition, holds=t.when)
                runs = self._edges.get((body.name, t.branch, side), 0)
                edges.append((t.source, t.target, label, runs))
        return Picture(body.name, tuple(blocks), tuple(edges))


def _said(condition: Term, *, holds: bool) -> str:
    """A condition, or its opposite, without a double negation."""
    if not holds and isinstance(condition, Operation) and condition.operator == "not":
        return term_text(condition.args[0])
    text = term_text(condition)
    return text if holds else f"not {text}"


def _is_whole(span: Span) -> bool:
    """Whether a place is a whole declaration: instructions of no line in particular."""
    return span.text.count("\n") > 0 and span.text.lstrip().startswith(("method", "@"))


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
        tuple(uninitialised(body, graph)),
    )
