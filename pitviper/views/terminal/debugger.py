"""Answers of the debugger as text."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import field, record
from pitviper.results import debugging as d
from pitviper.results.debugging import DebugNode
from pitviper.results.wording import readable_place
from pitviper.source.span import Span
from pitviper.views.paths import display_path
from pitviper.views.terminal.counterexample import result_lines
from pitviper.views.terminal.excerpt import Mark, Page, excerpt
from pitviper.views.terminal.paragraph import folded
from pitviper.views.terminal.style import Painter, Style, visible


@record
class Shown:
    """What of a tree is shown; `depths` are for single nodes."""

    internal: bool = False
    depth: int = 5
    depths: tuple[tuple[int, int], ...] = ()


def tree_lines(nodes: tuple[DebugNode, ...], shown: Shown, paint: Painter) -> list[str]:
    lines = [line for node in nodes for line in _lines(node, shown.depth, shown, paint)]
    return lines or [paint(Style.DIM, "none")]


def _lines(node: DebugNode, depth: int, shown: Shown, paint: Painter) -> Iterator[str]:
    if node.internal and not shown.internal and not node.added:
        return
    left = dict(shown.depths).get(node.id, depth)
    inside = [line for child in node.children for line in _lines(child, left - 1, shown, paint)]
    number = paint(Style.NOTE, f"[{node.id}]")
    yield f"{number} {_text(node, paint)}{_place(node, paint)}"
    if left > 1:
        yield from [f"  {line}" for line in inside]
    elif inside:
        yield f"  {paint(Style.DIM, f'({len(inside)} more: config depth {node.id} N)')}"


def _text(node: DebugNode, paint: Painter) -> str:
    text = visible(node.text)
    if node.removed:
        return paint(Style.REMOVED, f"{text}  (removed)")
    if node.added:
        origin = f"  ({node.description})" if node.description else ""
        return paint(Style.ADDED, f"{text}{origin}")
    if node.internal:
        return paint(Style.DIM, text)
    return paint(Style.TITLE, text) if node.children else text


def _place(node: DebugNode, paint: Painter) -> str:
    if node.span is None or not node.span.file.text:
        return ""
    return paint(Style.DIM, f"  (line {node.span.line})")


INDENT = "    "


@record
class DebuggerView:
    """Colours, and what of trees is shown."""

    page: Page
    shown: Shown = field(default_factory=Shown)

    def text(self, reply: d.Reply) -> str:
        """The answer, with a line end; nothing for the end of the session."""
        lines = self._lines(reply)
        if not isinstance(reply, d.Problem | d.SourceReply | d.CounterexampleReply):
            lines = [part for line in lines for part in self._folded(line)]
        return "".join(f"{line}\n" for line in lines)

    def _lines(self, reply: d.Reply) -> list[str]:
        match reply:
            case d.Errors(errors):
                return self._errors(errors)
            case d.ObligationReply():
                return self._obligation(reply)
            case d.NodeReply():
                return self._nodes(reply)
            case d.ProofReply(proof):
                return self._proof(proof)
            case d.Note(text, warning):
                return [self._note(text, warning=warning)]
            case d.Problem():
                return self._problem(reply)
            case d.StepsReply():
                return self._steps(reply)
            case d.DiffReply():
                return self._diff(reply)
            case d.SourceReply(span, around):
                return self._source(span, around)
            case d.Listing(title, lines, plain):
                if plain:
                    return list(lines)
                return [self._title(title), *[f"{INDENT}{visible(line)}" for line in lines]]
            case d.CounterexampleReply(results):
                return [line for r in results for line in result_lines(r, self.page)]
            case d.Quit():
                return []

    # ------------------------------------------------------------ errors, obligations

    def _errors(self, errors: tuple[d.ErrorView, ...]) -> list[str]:
        lines = []
        several = len({(e.id, e.span) for e in errors}) < len(errors)
        for e in errors:
            mark = "*" if e.chosen else " "
            number = self._paint(Style.NOTE, f"[{e.number}]")
            lines.append(f"{mark}{number} {visible(e.message)} ({readable_place(e.span)})")
            if several and e.branch:
                lines.append(f"{INDENT}  on the path {visible(' && '.join(e.branch))}")
        return lines

    def _obligation(self, reply: d.ObligationReply) -> list[str]:
        lines: list[str] = []
        for section in reply.sections:
            found = self._section(section, reply)
            if found:
                lines += [*([""] if lines else []), *found]
        return lines

    def _section(self, name: str, reply: d.ObligationReply) -> list[str]:
        state = reply.state
        match name:
            case "error" if reply.error is not None:
                return self._error(reply.error)
            case "branch" if state is not None:
                return self._listed("branch conditions", list(state.branch))
            case "store" if state is not None:
                return self._listed("store", [f"{n} -> {value}" for n, value in state.store])
            case "heap" if state is not None:
                return self._listed("heap", [held_line(view) for view in state.heap])
            case "old" if reply.old_heaps is not None:
                return self._old_heaps(reply.old_heaps)
            case "assumptions" if reply.assumptions is not None:
                tree = tree_lines(reply.assumptions, self.shown, self._paint)
                return [self._title("assumptions"), *[f"{INDENT}{line}" for line in tree]]
            case "axioms" if reply.axioms is not None:
                return self._listed("axioms", list(reply.axioms))
            case "goal" if reply.goal is not None:
                return self._goal(reply.goal)
            case _:
                return []

    def _error(self, error: d.ErrorView) -> list[str]:
        place = f"{readable_place(error.span)} (inside {error.member})"
        return [
            self._title("error"),
            f"{INDENT}{visible(place)}",
            f"{INDENT}{self._paint(Style.ERROR, visible(error.message))}",
        ]

    def _goal(self, goal: d.GoalView) -> list[str]:
        lines = [f"{INDENT}{visible(goal.final or goal.text)}"]
        if goal.original and goal.final is not None:
            lines.append(self._paint(Style.DIM, f"{INDENT}that is: {visible(goal.text)}"))
        return [self._title("goal"), *lines]

    def _old_heaps(self, heaps: tuple[tuple[str, tuple[d.HeldView, ...]], ...]) -> list[str]:
        lines = [self._title("old heaps")]
        for label, views in heaps:
            lines.append(f"{INDENT}{self._paint(Style.NOTE, label)}")
            lines += [f"{INDENT}{INDENT}{visible(held_line(view))}" for view in views]
        return lines

    def _listed(self, title: str, lines: list[str]) -> list[str]:
        shown = [visible(line) for line in lines] or [self._paint(Style.DIM, "none")]
        return [self._title(title), *[f"{INDENT}{line}" for line in shown]]

    # ------------------------------------------------------------ assumptions, proofs

    def _nodes(self, reply: d.NodeReply) -> list[str]:
        lines = [self._title(reply.title)] if reply.title else []
        everything = Shown(internal=True, depth=self.shown.depth)
        lines += [f"{INDENT}{line}" for line in tree_lines(reply.nodes, everything, self._paint)]
        if reply.terms:
            for node in reply.nodes:
                lines += self._details(node)
            lines += [f"{INDENT}{line}" for term in reply.terms for line in term.splitlines()]
        return lines

    def _details(self, node: d.DebugNode) -> list[str]:
        lines = []
        if node.original is not None:
            lines.append(f"{INDENT}in the program: {visible(node.original)}")
        if node.description is not None and node.final is not None:
            lines.append(f"{INDENT}kind: {visible(node.description)}")
        if node.span is not None:
            lines.append(f"{INDENT}place: {visible(readable_place(node.span))}")
        return lines

    def _proof(self, proof: d.ProofView) -> list[str]:
        style = {
            d.Outcome.PROVED: Style.HELP,
            d.Outcome.FAILED: Style.ERROR,
            d.Outcome.UNDECIDED: Style.WARNING,
        }[proof.outcome]
        head = self._paint(style, proof.outcome.value)
        solver = "" if proof.solver == "z3" else f" by {proof.solver}"
        lines = [f"{head}{solver}: {visible(proof.goal)}"]
        if proof.why is not None:
            lines.append(f"{INDENT}{visible(proof.why)}")
        return lines

    def _note(self, text: str, *, warning: bool) -> str:
        mark = self._paint(Style.WARNING, "warning:") + " " if warning else ""
        return f"{mark}{visible(text)}"

    def _problem(self, problem: d.Problem) -> list[str]:
        """One line; below it the input with the place marked."""
        lines = self._folded(f"{self._paint(Style.ERROR, 'error:')} {visible(problem.message)}")
        if problem.line:
            width = max(1, problem.end - problem.start)
            mark = " " * problem.start + "^" * width
            lines += [f"{INDENT}{problem.line}", f"{INDENT}{self._paint(Style.ERROR, mark)}"]
        return lines

    def _folded(self, line: str) -> list[str]:
        return folded(line, self.page.columns) if self.page.broken else [line]

    # ------------------------------------------------------------ steps, source

    def _steps(self, reply: d.StepsReply) -> list[str]:
        width = max([len(str(s.number)) for s in reply.steps], default=1)
        lines = [self._title(reply.title)]
        least = min([s.depth for s in reply.steps], default=0)
        for s in reply.steps:
            here = self._paint(Style.NOTE, ">") if s.here else " "
            line = f"l:{s.span.line}" if s.span.file.text else ""
            wrong = "" if s.outcome == "done" else f"  ({s.outcome})"
            text = f"{'  ' * (s.depth - least)}{s.rule} {s.text}"
            number = self._paint(Style.GUTTER, f"{s.number:>{width}}")
            row = f"{here} {number} {line:<6} {visible(text)}{self._paint(Style.ERROR, wrong)}"
            lines.append(row.rstrip())
        if reply.state is not None:
            parts = d.ObligationReply(state=reply.state, sections=("branch", "store", "heap"))
            lines += ["", *self._obligation(parts)]
        return lines

    def _diff(self, reply: d.DiffReply) -> list[str]:
        lines = [self._title(reply.title)]
        changed = [
            (f"{name} -> {value}", added)
            for name, before, after in reply.store
            for value, added in ((before, False), (after, True))
            if value is not None
        ]
        others = [(text, added) for added, text in (*reply.heap, *reply.assumptions)]
        for text, added in (*changed, *others):
            sign, style = ("+", Style.ADDED) if added else ("-", Style.REMOVED)
            lines.append(f"{INDENT}{self._paint(style, f'{sign} {visible(text)}')}")
        return lines if len(lines) > 1 else [*lines, f"{INDENT}nothing differs"]

    def _source(self, span: Span, around: int) -> list[str]:
        file = span.file
        first = max(1, span.line - around)
        last = min(file.line_count, span.end_position[0] + around)
        width = len(str(last))
        lines = [self._paint(Style.TITLE, visible(display_path(file.path)))]
        for number in range(first, last + 1):
            if number == span.line:
                mark = Mark(span, "^", Style.ERROR)
                lines += excerpt(file, (mark,), self.page, width)[1:]
            elif not span.line < number <= span.end_position[0]:
                gutter = self._paint(Style.GUTTER, f"{number:>{width}} |")
                lines.append(f"{gutter} {visible(file.line_text(number))}".rstrip())
        return lines

    def _title(self, text: str) -> str:
        return self._paint(Style.TITLE, f"{text}:")

    def _paint(self, style: Style, text: str) -> str:
        return self.page.paint(style, text)


def held_line(view: d.HeldView) -> str:
    value = "" if view.value is None else f" -> {view.value}"
    before = f"{view.quantifier} " if view.quantifier else ""
    inside = ", ".join([f"{place} -> {held}" for place, held in view.contents])
    contents = f" [{inside}]" if inside else ""
    return f"{before}{view.location}{contents}{value}  # {view.amount}"
