"""Walks through a run on a terminal: a command in, text out."""

from __future__ import annotations

from pitviper.results.steps import Walk

HELP = """\
n, next          the next step, over calls      s, step      into calls
b, back          the step before                c, continue  to the next breakpoint
r, reverse       back to a breakpoint           break LINE   set or remove a breakpoint
p EXPR           a variable or x.next.value     watch EXPR   show it at every step
v, vars          all variables                  h, heap      what is held
w, where         the methods under way          q, quit
"""


class Stepper:
    """Commands on a walk; watched expressions are shown behind each step."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self._watched: list[str] = []

    def place(self) -> str:
        """Where the walk is."""
        step = self.walk.now
        first = step.span.text.strip().splitlines()[0][:70] if step.span.text.strip() else ""
        lines = [f"{step.method}, line {step.line}: {first}"]
        lines += [f"  {e} = {self._value(e)}" for e in self._watched]
        if self.walk.is_last:
            lines.append(f"  the end: {self.walk.ending}")
        return "\n".join(lines)

    def command(self, text: str) -> str | None:
        """What a command answers; None to end."""
        word, _, rest = text.strip().partition(" ")
        moves = {
            "n": self.walk.over, "next": self.walk.over, "s": self.walk.forward,
            "step": self.walk.forward, "b": self.walk.back, "back": self.walk.back,
            "c": self.walk.run, "continue": self.walk.run, "r": self.walk.run_back,
            "reverse": self.walk.run_back, "": self.walk.over,
        }  # fmt: skip
        if word in moves:
            moved = moves[word]()
            return self.place() if moved else "There is no step further that way."
        match word:
            case "q" | "quit":
                return None
            case "break":
                return self._break(rest)
            case "p" | "print":
                return f"{rest} = {self._value(rest)}"
            case "watch":
                self._watched.append(rest.strip())
                return f"{rest} = {self._value(rest)}"
            case "v" | "vars":
                return "\n".join(f"{n} = {v}" for n, v in self.walk.now.values) or "none"
            case "h" | "heap":
                cells = self.walk.now.cells
                shown = [f"{p}  {a}" + (f"  {v}" if v else "") for p, a, v in cells]
                return "\n".join(shown) or "nothing is held"
            case "w" | "where":
                return "\n".join(f"{m}, line {n}" for m, n in reversed(self.walk.now.stack))
            case _:
                return HELP.rstrip()

    def _value(self, expression: str) -> str:
        found = self.walk.evaluate(expression)
        return "no value here" if found is None else found

    def _break(self, text: str) -> str:
        if not text.strip().isdigit():
            return "break LINE, a number"
        line = int(text)
        points = self.walk.breakpoints
        if line in points:
            points.discard(line)
            return f"no breakpoint in line {line} any more"
        points.add(line)
        return f"a breakpoint in line {line}"
