"""Random methods of which it is known whether they are right: all their inputs are run.

Preconditions bound every input (numbers, collections, objects and their fields), so that there are
only some hundreds of them, and the interpreter says for each how it ends. What exploration or a
verifier says about such a method is true or false, not a matter of opinion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from random import Random

from pitviper.base.record import record, replace
from pitviper.driver.front.frontend import load_text
from pitviper.engines.concrete.interpreter import run_member
from pitviper.engines.concrete.options import Calls, Inputs, Loops, Options, Tape
from pitviper.engines.concrete.outcome import Failed, Infeasible, NeedsChoice, Outcome, Passed
from pitviper.engines.shared.values import NULL, Ref, Value, finite_map, multiset_of
from pitviper.program.member import Program
from pitviper.results.exploration import Claim, MethodExploration

METHOD = "main"
THEMES = (
    "alias",
    "amounts",
    "functions",
    "links",
    "loops",
    "maps",
    "multisets",
    "new",
    "predicates",
    "quantifiers",
    "sequences",
    "sets",
    "unknown",
)
"""What a method may be about; numbers and branches are part of all."""

RUN = Options(loops=Loops.ITERATE, calls=Calls.INLINE, steps=3000)
MOST = 600
"""Inputs of a method: one with more is not judged."""
ANSWERS, QUESTIONS = 6, 3
"""A question inside of a run has at most so many answers; with more questions it is not judged."""
LARGEST = 12
"""No number of a sharp assertion is larger."""


@record
class Drawn:
    """A method as text, with `{limit}` where its last assertion may be made sharp."""

    text: str
    themes: tuple[str, ...]
    inputs: tuple[Inputs, ...]

    def with_limit(self, limit: int) -> Drawn:
        return Drawn(self.text.replace("{limit}", str(limit)), self.themes, self.inputs)


@record
class Truth:
    """`fails` are the checks that fail for some input, by line and id; `runs` were run for it."""

    fails: frozenset[tuple[int, str]]
    runs: int

    @property
    def is_right(self) -> bool:
        return not self.fails


@record
class Known:
    """A method and the truth about it."""

    drawn: Drawn
    program: Program
    truth: Truth


def known_method(random: Random, *, right: bool) -> Known:
    """Returns a method that is right or wrong, as asked; the last assertion is often just so."""
    while True:
        drawn = _Writer(random).method()
        if len(drawn.inputs) > MOST:
            continue
        some = replace(drawn, inputs=tuple(random.sample(drawn.inputs, min(24, len(drawn.inputs)))))
        limit = _sharp(some, right=right) if random.random() < 0.6 else 3
        first = None if limit is None else judged(some.with_limit(limit))
        if limit is None or first is None or first.truth.is_right is not right:
            continue
        known = judged(drawn.with_limit(limit))
        if known is not None and known.truth.is_right is right:
            return known


def judged(drawn: Drawn) -> Known | None:
    """The truth about a method; None if some run cannot be judged."""
    front = load_text(drawn.text, "known.vpr")
    if front.program is None:
        raise ValueError(f"{front.errors}\n{drawn.text}")
    fails: dict[tuple[int, str], None] = {}
    passed = 0
    outcomes = [o for inputs in drawn.inputs for o in _outcomes(front.program, inputs)]
    for outcome in outcomes:
        match outcome:
            case Passed(unchecked=()):
                passed += 1
            case Infeasible():
                pass
            case Failed(assuming=(), finding=finding):
                fails[(finding.span.line, finding.id)] = None
            case _:
                return None
    if not passed and not fails:
        return None
    return Known(drawn, front.program, Truth(frozenset(fails), len(outcomes)))


def _outcomes(program: Program, inputs: Inputs) -> Iterator[Outcome]:
    """How the runs of one input end: one for each way to answer what a run asks for."""
    tapes: list[tuple[int, ...]] = [()]
    while tapes:
        tape = tapes.pop()
        outcome = run_member(program, METHOD, inputs, Tape(tape), RUN).outcome
        if isinstance(outcome, NeedsChoice) and len(tape) < QUESTIONS:
            tapes += [(*tape, answer) for answer in range(ANSWERS)]
        else:
            yield outcome


def _sharp(drawn: Drawn, *, right: bool) -> int | None:
    """The smallest limit for which a method is right, or the largest for which it is not."""
    low, high = -LARGEST - 1, LARGEST + 1
    while low + 1 < high:
        middle = (low + high) // 2
        found = judged(drawn.with_limit(middle))
        if found is None:
            return None
        low, high = (low, middle) if found.truth.is_right else (middle, high)
    limit = high if right else low
    return limit if abs(limit) <= LARGEST else None


# ---------------------------------------------------------------- inputs

Give = Callable[[], Iterator[Value]]
O1, O2, O3 = Ref(1), Ref(2), Ref(3)


def _numbers(low: int, high: int) -> tuple[Value, ...]:
    return tuple(range(low, high + 1))


SEQUENCES: tuple[Value, ...] = tuple(
    [values for size in range(3) for values in product(range(3), repeat=size)]
)
SETS: tuple[Value, ...] = tuple(
    [frozenset(some) for size in range(3) for some in combinations(range(3), size)]
)
MULTISETS: tuple[Value, ...] = tuple(
    dict.fromkeys([multiset_of(s) for s in SEQUENCES if isinstance(s, tuple)])
)
MAPS: tuple[Value, ...] = tuple(
    [
        finite_map(dict(zip(keys, values, strict=True)))
        for size in range(3)
        for keys in combinations(range(2), size)
        for values in product(range(2), repeat=size)
    ]
)


class _Writer:
    """Writes one method; keeps what may be read where it stands."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._themes = tuple(random.sample(THEMES, random.randint(1, 3)))
        self._params: list[tuple[str, str]] = []
        self._domains: list[tuple[str, tuple[Value, ...]]] = []
        self._fields: list[tuple[tuple[Ref, str], tuple[Value, ...]]] = []
        self._requires: list[str] = []
        self._ensures: list[str] = []
        self._declared: list[str] = ["field f: Int", "field g: Ref"]
        self._ints: list[str] = []
        self._bools: list[str] = []
        self._places: list[str] = []
        self._folded: list[str] = []
        self._locals: list[str] = []
        self._loops = 0

    # ------------------------------------------------------------ decisions

    def _has(self, theme: str) -> bool:
        return theme in self._themes

    def _chance(self, part: float) -> bool:
        return self._random.random() < part

    def _any(self, *choices: str) -> str:
        return self._random.choice(choices)

    # ------------------------------------------------------------ the method

    def method(self) -> Drawn:
        self._number("a", -2, 3)
        if self._chance(0.6):
            self._number("b", 0, 2)
        if self._chance(0.5):
            self._param("c", "Bool", (False, True))
            self._bools.append("c")
        self._collections()
        self._objects()
        if self._has("functions"):
            self._function()
        body = ["  var i: Int := 0", "  var k: Int := 1", "  r := 0"]
        self._locals = ["i", "k", "r"]
        self._ints += ["i", "k", "r"]
        if self._has("unknown"):
            body.append("  var q: Bool")
            body.append("  var w: Int")
            body.append("  inhale 0 <= w && w <= 2")
            self._bools.append("q")
            self._ints.append("w")
        for _ in range(self._random.randint(2, 5)):
            body += self._statement(1)
        body.append(f"  assert {self._last()}")
        if self._chance(0.4):
            self._ensures.append(
                self._any("r >= 0", "r <= 4", "r != 7", "r == old(r)", "a > 0 ==> r >= a")
            )
        params = ", ".join([f"{name}: {kind}" for name, kind in self._params])
        head = [f"method {METHOD}({params}) returns (r: Int)"]
        head += [f"  requires {text}" for text in self._requires]
        head += [f"  ensures {text}" for text in self._ensures]
        text = "\n".join([*self._declared, *head, "{", *body, "}", ""])
        return Drawn(text, self._themes, tuple(self._all_inputs()))

    def _all_inputs(self) -> Iterator[Inputs]:
        names = [name for name, _ in self._domains]
        places = [place for place, _ in self._fields]
        values = [v for _, v in self._domains] + [v for _, v in self._fields]
        for chosen in product(*values):
            arguments = dict(zip(names, chosen, strict=False))
            yield Inputs(arguments, dict(zip(places, chosen[len(names) :], strict=True)))

    # ------------------------------------------------------------ parameters

    def _param(self, name: str, kind: str, values: tuple[Value, ...]) -> None:
        self._params.append((name, kind))
        self._domains.append((name, values))

    def _number(self, name: str, low: int, high: int) -> None:
        self._param(name, "Int", _numbers(low, high))
        self._ints.append(name)
        bounds = [
            f"{low} <= {name} && {name} <= {high}",
            f"{name} in [{low}..{high + 1})",
            f"!({name} < {low}) && {name} < {high + 1}",
        ]
        self._requires.append(self._random.choice(bounds))

    def _collections(self) -> None:
        if self._has("sequences"):
            self._param("s", "Seq[Int]", SEQUENCES)
            every = self._any(
                "forall j: Int :: 0 <= j && j < |s| ==> 0 <= s[j] && s[j] <= 2",
                "forall e: Int :: e in s ==> 0 <= e && e <= 2",
                "forall e: Int :: { e in s } e in s ==> e in [0..3)",
            )
            self._requires += self._random.sample(["|s| <= 2", every], 2)
        if self._has("sets"):
            self._param("t", "Set[Int]", SETS)
            every = "forall e: Int :: e in t ==> 0 <= e && e <= 2"
            self._requires += self._random.sample(["|t| <= 2", every], 2)
        if self._has("multisets"):
            self._param("u", "Multiset[Int]", MULTISETS)
            every = "forall e: Int :: (e in u) > 0 ==> 0 <= e && e <= 2"
            self._requires += self._random.sample(["|u| < 3", every], 2)
        if self._has("maps"):
            self._param("m", "Map[Int, Int]", MAPS)
            every = "forall e: Int :: e in domain(m) ==> e in [0..2) && m[e] in [0..2)"
            self._requires += self._random.sample(["|m| <= 2", every], 2)

    def _objects(self) -> None:
        """Object parameters, what is held of them, and the values that their fields may have."""
        wanted = {"alias", "amounts", "links", "predicates", "new"} & set(self._themes)
        if not wanted:
            return
        bounds = "0 <= {0}.f && {0}.f <= 1"
        self._param("x", "Ref", (NULL, O1))
        held = "acc({0}.f)"
        if self._has("predicates"):
            amount = self._any("", ", 1/2") if self._has("amounts") else ""
            extra = self._any("", " && (p.f == 0 || p.f == 1)")
            self._declared.append(
                f"predicate cell(p: Ref) {{ acc(p.f{amount}) && {bounds.format('p')}{extra} }}"
            )
            held = self._any("cell({0})", "acc({0}.f)", "acc(cell({0}), 1/2)")
        elif self._has("amounts"):
            held = self._any("acc({0}.f, 1/2)", "acc({0}.f, 3/4)", "acc({0}.f, 1/3)")
        self._requires.append(held.format("x"))
        if "cell" in held:
            self._folded.append(held.format("x"))
        else:
            self._requires.append(bounds.format("x"))
            self._places.append("x.f")
        self._fields.append(((O1, "f"), _numbers(0, 1)))
        if self._has("alias"):
            self._second(bounds)
        if self._has("links"):
            self._links(bounds)

    def _second(self, bounds: str) -> None:
        self._param("y", "Ref", (NULL, O1, O2))
        self._fields.append(((O2, "f"), _numbers(0, 1)))
        kind = self._random.randrange(4)
        within = bounds.format("y")
        if kind == 0:
            self._requires.append(f"acc(y.f) && {within}")
        elif kind == 1:
            self._requires.append(f"y != null && x != y ==> acc(y.f) && {within}")
        elif kind == 2:
            self._requires.append(f"acc(y.f, 1/2) && {within}")
        else:
            self._requires.append(self._any("x != y", "y == x || y != null", "true"))
        self._places.append("y.f")

    def _links(self, bounds: str) -> None:
        """A field of type Ref, maybe with permission to what it refers to."""
        self._requires.append("acc(x.g)")
        self._fields.append(((O1, "g"), (NULL, O1, O2, O3)))
        self._fields.append(((O3, "f"), _numbers(0, 1)))
        if not self._has("alias"):
            self._fields.append(((O2, "f"), _numbers(0, 1)))
        if self._chance(0.6):
            guard = self._any("x.g != null", "x.g != null && x.g != x", "a > 0 && x.g != null")
            self._requires.append(f"{guard} ==> acc(x.g.f, 1/4) && {bounds.format('x.g')}")
        self._places.append("x.g.f")

    def _function(self) -> None:
        kind = self._random.randrange(3)
        if kind == 0:
            step = self._any("n + h(n - 1)", "h(n - 1) + 1", "2 * h(n - 1)")
            self._declared.append(
                f"function h(n: Int): Int {{ n <= 0 ? {self._any('0', '1')} : {step} }}"
            )
        elif kind == 1:
            self._declared.append("function h(n: Int): Int { n < 0 ? -n : n }")
        else:
            self._declared.append(
                "function h(n: Int): Int requires n != 2 { n > 1 ? n - 1 : n \\ 2 }"
            )

    # ------------------------------------------------------------ expressions

    def _int(self, depth: int = 2) -> str:
        if depth == 0 or self._chance(0.35):
            return self._any(*self._ints, *self._ints, "0", "1", "2", "3")
        options: list[Callable[[], str]] = [
            lambda: f"({self._compared(depth - 1, '+', '-', '*')})",
            lambda: f"({self._bool(depth - 1)} ? {self._int(depth - 1)} : {self._int(depth - 1)})",
            lambda: self._quotient(depth - 1),
        ]
        if self._places:
            options += [self._read] * 2
        if self._has("functions"):
            options.append(lambda: f"h({self._int(depth - 1)})")
        options += [option for option in self._collected(depth) for _ in range(2)]
        return self._random.choice(options)()

    def _compared(self, depth: int, *words: str) -> str:
        return f"{self._int(depth)} {self._any(*words)} {self._int(depth)}"

    def _junction(self, depth: int) -> str:
        return f"{self._bool(depth)} {self._any('&&', '||', '==>')} {self._bool(depth)}"

    def _quotient(self, depth: int) -> str:
        word = self._any("\\", "%")
        return f"({self._int(depth)} {word} {self._any('2', '3', self._int(0))})"

    def _read(self) -> str:
        place = self._any(*self._places)
        return f"old({place})" if self._chance(0.2) else place

    def _collected(self, depth: int) -> list[Callable[[], str]]:
        """Numbers that collections give."""
        found: list[Callable[[], str]] = []
        if self._has("sequences"):
            found.append(lambda: self._any("|s|", f"|s[{self._int(0)}..]|", "|s ++ Seq(a)|"))
            at = self._int(0)
            found.append(lambda: self._any(f"(0 <= {at} && {at} < |s| ? s[{at}] : 0)", f"s[{at}]"))
        if self._has("sets"):
            new = f"|t union Set({self._int(0)})|"
            found.append(lambda: self._any("|t|", new, "|t intersection Set(0, 2)|"))
        if self._has("multisets"):
            found.append(lambda: self._any("|u|", f"({self._int(0)} in u)", "|u union u|"))
        if self._has("maps"):
            key = self._int(0)
            found.append(lambda: self._any("|m|", f"({key} in m ? m[{key}] : 0)", f"m[{key}]"))
        return found

    def _bool(self, depth: int = 2) -> str:
        if depth == 0 or self._chance(0.2):
            compared = f"{self._int(0)} {self._any('<', '<=', '==', '!=')} {self._int(0)}"
            return self._any(*self._bools, compared, compared)
        options: list[Callable[[], str]] = [
            lambda: self._compared(depth - 1, "<", "<=", "==", "!=", ">"),
            lambda: f"({self._junction(depth - 1)})",
            lambda: f"!({self._bool(depth - 1)})",
        ]
        texts = (
            ("alias", "x == y"),
            ("links", "x.g == null"),
            ("links", "x.g == x"),
            ("sequences", f"({self._int(0)} in s)"),
            ("sequences", "s == Seq(0, 1)"),
            ("sets", f"({self._int(0)} in t)"),
            ("sets", "(t subset Set(0, 1))"),
            ("multisets", "u == Multiset(1, 1)"),
            ("maps", f"({self._int(0)} in m)"),
            ("amounts", f"perm(x.f) {self._any('>', '<', '==')} {self._any('1/2', 'none')}"),
        )
        special = [text for theme, text in texts if self._has(theme)]
        if special:
            options += [lambda: self._any(*special)] * len(special)
        if self._has("quantifiers"):
            options += [self._quantified] * 2
        return self._random.choice(options)()

    def _quantified(self) -> str:
        word = self._any("forall", "exists")
        joint = "==>" if word == "forall" else "&&"
        over = ["0 <= z && z < {0}", "z in [0..{0})", "z > {0} && z < {0} + 3"]
        ranges = self._any(*over).format(self._int(0))
        if self._has("sequences"):
            ranges = self._any(ranges, "z in s", "0 <= z && z < |s|")
        if self._has("sets"):
            ranges = self._any(ranges, "z in t")
        body = f"z {self._any('<', '<=', '!=', '==')} {self._int(1)}"
        return f"({word} z: Int :: {ranges} {joint} {body})"

    # ------------------------------------------------------------ statements

    def _statement(self, depth: int) -> list[str]:
        """A statement, as lines; `depth` is how deep it may still nest."""
        options: list[Callable[[], list[str]]] = [self._assign, self._assign, self._assert]
        if depth:
            options += [lambda: self._if(depth)] * 2
            if self._has("loops") and self._loops < 2:
                options += [lambda: self._loop(depth)] * 3
        if self._places:
            options += [self._write] * 2
        if self._folded:
            options += [self._unfold] * 3
        if self._has("amounts") and self._places:
            options.append(self._give)
        if self._has("new"):
            options.append(self._new)
        return self._random.choice(options)()

    def _assign(self) -> list[str]:
        return [f"  {self._any(*self._locals)} := {self._int()}"]

    def _assert(self) -> list[str]:
        word = self._any("assert", "assert", "inhale")
        return [f"  {word} {self._bool()}"]

    def _if(self, depth: int) -> list[str]:
        lines = [f"  if ({self._bool()}) {{", *self._statement(depth - 1)]
        if self._chance(0.5):
            lines += ["  } else {", *self._statement(depth - 1)]
        return [*lines, "  }"]

    def _loop(self, depth: int) -> list[str]:
        """Counts a variable of its own up to a bound; the invariant may be wrong."""
        self._loops += 1
        count = f"l{self._loops}"
        bound = self._any("a", "b", "2", "3") if "b" in self._ints else self._any("a", "2", "3")
        invariants = [f"0 <= {count}"]
        if self._chance(0.5):
            invariants.append(f"{count} <= {bound} || {bound} < 0")
        if self._chance(0.3):
            invariants.append(self._any(f"r >= {count} - 3", f"r <= 3 * {count} + 9", "k >= 0"))
        kept, self._places, self._folded = (self._places, self._folded), [], []
        self._ints.append(count)
        body = [*self._statement(depth - 1), f"  {count} := {count} + 1"]
        self._places, self._folded = kept
        lines = [f"  var {count}: Int := 0", f"  while ({count} < {bound})"]
        lines += [f"    invariant {text}" for text in invariants]
        return [*lines, "  {", *body, "  }"]

    def _write(self) -> list[str]:
        return [f"  {self._any(*self._places)} := {self._int()}"]

    def _unfold(self) -> list[str]:
        instance = self._folded[0]
        if self._chance(0.3):
            return [f"  k := unfolding {instance} in x.f + {self._int(0)}"]
        change = [f"  x.f := {self._int(1)}"] if self._chance(0.4) else []
        lines = [f"  unfold {instance}", f"  r := x.f + {self._int(0)}", *change]
        if self._chance(0.7):
            return [*lines, f"  fold {instance}"]
        self._folded.clear()
        self._places.append("x.f")
        return lines

    def _give(self) -> list[str]:
        place = self._places[0]
        amount = self._any("1/2", "1/4", "1/3", "none")
        lines = [f"  exhale acc({place}, {amount})"]
        if self._chance(0.6):
            # what was given up entirely has any value: bounded, so that all of them are run
            lines += [f"  inhale acc({place}, {amount}) && 0 <= {place} && {place} <= 1"]
        return lines

    def _new(self) -> list[str]:
        self._loops += 1
        name = f"n{self._loops}"
        lines = [f"  var {name}: Ref", f"  {name} := new(f)", f"  {name}.f := {self._int(1)}"]
        return [
            *lines,
            self._any(f"  assert {name} != x", f"  r := {name}.f", f"  assert {name} != null"),
        ]

    def _last(self) -> str:
        measured = self._int()
        return self._any(
            f"{measured} <= {{limit}}",
            f"{measured} <= {{limit}}",
            f"0 - {measured} <= {{limit}}",
            f"{self._bool()} ==> {measured} <= {{limit}}",
        )


# ---------------------------------------------------------------- what is said


def false_claims(known: Known, done: MethodExploration) -> list[str]:
    """What an exploration says about a method that is not true of it."""
    fails, found = known.truth.fails, []
    if done.claim in (Claim.PROVED, Claim.HOLDS) and fails:
        found.append(f"{done.claim.value}, but fails at {sorted(fails)}")
    certain = [r.finding for r in done.certain_failures if r.finding is not None]
    told = dict.fromkeys([(finding.span.line, finding.id) for finding in certain])
    found += [f"fails at {place}, where no input does" for place in told if place not in fails]
    if done.is_complete:
        found += [f"complete, but without {place}" for place in sorted(fails) if place not in told]
    return found
