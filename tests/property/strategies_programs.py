"""Hypothesis strategies for small programs together with inputs and decisions for a run.

All programs are accepted by the front end. A writer keeps track of what the program holds and
knows, and mostly uses only that, so many of the programs are correct; once in a while it is
careless: it takes a permission that is not there, or states a fact that is wrong.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pitviper.engines.concrete.options import Inputs, Tape
from pitviper.engines.shared.values import Ref, Value

MAIN = "main"
PARAMS = "x: Ref, y: Ref, n: Int, m: Int, b: Bool"
REFS = ("x", "y")
CARELESS = 14
"""One decision of this many is careless."""

HALF, FULL = 1, 2
AMOUNTS = {HALF: "1/2", FULL: "write"}

MEMBERS: tuple[tuple[str, ...], ...] = (
    ("field f: Int\nfield g: Int",),
    ("predicate cell(c: Ref) { acc(c.f) }",),
    (
        "function double(k: Int): Int ensures result == k + k { 2 * k }",
        "function double(k: Int): Int ensures result >= k { 2 * k }",
    ),
    ("function content(c: Ref): Int requires acc(c.f, wildcard) { c.f }",),
    (
        "function inside(c: Ref): Int requires acc(cell(c), wildcard)\n"
        "{ unfolding acc(cell(c), wildcard) in c.f }",
    ),
    (
        "method bump(c: Ref, by: Int) requires acc(c.f)\n"
        "  ensures acc(c.f) && c.f == old(c.f) + by\n{ c.f := c.f + by }",
        "method bump(c: Ref, by: Int) requires acc(c.f)\n"
        "  ensures acc(c.f) && c.f == old(c.f) + by\n{ c.f := c.f - by }",
    ),
    (
        "method peek(c: Ref) returns (v: Int) requires acc(c.f, 1/2)\n"
        "  ensures acc(c.f, 1/2) && v == c.f\n{ v := c.f }",
        "method peek(c: Ref) returns (v: Int) requires acc(c.f, 1/2)\n"
        "  ensures v == c.f\n{ v := c.f }",
    ),
    (
        "method make(v: Int) returns (c: Ref) ensures acc(c.f) && c.f == v\n"
        "{ c := new(f)\n  c.f := v }",
        "method make(v: Int) returns (c: Ref) ensures acc(c.f) && c.f == v\n{ c := new(f) }",
    ),
    ("method stir(c: Ref) requires acc(c.f) ensures acc(c.f)\n{ c.f := 7 }",),
)
"""The members around the main method, each with its variants: the first one is correct."""


@dataclass(frozen=True)
class Case:
    """A program, what its main method starts with, and the decisions of the run."""

    text: str
    inputs: Inputs
    tape: Tape


SOME_TAPES = (
    Tape(then=0),
    *[Tape(tuple([(first + step * at) % 7 for at in range(60)]), then=first)
      for first, step in ((1, 1), (0, 3), (2, 5), (4, 2))],
)  # fmt: skip
"""For runs that should see different states: two decisions in a row are rarely the same."""


def tapes() -> SearchStrategy[Tape]:
    numbers = st.lists(st.integers(0, 6), max_size=20).map(tuple)
    return st.builds(Tape, numbers, then=st.integers(0, 3))


@st.composite
def inputs(draw: DrawFn) -> Inputs:
    """Values for parameters of the main method and for fields; what is missing is decided later."""
    number = st.integers(-2, 4)
    choices: dict[str, SearchStrategy[Value]] = {
        "x": st.sampled_from((Ref(1), Ref(1), Ref(1), Ref(0))),
        "y": st.sampled_from((Ref(2), Ref(2), Ref(2), Ref(1))),
        "n": number,
        "m": number,
        "b": st.booleans(),
    }
    arguments = {name: draw(values) for name, values in choices.items() if draw(st.booleans())}
    locations = [(Ref(receiver), name) for receiver in (1, 2) for name in ("f", "g")]
    return Inputs(arguments, {at: draw(number) for at in locations if draw(st.booleans())})


@st.composite
def program_texts(draw: DrawFn) -> str:
    members = [_variant(draw, variants) for variants in MEMBERS]
    return "\n".join([*members, _main(draw)]) + "\n"


def cases() -> SearchStrategy[Case]:
    return st.builds(Case, program_texts(), inputs(), tapes())


def _variant(draw: DrawFn, variants: tuple[str, ...]) -> str:
    wrong = len(variants) > 1 and draw(st.integers(1, CARELESS)) == CARELESS
    return variants[1] if wrong else variants[0]


def _main(draw: DrawFn) -> str:
    writer = Writer(draw)
    before = writer.precondition()
    for _ in range(draw(st.integers(1, 7))):
        writer.statement(2)
    after = writer.postcondition()
    head = [f"method {MAIN}({PARAMS}) returns (r: Int)", *before, *after]
    return "\n  ".join(head) + "\n{\n" + "\n".join(writer.lines) + "\n}"


@dataclass
class Knowledge:
    """Values are expressions over the parameters, None if nothing is known.

    `ints` are the variables, `held` amounts of fields, `values` what is in them, `cells` the
    predicate instances with what is in them.
    """

    ints: dict[str, str | None] = field(default_factory=dict)
    held: dict[str, int] = field(default_factory=dict)
    values: dict[str, str | None] = field(default_factory=dict)
    cells: dict[str, tuple[int, str | None]] = field(default_factory=dict)

    def meet(self, other: Knowledge) -> None:
        """What is known on both of two ways here."""
        self.ints = {v: self.ints[v] for v in self.ints if v in other.ints}
        for table, others in ((self.ints, other.ints), (self.values, other.values)):
            for name in table:
                table[name] = table[name] if table[name] == others.get(name) else None
        self.held = {
            at: min(amount, other.held.get(at, 0))
            for at, amount in self.held.items()
            if other.held.get(at, 0)
        }
        self.cells = {at: cell for at, cell in self.cells.items() if other.cells.get(at) == cell}


class Writer:
    """Writes statements, and knows what is true behind them."""

    def __init__(self, draw: DrawFn) -> None:
        self.draw = draw
        self.known = Knowledge({"r": None})
        self.lines: list[str] = []
        self.names = 0

    # ------------------------------------------------------------ decisions

    def pick(self, *choices: str) -> str:
        return self.draw(st.sampled_from(choices))

    def careless(self) -> bool:
        return self.draw(st.integers(1, CARELESS)) == CARELESS

    def fresh(self, hint: str) -> str:
        self.names += 1
        return f"{hint}{self.names}"

    def write(self, line: str) -> None:
        self.lines.append(line)

    # ------------------------------------------------------------ contracts

    def precondition(self) -> list[str]:
        clauses = []
        for at in ("x.f", "y.f", "x.g"):
            amount = self.draw(st.sampled_from((0, HALF, FULL, FULL)))
            if amount:
                self.gain(at, amount, f"old({at})")
                clauses.append(f"requires acc({at}, {AMOUNTS[amount]})")
        if "y.f" not in self.known.held and self.draw(st.booleans()):
            self.known.cells["y"] = (FULL, "old(inside(y))")
            clauses.append("requires cell(y)")
        if self.draw(st.booleans()):
            clauses.append(f"requires {self.pick('n >= 0', 'n < m', 'x != y', 'b', 'n + m > 1')}")
        return clauses

    def postcondition(self) -> list[str]:
        clauses = []
        for at, amount in self.known.held.items():
            if at[0] in REFS and self.draw(st.booleans()):
                given = FULL if self.careless() else amount
                value = self.known.values.get(at)
                fact = "" if value is None else f" && {self.equation(at, value)}"
                clauses.append(f"ensures acc({at}, {AMOUNTS[given]}){fact}")
        for at, (amount, _) in self.known.cells.items():
            if at in REFS and self.draw(st.booleans()):
                clauses.append(f"ensures acc(cell({at}), {AMOUNTS[amount]})")
        if (value := self.known.ints["r"]) is not None:
            clauses.append(f"ensures {self.equation('r', value)}")
        return clauses

    def equation(self, what: str, value: str) -> str:
        if self.careless():
            return f"{what} == {value} + 1"
        return self.pick(f"{what} == {value}", f"{what} <= {value}", f"{what} == {value}")

    # ------------------------------------------------------------ expressions

    def number(self, depth: int = 2) -> tuple[str, str | None]:
        """An integer expression, and its value if it is known."""
        if depth == 0 or self.draw(st.booleans()):
            return self.atom()
        (left, one), (right, other) = self.number(depth - 1), self.number(depth - 1)
        op = self.pick("+", "-", "+", "*")
        if self.careless():
            return f"({left} \\ {right})", None
        text = f"({left} {op} {right})"
        if one is None or other is None or len(one) + len(other) > 40:
            return text, None
        return text, f"({one} {op} {other})"

    def atom(self) -> tuple[str, str | None]:
        literal = str(self.draw(st.integers(0, 3)))
        atoms: dict[str, str | None] = {"n": "n", "m": "m", literal: literal}
        atoms.update(self.known.ints)
        for at, amount in self.known.held.items():
            if amount:
                atoms[at] = self.known.values.get(at)
                if at.endswith(".f"):
                    atoms[f"content({at[:-2]})"] = self.known.values.get(at)
        for at, (_, value) in self.known.cells.items():
            atoms[f"inside({at})"] = value
        atoms["double(n)"] = "(n + n)"
        if self.careless():
            atoms["x.f"] = None
        text = self.draw(st.sampled_from(sorted(atoms)))
        return text, atoms[text]

    def condition(self, depth: int = 1) -> str:
        if depth and self.draw(st.integers(0, 3)) == 0:
            parts = self.condition(depth - 1), self.condition(depth - 1)
            return f"({parts[0]} {self.pick('&&', '||', '==>')} {parts[1]})"
        simple = self.pick("b", "!b", "x == y", "x != null", "compare", "compare", "compare")
        if simple != "compare":
            return simple
        op = self.pick("<", "<=", "==", "!=")
        return f"{self.number(1)[0]} {op} {self.number(1)[0]}"

    # ------------------------------------------------------------ statements

    def statement(self, depth: int) -> None:
        rules: list[Callable[[], None]] = [
            self.declare, self.assign, self.store, self.check, self.check, self.exhale,
            self.inhale, self.fold, self.unfold, self.call, self.allocate, self.assume,
        ]  # fmt: skip
        if depth:
            rules += [lambda: self.branch(depth - 1), lambda: self.loop(), self.quantify]
        self.draw(st.sampled_from(rules))()

    def declare(self) -> None:
        name = self.fresh("k")
        text, value = self.number()
        self.write(f"var {name}: Int := {text}")
        self.known.ints[name] = value

    def assign(self) -> None:
        name = self.draw(st.sampled_from(sorted(self.known.ints)))
        text, value = self.number()
        self.write(f"{name} := {text}")
        self.known.ints[name] = value

    def gain(self, at: str, amount: int, value: str | None) -> None:
        self.known.held[at] = self.known.held.get(at, 0) + amount
        self.known.values.setdefault(at, value)

    def lose(self, at: str, amount: int) -> None:
        self.known.held[at] -= amount
        if self.known.held[at] <= 0:
            del self.known.held[at]
            self.known.values.pop(at, None)

    def location(self, least: int, ending: str = "") -> str | None:
        """A field to which at least so much is held (or perhaps not, out of carelessness)."""
        if self.careless():
            return f"x{ending or '.f'}"
        held = [at for at, a in self.known.held.items() if a >= least and at.endswith(ending)]
        return self.draw(st.sampled_from(sorted(held))) if held else None

    def store(self) -> None:
        if (at := self.location(FULL)) is not None:
            text, value = self.number()
            self.write(f"{at} := {text}")
            if at in self.known.held:
                self.known.values[at] = value

    def check(self) -> None:
        facts = [(v, value) for v, value in self.known.ints.items() if value is not None]
        facts += [(at, v) for at, v in self.known.values.items() if v is not None]
        facts += [(f"inside({c})", v) for c, (_, v) in self.known.cells.items() if v is not None]
        for at, amount in self.known.held.items():
            facts.append((f"perm({at})", AMOUNTS.get(amount, "2/1")))
        if not facts or self.careless():
            self.write(f"assert {self.condition()}")
        else:
            what, value = self.draw(st.sampled_from(facts))
            is_perm = what.startswith("perm")
            text = f"{what} == {value}" if is_perm else self.equation(what, value or "0")
            self.write(f"assert {text}")

    def exhale(self) -> None:
        amount = self.draw(st.sampled_from((HALF, FULL)))
        if (at := self.location(amount)) is not None:
            self.write(f"exhale acc({at}, {AMOUNTS[amount]})")
            if at in self.known.held:
                self.lose(at, amount)

    def inhale(self) -> None:
        at = self.pick("x.f", "y.f", "x.g")
        held = self.known.held.get(at, 0)
        if held < FULL and at[0] not in self.known.cells:
            self.write(f"inhale acc({at}, {AMOUNTS[FULL - held]})")
            self.gain(at, FULL - held, None)

    def fold(self) -> None:
        amount = self.draw(st.sampled_from((HALF, FULL, FULL)))
        at = self.location(amount, ".f")
        if at is None:
            return
        owner = at[:-2]
        self.write(f"fold acc(cell({owner}), {AMOUNTS[amount]})")
        before, value = self.known.cells.get(owner, (0, self.known.values.get(at)))
        if self.known.held.get(at, 0) >= amount:
            self.known.cells[owner] = (before + amount, value)
            self.lose(at, amount)

    def unfold(self) -> None:
        if not self.known.cells:
            return
        owner = self.draw(st.sampled_from(sorted(self.known.cells)))
        amount, value = self.known.cells.pop(owner)
        if amount in AMOUNTS:
            self.write(f"unfold acc(cell({owner}), {AMOUNTS[amount]})")
            self.gain(f"{owner}.f", amount, value)

    def call(self) -> None:
        name = self.pick("bump", "peek", "stir", "make")
        if name == "make":
            self.call_make()
            return
        at = self.location(HALF if name == "peek" else FULL, ".f")
        if at is None:
            return
        owner, value = at[:-2], self.known.values.get(at)
        if name == "peek":
            target = self.draw(st.sampled_from(sorted(self.known.ints)))
            self.write(f"{target} := peek({owner})")
            if self.known.held.get(at) == HALF:
                value = self.known.values[at] = None  # all of it was given away for a while
            self.known.ints[target] = value
        elif name == "bump":
            text, more = self.number(1)
            self.write(f"bump({owner}, {text})")
            known = value is not None and more is not None
            self.known.values[at] = f"({value} + {more})" if known else None
        else:
            self.write(f"stir({owner})")
            self.known.values[at] = None

    def call_make(self) -> None:
        name = self.fresh("c")
        text, value = self.number(1)
        self.write(f"var {name}: Ref\n{name} := make({text})")
        self.gain(f"{name}.f", FULL, value)

    def allocate(self) -> None:
        name = self.fresh("o")
        self.write(f"var {name}: Ref\n{name} := new(f)\nassert {name} != x && {name} != y")
        self.gain(f"{name}.f", FULL, None)

    def assume(self) -> None:
        self.write(f"assume {self.pick('n <= m', 'x != null', 'n != 0', 'b || n > 0')}")

    def quantify(self) -> None:
        name, index = self.fresh("s"), self.fresh("i")
        elements = [self.number(1)[0] for _ in range(self.draw(st.integers(1, 3)))]
        least = self.pick("-9", "-1", "0")
        start = "0" if not self.careless() else "-1"
        self.write(f"var {name}: Seq[Int] := Seq({', '.join(elements)})")
        self.write(f"assume forall {index}: Int :: {index} in {name} ==> {index} >= {least}")
        again = self.fresh("i")
        self.write(
            f"assert forall {again}: Int :: {start} <= {again} && {again} < |{name}| ==> "
            f"{name}[{again}] >= {least}"
        )

    def branch(self, depth: int) -> None:
        condition = self.condition()
        before, outside = copy.deepcopy(self.known), self.lines
        ends: list[tuple[Knowledge, list[str]]] = []
        for _ in range(2):
            self.known, self.lines = copy.deepcopy(before), []
            for _ in range(self.draw(st.integers(0, 3))):
                self.statement(depth)
            ends.append((self.known, self.lines))
        (then, then_lines), (otherwise, other_lines) = ends
        self.known, self.lines = then, outside
        inside = ["{", *then_lines, "} else {", *other_lines, "}"]
        self.write(f"if ({condition}) " + "\n".join(inside))
        self.known.meet(otherwise)
        self.forget_locals(before)

    def forget_locals(self, before: Knowledge) -> None:
        """What a block declares is not visible behind it."""
        self.known.ints = {v: e for v, e in self.known.ints.items() if v in before.ints}
        owners = {*REFS, *[at[:-2] for at in before.held], *before.cells}
        held = {at: a for at, a in self.known.held.items() if at[:-2] in owners}
        self.known.held = held
        self.known.values = {at: v for at, v in self.known.values.items() if at in held}
        self.known.cells = {c: v for c, v in self.known.cells.items() if c in owners}

    def loop(self) -> None:
        """Counts up, and adds to a field at each step; the invariant may say too little."""
        at = self.location(FULL)
        if at is None or at not in self.known.held:
            return
        count, steps, more = self.fresh("k"), self.draw(st.integers(0, 3)), self.pick("1", "n", "2")
        value = self.known.values.get(at)
        clauses = [f"0 <= {count}", f"{count} <= {steps}", f"acc({at})"]
        if value is not None:
            clauses.append(f"{at} == {value} + {count} * {more}")
        if self.careless():
            clauses.pop(self.draw(st.integers(0, len(clauses) - 1)))
            value = None
        self.write(f"var {count}: Int := 0\nwhile ({count} < {steps})")
        self.lines += [f"  invariant {clause}" for clause in clauses]
        self.write(f"{{\n{count} := {count} + 1\n{at} := {at} + {more}\n}}")
        self.known.ints[count] = str(steps)
        self.known.values[at] = None if value is None else f"({value} + {steps} * {more})"
