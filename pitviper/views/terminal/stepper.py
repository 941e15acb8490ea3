"""Walks through a run on a terminal: a command in, text out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pitviper.results.steps import Breakpoint, Shown, Step, Walk
from pitviper.views.terminal.style import Painter, Style, plain, visible

HELP = """\
moving
  n, next           the next step, over calls (an empty line does the same)
  s, step           the next step, into calls
  o, out            until the method is left
  b, back           the step before               bn            the same, over calls
  c, continue       to the next breakpoint        r, reverse    back to a breakpoint
  start, end        to the first, the last step   goto N        to step N
stopping
  break LINE        a line; again to remove it    break METHOD  where a method begins
  break ... if E    only where E is true          breaks        all of them
looking
  p E               the value of an expression, written as in the program: x.next.val, old(x.f)
  watch E           show it at every step; again to remove it
  v, vars           all variables                 h, heap       permissions and predicates
  look NAME         a variable or a location with what is inside: objects, elements, instances
  w, where          the methods under way         l, list       the source around
  q, quit"""

_BREAK = re.compile(r"(?P<at>[\w$]+)(?:\s+if\s+(?P<condition>.+))?")
AROUND = 4
"""Lines of the source that are shown before and behind a place."""


class Stepper:
    """Commands on a walk; watched expressions are shown behind each step."""

    def __init__(self, walk: Walk, paint: Painter = plain) -> None:
        self.walk = walk
        self._paint = paint
        self._watched: list[str] = []
        self._moves: dict[str, Callable[[], bool]] = {
            "": walk.over, "n": walk.over, "next": walk.over, "s": walk.forward,
            "step": walk.forward, "o": walk.out, "out": walk.out, "b": walk.back,
            "back": walk.back, "bn": walk.over_back, "c": walk.run, "continue": walk.run,
            "r": walk.run_back, "reverse": walk.run_back,
        }  # fmt: skip

    def place(self) -> str:
        """Where the walk is."""
        step = self.walk.now
        where = self._paint(Style.TITLE, f"{visible(step.method)}, line {step.line}")
        lines = [f"{where}: {_first_line(step)}"]
        lines += [f"  {self._shown(e)}" for e in self._watched]
        if self.walk.is_last:
            failed = self.walk.ending.failure is not None
            style = Style.ERROR if failed else Style.NOTE
            lines.append(f"  {self._paint(style, 'the end')}: {visible(self.walk.ending.text)}")
        return "\n".join(lines)

    def command(self, text: str) -> str | None:
        """What a command answers; None to end."""
        word, _, rest = text.strip().partition(" ")
        rest = rest.strip()
        if word in self._moves:
            moved = self._moves[word]()
            return self._arrived() if moved else "There is no step further that way."
        match word:
            case "q" | "quit":
                return None
            case "start":
                return self._jump(0)
            case "end":
                return self._jump(len(self.walk.steps) - 1)
            case "goto":
                return self._jump(int(rest) - 1 if rest.isdecimal() else -1)
            case "break":
                return self._break(rest)
            case "p" | "print":
                return self._shown(rest)
            case "watch":
                return self._watch(rest)
            case "look":
                return self._inside(rest)
            case _:
                return self._look(word)

    def _look(self, word: str) -> str:
        now = self.walk.now
        match word:
            case "v" | "vars":
                return "\n".join(f"{n} = {v}" for n, v in now.values) or "no variables"
            case "h" | "heap":
                return _held(now)
            case "w" | "where":
                return "\n".join(f"{f.method}, line {f.span.line}" for f in reversed(now.stack))
            case "breaks":
                return "\n".join(map(_named, self.walk.breakpoints)) or "no breakpoints"
            case "l" | "list":
                return self._source()
            case "?" | "help":
                return HELP
            case _:
                return f"There is no command {visible(word)}; ? lists them."

    # ------------------------------------------------------------ moving

    def _arrived(self) -> str:
        point = self.walk.hit()
        if point is None or not point.condition:
            return self.place()
        problem = self.walk.evaluate(point.condition).problem
        why = f"\n  the condition {visible(point.condition)} has no value here: {visible(problem)}"
        return f"{self.place()}{why if problem else ''}"

    def _jump(self, step: int) -> str:
        if not 0 <= step < len(self.walk.steps):
            return f"goto N, a number from 1 to {len(self.walk.steps)}"
        self.walk.at = step
        return self.place()

    def _break(self, text: str) -> str:
        match = _BREAK.fullmatch(text)
        if match is None:
            return "break LINE or break METHOD, perhaps with a condition: break 12 if x > 3"
        at, condition = match["at"], (match["condition"] or "").strip()
        point = Breakpoint(int(at), "", condition) if at.isdecimal() else None
        point = point or Breakpoint(0, at, condition)
        points = self.walk.breakpoints
        if point in points:
            points.remove(point)
            return f"no longer {_named(point)}"
        others = [p for p in points if (p.line, p.method) != (point.line, point.method)]
        points[:] = [*others, point]
        return f"{_named(point)}{self._warning(point)}"

    def _warning(self, point: Breakpoint) -> str:
        """Nothing forbids a breakpoint where the run never comes, but it is worth a word."""
        steps = self.walk.steps
        if any(point.method in (s.method, "") and point.line in (s.line, 0) for s in steps):
            return ""
        return "; this run does not come there"

    # ------------------------------------------------------------ looking

    def _watch(self, expression: str) -> str:
        if not expression:
            return "\n".join(map(self._shown, self._watched)) or "nothing is watched"
        if expression in self._watched:
            self._watched.remove(expression)
            return f"{visible(expression)} is no longer watched"
        self._watched.append(expression)
        return self._shown(expression)

    def _inside(self, name: str) -> str:
        """A value, and below it what it consists of."""
        scopes = self.walk.scopes(self.walk.at)
        found = [value for scope in scopes for value in scope.values if value.name == name]
        if not found:
            return f"There is no {visible(name)} here; vars and heap list what there is."
        return "\n".join([line for value in found[:1] for line in _tree(value, "")])

    def _shown(self, expression: str) -> str:
        found = self.walk.evaluate(expression)
        if found.problem:
            problem = self._paint(Style.WARNING, "no value")
            return f"{visible(expression)}: {problem}: {visible(found.problem)}"
        return f"{visible(expression)} = {visible(found.value)}"

    def _source(self) -> str:
        step = self.walk.now
        lines = step.span.file.text.splitlines()
        first = max(1, step.line - AROUND)
        shown = []
        for number in range(first, min(len(lines), step.line + AROUND) + 1):
            mark = self._paint(Style.TITLE, "->") if number == step.line else "  "
            gutter = self._paint(Style.GUTTER, f"{number:>4}")
            shown.append(f"{mark} {gutter}  {visible(lines[number - 1])}".rstrip())
        return "\n".join(shown)


def _tree(value: Shown, indent: str) -> Iterator[str]:
    yield f"{indent}{visible(value.name)} = {visible(value.value)}"
    for part in value.inner:
        yield from _tree(part, indent + "  ")


def _first_line(step: Step) -> str:
    text = step.span.text.strip()
    return visible(text.splitlines()[0][:70]) if text else ""


def _held(step: Step) -> str:
    if not step.cells:
        return "nothing is held"
    places = max(len(place) for place, _, _ in step.cells)
    amounts = max(len(amount) for _, amount, _ in step.cells)
    rows = [
        f"{place:<{places}}  {amount:>{amounts}}  {value}" for place, amount, value in step.cells
    ]
    return "\n".join(row.rstrip() for row in rows)


def _named(point: Breakpoint) -> str:
    where = f"where {point.method} begins" if point.method else f"in line {point.line}"
    condition = f" if {visible(point.condition)}" if point.condition else ""
    return f"a breakpoint {where}{condition}"
