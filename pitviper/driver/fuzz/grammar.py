"""Random programs that follow the grammar and the types of the language.

A program has two or three themes, which say what of the language is in it. The writer knows roughly
what is held at each place and mostly uses that, so that many statements are right; what is wrong is
taken out later, or is what judges are asked about. A statement, a clause or a body stands on a line
of its own.
"""

from __future__ import annotations

from random import Random

from pitviper.base.record import record
from pitviper.driver.fuzz import further, guards
from pitviper.driver.fuzz.flow import Flow
from pitviper.driver.fuzz.members import Members
from pitviper.driver.fuzz.notes import REFS, Resource

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
    "guards",
)
"""What a program may be about; the first is part of all."""


@record
class Written:
    """A program, and the generator that wrote it."""

    text: str
    themes: tuple[str, ...]


def random_program(random: Random) -> Written:
    """Returns a program with a method `main`; it is often wrong, and now and then rejected."""
    themes = ("heap", *random.sample(THEMES[1:], random.randint(1, 3)))
    return Written(_Writer(random, themes).program(), themes)


class _Writer(Members, Flow):
    """Writes one program."""

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
        if self._has("guards"):
            lines += guards.guard_members(self._random)
        if self._has("functions"):
            for _ in range(self._random.randint(1, 2)):
                lines += self._function()
        if self._chance(0.4):
            lines += self._callee()
        return "\n".join([*lines, *self._main(), ""])

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
        if self._has("guards"):
            clauses += ["p >= none && p <= write", guards.guard_clause(self._random)]
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
