"""Random programs that follow the grammar and the types of the language.

A program has two or three themes, which say what of the language is in it. The writer knows roughly
what is held at each place and mostly uses that, so that many statements are right; what is wrong is
taken out later, or is what judges are asked about. A statement, a clause or a body stands on a line
of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pitviper.base.record import record
from pitviper.driver.fuzz import further

THEMES = (
    "heap",
    "amounts",
    "predicates",
    "nesting",
    "functions",
    "loops",
    "jumps",
    "quantified",
    "wands",
    "data",
    "pairs",
    "looking",
    "layers",
    "lists",
    "crowds",
    "choices",
)
"""What a program may be about; the first is part of all."""

REFS = ("x", "y", "z")
HALVES = ("1/2", "1/4", "3/4", "1/3")


@record
class Resource:
    """Something to hold, as text with `{x}` and `{y}` for the parameters; `amount` is text."""

    place: str
    amount: str

    def given(self, x: str, y: str = "y") -> Resource:
        return Resource(self.place.replace("{x}", x).replace("{y}", y), self.amount)

    @property
    def text(self) -> str:
        return (
            f"acc({self.place})" if self.amount == "write" else f"acc({self.place}, {self.amount})"
        )


@record
class PredicateShape:
    """A predicate that was written: `parts` are what an instance holds without a condition."""

    name: str
    arity: int
    parts: tuple[Resource, ...]


@record
class Written:
    """A program, and the generator that wrote it."""

    text: str
    themes: tuple[str, ...]


def random_program(random: Random) -> Written:
    """Returns a program with a method `main`; it is often wrong, and now and then rejected."""
    themes = ("heap", *random.sample(THEMES[1:], random.randint(1, 3)))
    return Written(_Writer(random, themes).program(), themes)


class _Writer:
    """Writes one program; `held` is what is known to be held, by place."""

    def __init__(self, random: Random, themes: tuple[str, ...]) -> None:
        self._random = random
        self._themes = themes
        self._predicates: list[PredicateShape] = []
        self._functions: list[str] = []  # with {x} for the reference they take
        self._wands: list[tuple[str, str]] = []
        self._ints = ["n", "m"]
        self._held: dict[str, str] = {}
        self._names = 0
        self._labels: list[str] = []
        self._moments = ["l"]

    # ------------------------------------------------------------ decisions

    def _has(self, theme: str) -> bool:
        return theme in self._themes

    def _chance(self, part: float) -> bool:
        return self._random.random() < part

    def _any(self, *choices: str) -> str:
        return self._random.choice(choices)

    def _fresh(self, hint: str) -> str:
        self._names += 1
        return f"{hint}{self._names}"

    def _paired(self, clause: str) -> str:
        """The clause, now and then as the exhaled side of a pair that promises nothing.

        NOTE(pairs). Where one side is assumed of what another execution established (calls, loops,
        instances, wands), a pair that promises more than is owed makes runs fail that verifiers
        verify: that is what such a pair means. So there the promise is `true`.
        """
        looks = "perm" in clause and self._chance(0.9)  # contracts look at amounts in pairs only
        wanted = looks or (self._has("pairs") and self._chance(0.25))
        return f"[true, {clause}]" if wanted else clause

    def _either(self, clause: str) -> str:
        """The clause, now and then as a side of any pair: for states that nobody else made."""
        looks = "perm" in clause and self._chance(0.9)
        if self._has("choices") and self._chance(0.5):
            clause = further.chosen(self._random, clause, self._resource().text)
        if not looks and not (self._has("pairs") and self._chance(0.3)):
            return clause
        other = self._any("true", self._truth(0), self._resource().text)
        return self._any(f"[{clause}, {other}]", f"[{other}, {clause}]", f"[{clause}, {clause}]")

    # ------------------------------------------------------------ members

    def program(self) -> str:
        lines = ["field f: Int", "field g: Ref"]
        if self._has("data"):
            lines.append("adt Tree { Leaf()  Node(left: Tree, mark: Int) }")
        if self._has("predicates") or self._has("nesting"):
            for _ in range(self._random.randint(1, 2)):
                lines += self._predicate()
        if self._has("lists"):
            lines += self._list_members()
        if self._has("layers"):
            lines += self._layers()
        if self._has("crowds"):
            lines += further.crowd_members(self._random)
        if self._has("functions"):
            for _ in range(self._random.randint(1, 2)):
                lines += self._function()
        if self._chance(0.4):
            lines += self._callee()
        return "\n".join([*lines, *self._main(), ""])

    def _predicate(self) -> list[str]:
        name = f"p{len(self._predicates)}"
        arity = 2 if self._chance(0.3) else 1
        amount = self._any("write", "write", "write", *HALVES) if self._has("amounts") else "write"
        parts = [Resource("{x}.f", amount)]
        facts: list[str] = []
        if self._chance(0.4):
            parts.append(Resource("{x}.g", self._any("write", "1/2")))
            facts += [self._any("{x}.g != {x}", "({x}.g != null ==> acc({x}.g.f, 1/2))", "true")]
            if self._has("nesting"):
                facts.append(f"({{x}}.g != null ==> {self._inner(name, arity)})")
        if arity == 2:
            other = self._any("{y}.f", "{y}.g")
            parts.append(Resource(other, self._any("write", "1/2")))
            facts.append(self._any("({x} == {y} ==> {x}.f > 0)", "{x} != {y}", "{x}.f >= 0"))
        if self._chance(0.3):
            facts.append(self._any("{x}.f > 0", "{x}.f != 7", "({x} == null ==> false)"))
        body = " && ".join([*[p.text for p in parts], *map(self._paired, facts)])
        if self._has("nesting") and self._predicates and self._chance(0.3):
            inner = self._random.choice(self._predicates)
            body += f" && {self._instance(inner, '{x}', '{x}')}"
        params = "a: Ref, c: Ref" if arity == 2 else "a: Ref"
        self._predicates.append(PredicateShape(name, arity, tuple(parts)))
        return [f"predicate {name}({params})", f"{{ {body.format(x='a', y='c')} }}"]

    def _inner(self, name: str, arity: int) -> str:
        amount = self._any("write", "write", "1/2", "wildcard")
        args = "{x}.g, {y}" if arity == 2 else "{x}.g"
        return f"acc({name}({args}), {amount})"

    def _instance(self, shape: PredicateShape, x: str, y: str) -> str:
        return f"{shape.name}({x}, {y})" if shape.arity == 2 else f"{shape.name}({x})"

    def _layers(self) -> list[str]:
        """Functions that speak of each other in contracts, and a predicate with a part in it."""
        amount = self._any("wildcard", "1/2", "1/4")
        self._functions += ["second({x}, n)", "first({x})"]
        self._sized = True
        divided = r"10 \ first(a)"
        return [
            f"{self._any('', '@opaque() ')}function first(a: Ref): Int",
            f"  requires acc(a.f, {amount})",
            f"  ensures {self._paired(self._any('true', 'result >= a.f', 'result > 0'))}",
            f"{{ {self._any('a.f', 'a.f + 1', 'a.f * a.f', 'a.f > 0 ? a.f : 1')} }}",
            "function second(a: Ref, i: Int): Int",
            f"  requires acc(a.f, {amount}) && {self._paired('first(a) > ' + self._any('0', 'i'))}",
            f"  ensures {self._paired(self._any('true', 'result > i', 'result == first(a)'))}",
            f"{{ {self._any('first(a)', 'first(a) + a.f', divided, 'i + 1')} }}",
            "predicate sized(a: Ref, i: Int, q: Perm)",
            f"{{ q >= none && {self._any('i >= 0', 'true')} && acc(a.f, q) && "
            f"{self._any('true', '(q > none ==> a.f > i)')} }}",
        ]

    _sized = False

    def _list_members(self) -> list[str]:
        self._list = f"p{len(self._predicates)}"
        parts = (Resource("{x}.f", "write"), Resource("{x}.g", "write"))
        self._predicates.append(PredicateShape(self._list, 1, parts))
        self._functions.append("down({x})")
        return further.list_members(self._random, self._list)

    _list = ""

    def _function(self) -> list[str]:
        name = f"h{len(self._functions)}"
        kind = self._random.randrange(4)
        if kind == 0:
            low = self._any("0", "1")
            self._functions.append(f"{name}(n)" if self._chance(0.5) else f"{name}(2)")
            return [
                f"function {name}(i: Int): Int",
                "  decreases i",
                self._any("  requires i >= 0", "  requires i <= 3 && i >= 0"),
                f"  ensures {self._paired(self._any('result >= i', 'result > i', 'true'))}",
                f"{{ i <= {low} ? {self._any('0', 'i', '1')} : i + {name}(i - 1) }}",
            ]
        if kind == 1 and self._predicates:
            shape = self._predicates[0]
            held = (
                f"acc({self._instance(shape, 'a', 'a')}, {self._any('wildcard', '1/2', 'write')})"
            )
            self._functions.append(f"{name}({{x}})")
            looked = self._any("true", "true", "a.f > 0", "a.f >= 0")
            inside = "true" if looked == "true" else f"(unfolding {held} in {looked})"
            return [
                f"function {name}(a: Ref): Int",
                f"  requires {held} && {self._paired(inside)}",
                f"  ensures {self._paired(self._any('result > 0', 'true', 'true'))}",
                f"{{ unfolding {held} in a.f }}",
            ]
        amount = self._any("wildcard", "1/2", "write", "1/4")
        self._functions.append(f"{name}({{x}})")
        needed = self._paired(self._any("a.f >= 0", "true", "a != null"))
        owed = self._paired(self._any("result == a.f", "true", "result >= 0", "result > a.f"))
        return [
            f"function {name}(a: Ref): Int",
            f"  requires acc(a.f, {amount}) && {needed}",
            f"  ensures {owed}",
            f"{{ {self._any('a.f', 'a.f + 1', '(a.f > 0 ? a.f : -a.f)', '2 * a.f')} }}",
        ]

    def _callee(self) -> list[str]:
        amount = self._any("write", "write", "1/2")
        after = self._any("write", amount, amount, "1/4") if amount == "write" else amount
        value = self._any("a.f == old(a.f)", "a.f == old(a.f) + i", "r == a.f", "a.f >= i", "true")
        self._callees = amount, after
        needed = ["true", "i >= 0", "a.f > 0"]
        if self._has("looking"):
            needed += ["perm(a.f) >= 1/2", "(forperm r: Ref [r.f] :: r.f >= i)"]
        body = self._any("{ r := a.f }", "{ a.f := a.f + i }", "{ r := i  a.f := i }", "")
        lines = [
            "method call(a: Ref, i: Int) returns (r: Int)",
            f"  requires acc(a.f, {amount}) && {self._paired(self._any(*needed))}",
            f"  ensures acc(a.f, {after}) && {self._paired(value)}",
        ]
        return [*lines, body] if body else lines

    _callees: tuple[str, str] | None = None

    def _main(self) -> list[str]:
        params = "x: Ref, y: Ref, z: Ref, n: Int, m: Int, b: Bool, p: Perm"
        if self._has("quantified"):
            params += ", u: Set[Ref], v: Set[Ref]"
        if self._has("crowds"):
            params += ", q: Seq[Ref]"
        if self._has("data"):
            params += ", s: Seq[Int], t: Set[Int], d: Tree, k: Map[Int, Int]"
        head = [f"method main({params}) returns (o: Int)"]
        head += [f"  requires {self._either(clause)}" for clause in self._precondition()]
        body = ["{", "label l"]
        for _ in range(self._random.randint(2, 7)):
            body += self._statement(2)
        for label in self._labels:
            body.append(f"label {label}")
        if self._labels:
            body += self._statement(0)
        if self._chance(0.3):
            body.append(f"assert {self._truth()}")
        head += [f"  ensures {self._either(clause)}" for clause in self._postcondition()]
        if self._has("jumps") and self._chance(0.9):
            body = _declared_first(body)
        return [*head, *body, "}"]

    def _precondition(self) -> list[str]:
        clauses = []
        if self._has("amounts"):
            known = ("p > none", "p >= none", "p >= none", "none < p && p < write", "p == none")
            clauses.append(self._any(*known))
        for _ in range(self._random.randint(1, 4)):
            gained = self._resource()
            self._gain(gained)
            clauses.append(gained.text)
        if self._has("quantified"):
            clauses.append(self._many(self._any("u", "v")))
            clauses.append(self._any("x in u", "y in u", "x != y", "!(x in v)", "|u| <= 2"))
        if self._has("crowds"):
            clauses += further.crowd_clauses(self._random)
        if self._has("data"):
            clauses.append(self._any("|s| == 2", "|s| <= 2", "d.isNode", "|t| <= 2", "|k| <= 1"))
        if self._chance(0.5):
            clauses.append(self._any("x != y", "n >= 0", "n < m", "b", "x == y", "y == z"))
        if self._chance(0.2):
            clauses.append(f"(b ==> {self._resource().text})")
        if self._chance(0.25):
            clauses.append(self._truth())
        return clauses

    def _postcondition(self) -> list[str]:
        clauses = []
        for place, amount in list(self._held.items())[: self._random.randint(0, 3)]:
            if place[0] in REFS or place[:2] in ("p0", "p1"):
                clauses.append(Resource(place, amount).text)
        if self._chance(0.3):
            clauses.append(self._any("o >= n", "o == n", "b", "n <= m", "o != 3"))
        return clauses

    # ------------------------------------------------------------ what is held

    def _amount(self) -> str:
        if not self._has("amounts"):
            return self._any("write", "write", "1/2")
        return self._any("write", "write", "p", "wildcard", "(b ? write : 1/2)", "p / 2", *HALVES)

    def _resource(self) -> Resource:
        ref = self._any(*REFS)
        places = [f"{ref}.f", f"{ref}.f", f"{ref}.g"]
        for shape in self._predicates:
            places += [self._instance(shape, ref, self._any(*REFS))] * 2
        if self._sized:
            places += [f"sized({ref}, {self._any('n', '0')}, {self._any('p', '1/2', 'write')})"] * 2
        return Resource(self._random.choice(places), self._amount())

    def _gain(self, gained: Resource) -> None:
        before = self._held.get(gained.place)
        self._held[gained.place] = gained.amount if before is None else "write"

    def _some_held(self, *, ending: str = "", whole: bool = False) -> str | None:
        found = [
            place
            for place, amount in self._held.items()
            if place.endswith(ending) and (amount == "write" or not whole)
        ]
        if self._chance(0.05):
            return f"x{ending or '.f'}"
        return self._random.choice(found) if found else None

    def _many(self, name: str) -> str:
        amount = self._any("write", "1/2", "wildcard" if self._has("amounts") else "1/4")
        if self._has("amounts") and self._chance(0.4):  # others for each, none for some
            other = self._any("1/2", "write", "p")
            amount = self._any("p", f"(r == {self._any(*REFS)} ? none : {other})")
        place = "r.f"
        if self._predicates and self._predicates[0].arity == 1 and self._chance(0.3):
            place = f"{self._predicates[0].name}(r)"
        guard = self._any("", "", " && r != x", " && b", " && r != null")
        return f"(forall r: Ref :: r in {name}{guard} ==> acc({place}, {amount}))"

    # ------------------------------------------------------------ expressions by type

    def _number(self, depth: int = 1) -> str:
        atoms = [*self._ints, "0", "1", "2", "o"]
        reads = [place for place in self._held if place.endswith(".f")]
        atoms += reads * 2
        atoms += [f"old({read})" for read in reads[:1] if read[0] in REFS]
        moment = self._random.choice(self._moments)
        atoms += [f"old[{moment}]({read})" for read in reads[:1] if read[0] in REFS]
        if self._has("looking"):
            atoms += [f"old[{moment}]({read})" for read in reads if read[0] in REFS]
            atoms.append(r"(n \ m)")
        for function in self._functions:
            ref = self._random.choice(reads)[0] if reads else "x"
            atoms.append(function.format(x=ref if ref in REFS else "x"))
        if self._predicates and self._chance(0.2):
            shape = self._predicates[0]
            ref = self._any(*REFS)
            part = self._any("write", "1/2", "wildcard")
            atoms.append(f"(unfolding acc({self._instance(shape, ref, ref)}, {part}) in {ref}.f)")
        if self._has("data"):
            atoms += ["|s|", "s[0]", "|t|", "d.mark", "k[n]", "|s ++ Seq(n)|", "|t union Set(n)|"]
        if self._has("choices") and depth and self._chance(0.2):
            claim = self._any(self._truth(0), self._resource().text)
            return further.asserting(self._random, claim, self._number(0))
        if depth and self._chance(0.4):
            op = self._any("+", "-", "*", "+", "\\", "%")
            right = self._any("2", "3") if op in "\\%" else self._number(depth - 1)
            return f"({self._number(depth - 1)} {op} {right})"
        return self._random.choice(atoms)

    def _truth(self, depth: int = 1) -> str:
        if depth and self._chance(0.25):
            left, right = self._truth(depth - 1), self._truth(depth - 1)
            return f"({left} {self._any('&&', '||', '==>')} {right})"
        choices: list[Callable[[], str]] = [
            lambda: f"{self._number()} {self._any('<', '<=', '==', '!=', '>')} {self._number()}",
            lambda: self._any("b", "!b", "x == y", "x != null", "y == z", "x != z"),
            self._about_amount,
        ]
        if self._has("quantified"):
            choices += [self._quantified, self._quantified]
        if self._has("data"):
            choices.append(self._about_data)
        if self._predicates:
            choices.append(self._unfolded)
        if self._has("looking"):
            choices += [self._looking, self._looking]
        if self._has("layers"):
            choices.append(self._deep)
        if self._list:
            choices += [lambda: further.list_truth(self._random, self._list, self._any(*REFS))] * 2
        if self._has("crowds"):
            choices += [lambda: further.crowd_truth(self._random)] * 2
        return self._random.choice(choices)()

    def _looking(self) -> str:
        """About all that is held, here or at a moment of the past."""
        place = self._some_held() or "x.f"
        moment = self._random.choice(self._moments)
        bound = f"{self._any('>=', '==', '<')} {self._any('none', '1/2', 'write')}"
        choices = [
            f"(forperm r: Ref [r.f] :: r.f {self._any('>=', '!=', '>')} {self._any('0', 'n')})",
            f"(forperm r: Ref [r.f] :: r == {self._any(*REFS)})",
            f"(forperm r: Ref [r.g] :: {self._any('r.g != r', 'r != x', 'r.g == null')})",
            f"old[{moment}](perm({place}) {bound})",
            f"(let e == (perm({place})) in e {bound})",
            f"old[{moment}](forperm r: Ref [r.f] :: r.f != n)",
        ]
        for shape in self._predicates[:1]:
            names = "r, r" if shape.arity == 2 else "r"
            if shape.arity == 1:
                choices.append(f"(forperm r: Ref [{shape.name}({names})] :: r != x)")
        return self._random.choice(choices)

    def _deep(self) -> str:
        """Unfolding and quantifiers inside of each other."""
        ref = self._any(*REFS)
        bound = f"{self._any('>=', '<', '==')} {self._any('n', '0')}"
        size = f"{self._any('n', '0')}, {self._any('p', '1/2', 'write')}"
        inside = f"acc(sized({ref}, {size}), {self._any('write', '1/2', 'wildcard')})"
        named = f"{self._any('first', 'second')}"
        applied = f"first({ref})" if named == "first" else f"second({ref}, n)"
        return self._any(
            f"(unfolding {inside} in {applied} {bound})",
            f"(unfolding {inside} in (forall i: Int :: i > 0 ==> i + {ref}.f {bound}))",
            f"(forall i: Int :: i >= n ==> (unfolding {inside} in {ref}.f <= i))",
            f"(forall r: Ref :: r == {ref} ==> (unfolding sized(r, {size}) in r.f {bound}))",
            f"(exists i: Int :: i {bound} && {applied} > i)",
            f"(forall i: Int :: (exists j: Int :: j > i && j {bound}))",
            f"({applied} {bound})",
        )

    def _about_amount(self) -> str:
        place = self._some_held() or "x.f"
        amount = self._any("none", "1/2", "write", "p")
        return f"perm({place}) {self._any('>=', '==', '<=', '>')} {amount}"

    def _unfolded(self) -> str:
        shape = self._random.choice(self._predicates)
        ref = self._any(*REFS)
        part = self._any("write", "1/2", "wildcard")
        held = f"acc({self._instance(shape, ref, self._any(*REFS))}, {part})"
        return f"(unfolding {held} in {self._any(f'{ref}.f > 0', f'{ref}.f == n', 'x != y')})"

    def _quantified(self) -> str:
        name = self._any("u", "v", "(u union v)", "(u intersection v)")
        compared = f"{self._any('>=', '==', '!=')} {self._any('0', 'n')}"
        return self._any(
            f"(forall r: Ref :: r in {name} ==> r.f {compared})",
            f"(forall r: Ref :: r in {name} ==> r != {self._any(*REFS)})",
            f"(forperm r: Ref [r.f] :: r.f {self._any('>=', '!=')} n)",
            f"(forall r: Ref :: r in {name} ==> perm(r.f) >= {self._any('1/2', 'none')})",
            f"{self._any(*REFS)} in {name}",
            f"(exists r: Ref :: r in {name} && r != x)",
        )

    def _about_data(self) -> str:
        return self._any(
            "n in s", "n in t", "n in k", "d.isLeaf", "d == Leaf()", "s == Seq(n)",
            "s[0..1] == s", "t subset Set(n, m)", "d == Node(Leaf(), n)", "(n in s) == (m in s)",
            "(forall i: Int :: 0 <= i && i < |s| ==> s[i] >= n)", "|t| > 0",
            "(exists i: Int :: i in t && i > n)", "Seq(n, m)[1] == m", "|Set(n, m)| == 2",
            "(Multiset(n, m) union Multiset(n)) == Multiset(n, n, m)", "k[n := m][n] == m",
            "domain(k) == Set(n)", "(s ++ Seq(n))[|s|] == n", "Node(d, n).left == d",
            "m in range(k)", "range(Map(n := m)) == Set(m)", "n in [0..m)", "s[0 := n][0] == n",
            "(n in Multiset(n, m)) == 1", "|[n..m)| == m - n",
        )  # fmt: skip

    # ------------------------------------------------------------ statements

    def _statement(self, depth: int) -> list[str]:
        rules: list[Callable[[], list[str]]] = [
            self._assign, self._store, self._check, self._check, self._take, self._give,
            self._allocate,
        ]  # fmt: skip
        if self._predicates:
            rules += [self._fold, self._unfold, self._fold]
        if self._callees is not None:
            rules.append(self._call)
        if self._has("quantified"):
            rules += [self._take_many, self._havoc]
        if self._has("wands"):
            rules += [self._package, self._package, self._apply]
        if self._has("looking"):
            rules += [self._moment, self._doubt, self._havoc]
        if self._sized:
            rules += [self._fold_sized, self._fold_sized]
        if self._has("crowds"):
            rules += [lambda: further.crowd_statement(self._random)] * 3
        if depth:
            rules.append(lambda: self._branch(depth - 1))
            if self._has("loops"):
                rules += [lambda: self._loop(depth - 1)] * 2
            if self._has("jumps"):
                rules += [self._jump, self._jump, self._back]
        return self._random.choice(rules)()

    def _assign(self) -> list[str]:
        if self._chance(0.4):
            name = self._fresh("i")
            line = f"var {name}: Int := {self._number()}"
            self._ints.append(name)
            return [line]
        own = [name for name in self._ints if name not in ("n", "m")]
        return [f"{self._random.choice(['o', *own])} := {self._number()}"]

    def _store(self) -> list[str]:
        place = self._some_held(ending=".f", whole=True)
        if place is None:
            return []
        other = self._some_held(ending=".g", whole=True)
        if other is not None and self._chance(0.1):
            return [f"{other} := {self._any(*REFS, 'null')}"]
        return [f"{place} := {self._number()}"]

    def _check(self) -> list[str]:
        if self._chance(0.3):
            place = self._some_held()
            if place is not None:
                return [f"assert {Resource(place, self._held.get(place, 'write')).text}"]
        return [f"assert {self._either(self._truth())}"]

    def _moment(self) -> list[str]:
        name = self._fresh("k")
        self._moments.append(name)
        return [f"label {name}"]

    def _doubt(self) -> list[str]:
        return [f"refute {self._any('false', self._truth(0))}"]

    def _fold_sized(self) -> list[str]:
        first = self._some_held(ending=".f")
        ref = first[:-2] if first is not None else self._any(*REFS)
        amount = self._held.pop(f"{ref}.f", "write")
        size = f"{self._any('n', '0')}, {self._any(amount, 'p', '1/2')}"
        instance = Resource(f"sized({ref}, {size})", self._any("write", "write", "1/2", "wildcard"))
        if "wildcard" in size:
            return []
        lines = [f"fold {instance.text}"]
        if self._chance(0.4):
            return [*lines, f"unfold {instance.text}"]
        self._gain(instance)
        return lines

    def _take(self) -> list[str]:
        if self._chance(0.25):
            return [f"inhale {self._truth()}"]
        gained = self._resource()
        self._gain(gained)
        if self._chance(0.2):
            return [f"inhale (b ==> {gained.text})"]
        return [f"inhale {self._either(gained.text)}"]

    def _give(self) -> list[str]:
        place = self._some_held()
        if place is None:
            return []
        held = self._held.pop(place, "write")
        amount = self._any(held, held, "1/2", "wildcard", "1/4")
        if amount != held:
            self._held[place] = "1/2"
        return [f"exhale {self._either(Resource(place, amount).text)}"]

    def _allocate(self) -> list[str]:
        if self._chance(0.5):
            return []
        name = self._fresh("w")
        self._gain(Resource(f"{name}.f", "write"))
        return [f"var {name}: Ref", f"{name} := new(f)", f"assert {name} != {self._any(*REFS)}"]

    def _fold(self) -> list[str]:
        shape = self._random.choice(self._predicates)
        ref, other = self._any(*REFS), self._any(*REFS)
        first = self._some_held(ending=".f")
        if first is not None and self._chance(0.8):
            ref = first[:-2]
        amount = self._any("write", "write", "1/2", "wildcard" if self._has("amounts") else "write")
        instance = Resource(self._instance(shape, ref, other), amount)
        lines = []
        for part in shape.parts:
            owned = part.given(ref, other)
            if owned.place not in self._held and self._chance(0.7):
                lines.append(f"inhale {owned.text}")
            self._held.pop(owned.place, None)
        self._gain(instance)
        return [*lines, f"fold {instance.text}"]

    def _unfold(self) -> list[str]:
        found = [at for at in self._held if at[0] == "p" and at[1:2].isdigit()]
        if not found:
            return self._fold()
        place = self._random.choice(found)
        amount = self._held.pop(place)
        name, _, rest = place.partition("(")
        shape = next(s for s in self._predicates if s.name == name)
        x, _, y = rest[:-1].partition(", ")
        for part in shape.parts:
            owned = part.given(x, y or "y")
            whole = amount == "write"
            self._gain(Resource(owned.place, owned.amount if whole else "1/2"))
        return [f"unfold {Resource(place, amount).text}"]

    def _call(self) -> list[str]:
        assert self._callees is not None
        place = self._some_held(ending=".f", whole=self._callees[0] == "write")
        if place is None:
            return []
        target = self._random.choice(["o", *[i for i in self._ints if i not in ("n", "m")]])
        self._held[place] = self._callees[1]
        return [f"{target} := call({place[:-2]}, {self._number()})"]

    def _take_many(self) -> list[str]:
        kind = self._any("inhale", "exhale", "exhale", "assert")
        return [f"{kind} {self._many(self._any('u', 'v'))}"]

    def _havoc(self) -> list[str]:
        guard = self._any("", "b ==> ", "n > 0 ==> ") if self._has("looking") else ""
        if self._has("looking") and self._chance(0.5):
            return [f"quasihavoc {guard}{self._some_held() or 'x.f'}"]
        if not self._has("quantified"):
            return [f"quasihavocall r: Ref :: {guard or 'r != x ==> '}r.f"]
        return [
            self._any(
                f"quasihavoc {self._any(*REFS)}.f",
                f"quasihavocall r: Ref :: r in {self._any('u', 'v')} ==> r.f",
                f"{self._any(*REFS)}.f := {self._number(0)}",
            )
        ]

    def _package(self) -> list[str]:
        wild = ("wildcard",) if self._has("amounts") else ()
        left = Resource(f"{self._any(*REFS)}.f", self._any("write", "1/2", *wild))
        right = self._some_held() or "x.f"
        fact = self._any("true", f"{left.place} == old({left.place})", f"{left.place} > 0")
        if self._has("choices"):
            fact = self._any(fact, f"{left.place} == {further.LEFT}({left.place})")
            for function in self._functions[:1]:
                applied = function.format(x=self._any(*REFS))
                fact = further.in_a_wand(self._random, fact, applied, left.place)
        if self._has("looking"):
            fact = self._any(fact, f"perm({left.place}) >= 1/2", f"perm({right}) > none")
        goal = Resource(right, self._any("write", "1/2", *wild)).text
        both = self._any(goal, left.text, f"{left.text} && {goal}")
        wand = f"{self._any(left.text, f'{left.text} && {left.place} > 0')} --* {both}"
        if self._chance(0.3) and f"old({left.place})" not in fact and left.text in both:
            known = "true" if further.LEFT in fact else self._paired(fact)
            wand = f"{left.text} && {known} --* {both} && {self._paired(fact)}"
        self._wands.append((wand, left.text))
        part = f"acc({left.place}, {self._any('1/2', '1/4', *wild)})"
        script = self._any(
            "",
            "",
            f" {{ assert {left.place} == {left.place} }}",
            f" {{ exhale {part}\ninhale {part} }}",
        )
        if self._has("quantified") and self._chance(0.4):
            crowd = self._many(self._any("u", "v"))
            wand = self._any(f"{left.text} --* {crowd}", f"{crowd} --* {both}")
            self._wands[-1] = (wand, wand.split(" --* ", maxsplit=1)[0])
        if self._predicates and self._chance(0.3):
            shape = self._random.choice(self._predicates)
            inside = self._instance(shape, left.place[:-2], left.place[:-2])
            wand = f"{left.text} --* {inside}"
            script = f" {{ fold {inside} }}"
            self._wands[-1] = (wand, left.text)
        if self._list and self._chance(0.5):
            ref, other = self._any(*REFS), self._any(*REFS)
            wand, script = further.list_wand(self._random, self._list, ref, other)
            self._wands[-1] = (wand, wand.split(" --* ", maxsplit=1)[0])
        if len(self._wands) > 1 and self._chance(0.2):
            earlier, owed = self._random.choice(self._wands[:-1])
            wand = f"{owed} && ({earlier}) --* {self._any(owed, goal, 'true')}"
            script = f" {{ apply {earlier} }}"
            self._wands[-1] = (wand, owed)
        return [f"package {wand}{script}"]

    def _apply(self) -> list[str]:
        if not self._wands:
            return self._package()
        wand, left = self._random.choice(self._wands)
        if self._chance(0.3):
            return [f"assert applying ({wand}) in {self._truth(0)}"]
        return [f"inhale {left}", f"apply {wand}"] if self._chance(0.4) else [f"apply {wand}"]

    def _branch(self, depth: int) -> list[str]:
        condition = self._truth()
        before, ints = dict(self._held), list(self._ints)
        then = self._block(depth)
        after, self._held, self._ints = self._held, dict(before), list(ints)
        otherwise = self._block(depth)
        self._ints = ints
        self._held = {at: a for at, a in self._held.items() if after.get(at) == a}
        self._held = {at: a for at, a in self._held.items() if at[0] != "w"}
        return [f"if ({condition}) {{", *then, "} else {", *otherwise, "}"]

    def _block(self, depth: int) -> list[str]:
        lines: list[str] = []
        wands, moments = list(self._wands), list(self._moments)
        for _ in range(self._random.randint(1, 3)):
            lines += self._statement(depth)
        self._wands, self._moments = wands, moments
        return lines

    def _loop(self, depth: int) -> list[str]:
        count, bound = self._fresh("i"), self._any("2", "n", "m", "3")
        held = dict(self._held)
        kept = [at for at in held if at[0] in (*REFS, "p") and self._chance(0.7)]
        clauses = [f"0 <= {count}"] + [Resource(at, held[at]).text for at in kept]
        if self._chance(0.5):
            clauses.append(
                f"{count} <= {bound}"
                if bound.isdigit()
                else f"({bound} >= 0 ==> {count} <= {bound})"
            )
        if self._chance(0.6 if self._has("looking") else 0.3):
            clauses.append(self._truth())
        self._ints.append(count)
        ints, wands = list(self._ints), list(self._wands)
        self._held = {at: held[at] for at in kept}
        body = self._block(depth)
        self._held, self._ints, self._wands = held, ints, wands
        return [
            f"var {count}: Int := 0",
            f"while ({count} < {bound})",
            *[f"  invariant {self._paired(clause)}" for clause in clauses],
            "{",
            *body,
            f"{count} := {count} + 1",
            "}",
        ]

    def _jump(self) -> list[str]:
        if not self._labels or self._chance(0.3):
            self._labels.append(self._fresh("l"))
        label = self._random.choice(self._labels)
        if self._chance(0.5):
            return [f"if ({self._truth()}) {{", *self._check(), f"goto {label}", "}"]
        return [f"if ({self._truth()}) {{", f"goto {label}", "} else {", *self._statement(0), "}"]

    def _back(self) -> list[str]:
        """A loop by `goto`, with its invariant at the label."""
        count, label = self._fresh("i"), self._fresh("h")
        kept = [at for at in self._held if at[0] in REFS and self._chance(0.7)]
        clauses = [f"0 <= {count}", *[Resource(at, self._held[at]).text for at in kept]]
        self._ints.append(count)
        held = dict(self._held)
        body = self._statement(0)
        self._held = held
        return [
            f"var {count}: Int := 0",
            f"label {label}",
            *[f"  invariant {clause}" for clause in clauses],
            *[line for line in body if not line.startswith("var ")],
            f"{count} := {count} + 1",
            f"if ({count} < 2) {{",
            f"goto {label}",
            "}",
        ]


def _declared_first(body: list[str]) -> list[str]:
    """The body with all declarations at its beginning, so that no jump is over one."""
    declared, rest = [], []
    for line in body[1:]:
        name, colon, after = line.partition(": ")
        if not (colon and name.startswith("var ")):
            rest.append(line)
            continue
        kind, assigned, value = after.partition(" := ")
        declared.append(f"{name}: {kind}")
        if assigned:
            rest.append(f"{name[4:]} := {value}")
    return [body[0], *declared, *rest]
