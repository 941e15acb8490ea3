"""Random edits of small programs: what an author does between two runs of a verifier."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

FIELDS = ["field f: Int", "field g: Int", "field next: Ref"]

MEMBERS = [
    "function inc(n: Int): Int\n  ensures result > n\n{ n + 1 }",
    "function twice(n: Int): Int { inc(n) + inc(n) - 2 }",
    "function even(n: Int): Bool\n  requires n >= 0\n  decreases n\n{ n == 0 ? true : odd(n - 1) }",
    "function odd(n: Int): Bool\n  requires n >= 0\n  decreases n\n"
    "{ n == 0 ? false : even(n - 1) }",
    "function get(x: Ref): Int\n  requires acc(cell(x))\n{ unfolding acc(cell(x)) in x.f }",
    "predicate cell(x: Ref) { acc(x.f) && x.f >= 0 }",
    "method set(x: Ref, v: Int)\n  requires acc(cell(x)) && v >= 0\n"
    "  ensures acc(cell(x)) && get(x) == v\n"
    "{\n  unfold acc(cell(x))\n  x.f := v\n  fold acc(cell(x))\n}",
    "method use(x: Ref)\n  requires acc(cell(x))\n  ensures acc(cell(x))\n"
    "{\n  set(x, 3)\n  assert get(x) == 3\n}",
    "method count(n: Int) returns (r: Int)\n  requires n >= 0\n  ensures r == n\n  decreases n\n"
    "{ if (n == 0) { r := 0 } else { r := count(n - 1)  r := r + 1 } }",
    "method pure(a: Int, b: Int)\n{\n  assert LARGER(twice(a), b) || b >= 2 * a\n"
    "  refute a == b\n}",
    "method colours(c: Colour) { assert red() != blue()  assert c != red() }",
]

DOMAIN = "domain Colour { function red(): Colour  function blue(): Colour  AXIOM }"
AXIOMS = ["axiom apart { red() != blue() }", "axiom { true }"]
MACROS = ["define LARGER(x, y) (x > y)", "define LARGER(x, y) ((x > y) && x != y)"]
IMPORTED = ["method other(n: Int)\n  requires n > 0\n{ assert n > K }"]
OPTIONS = [(), ("--no-join",), ("--disableTerminationPlugin",), ("--errors", "1")]
NUMBERS = ["0", "1", "2", "3"]


@dataclass(frozen=True)
class Edited:
    """A program in pieces: the members of the main file, an imported file, options."""

    members: tuple[str, ...] = tuple(MEMBERS)
    fields: tuple[str, ...] = tuple(FIELDS)
    axiom: str = AXIOMS[0]
    macro: str = MACROS[0]
    imported: str = IMPORTED[0].replace("K", "0")
    options: tuple[str, ...] = ()
    file: str = "main.vpr"

    @property
    def text(self) -> str:
        domain = DOMAIN.replace("AXIOM", self.axiom)
        parts = ['import "other.vpr"', self.macro, *self.fields, domain, *self.members]
        return "\n\n".join(["import <decreases/int.vpr>", *parts]) + "\n"


def edit(program: Edited, random: Random) -> Edited:
    """One change; most change no meaning, some change that of one member."""
    harmless = [_comment, _comment, _blanks, _blanks, _move, _move, _file, _options]
    others = [_number, _number, _delete, _restore, _import, _axiom, _macro, _body, _field]
    change = random.choice([*harmless, *others])
    return change(program, random)


def _change_member(program: Edited, at: int, text: str) -> Edited:
    members = list(program.members)
    members[at] = text
    return replace(program, members=tuple(members))


def _pick(program: Edited, random: Random) -> int:
    return random.randrange(len(program.members))


def _comment(program: Edited, random: Random) -> Edited:
    at = _pick(program, random)
    lines = program.members[at].split("\n")
    lines.insert(random.randrange(len(lines) + 1), f"  // note {random.randrange(100)}\n  /* * */")
    return _change_member(program, at, "\n".join(lines))


def _blanks(program: Edited, random: Random) -> Edited:
    at = _pick(program, random)
    old, new = random.choice([("\n", "\n\n"), (" {", "\n{"), ("  ", "    "), (" && ", "  &&\n  ")])
    return _change_member(program, at, program.members[at].replace(old, new, 2))


def _move(program: Edited, random: Random) -> Edited:
    members = list(program.members)
    members.insert(random.randrange(len(members)), members.pop(_pick(program, random)))
    return replace(program, members=tuple(members))


def _file(program: Edited, random: Random) -> Edited:
    return replace(program, file=random.choice(["main.vpr", "renamed.vpr"]))


def _number(program: Edited, random: Random) -> Edited:
    at = _pick(program, random)
    text = program.members[at]
    found = [i for i, c in enumerate(text) if c in "0123" and text[i - 1] in " ("]
    if not found:
        return program
    where = random.choice(found)
    return _change_member(program, at, text[:where] + random.choice(NUMBERS) + text[where + 1 :])


def _delete(program: Edited, random: Random) -> Edited:
    """Only a member that no other one needs."""
    unused = [i for i, m in enumerate(program.members) if m.startswith("method ")]
    unused = [i for i in unused if not program.members[i].startswith("method set")]
    if len(unused) < 2:
        return program
    at = random.choice(unused)
    return replace(program, members=program.members[:at] + program.members[at + 1 :])


def _restore(program: Edited, random: Random) -> Edited:
    """A member as it was at the start, at its place or, if it is gone, at the end."""
    member = random.choice(MEMBERS)
    name = member.split("(")[0]
    for at, current in enumerate(program.members):
        if name in current.split("(")[0]:
            return _change_member(program, at, member)
    return replace(program, members=(*program.members, member))


def _import(program: Edited, random: Random) -> Edited:
    text = IMPORTED[0].replace("K", random.choice(NUMBERS))
    return replace(program, imported="\n" * random.randrange(3) + text)


def _options(program: Edited, random: Random) -> Edited:
    return replace(program, options=random.choice(OPTIONS))


def _axiom(program: Edited, random: Random) -> Edited:
    return replace(program, axiom=random.choice(AXIOMS))


def _macro(program: Edited, random: Random) -> Edited:
    return replace(program, macro=random.choice(MACROS))


def _body(program: Edited, random: Random) -> Edited:
    """A body disappears, or a contract gets weaker: callers may fail then."""
    at = _pick(program, random)
    text = program.members[at].replace(" && get(x) == v", "").replace("  ensures r == n\n", "")
    return _change_member(program, at, text)


def _field(program: Edited, random: Random) -> Edited:
    return replace(program, fields=tuple(random.sample(program.fields, len(program.fields))))
