"""Random edits of the text of a program: what happens to it between two runs, right or wrong."""

from __future__ import annotations

import re
from random import Random

PROGRAM = """\
// cells and what is done to them
field f: Int
field g: Int

function inc(n: Int): Int
  ensures result > n
{ n + 1 }

predicate cell(x: Ref) { acc(x.f) && x.f >= 0 }

method free(x: Ref) requires acc(x.g)

method set(x: Ref, v: Int)
  requires acc(cell(x)) && v >= 0
  ensures acc(cell(x))
{
  unfold acc(cell(x))
  x.f := v
  fold acc(cell(x))
}

method use(x: Ref)
  requires acc(cell(x))
  ensures acc(cell(x))
{
  set(x, 3) // three
  set(x, inc(3))
}

method user(x: Ref, a: Int)
  requires acc(cell(x)) && a > 0
{
  use(x)
  assert a >= 1
}

method ping(n: Int) returns (r: Int)
  requires n >= 0
  ensures r == n
  decreases n
{ if (n == 0) { r := 0 } else { r := pong(n - 1)  r := r + 1 } }

method pong(n: Int) returns (r: Int)
  requires n >= 0
  ensures r == n
  decreases n
{ if (n == 0) { r := 0 } else { r := ping(n - 1)  r := r + 1 } }

method alone(a: Int, b: Int) returns (c: Int)
  requires a > b
  ensures c > 0
{
  var free_value: Int := a - b
  c := free_value
}

method fails(a: Int) { assert a > 2 }

/* the end */ method last(y: Ref)
  requires acc(y.f) && acc(y.g)
{
  y.f := 1
  free(y)
  assert y.f == 1
}
"""

NAMES = "free set use user ping pong alone fails last a b n r x y f g inc cell extra".split()
NUMBERS = "0 1 2 3 12".split()
PIECES = (
    "/*", "*/", "//", "// more\n", "\n", "}", "{", " ", '"', "12", ";",
    "\n@note(\"of the next\")\n", "\n  requires false\n", " && false", "\nassert false\n",
    "\nmethod extra() { }\n", "\nmethod extra() { alone(1, 2) }\n", "\nmethod free() { }\n",
    "\ndefine calls(x) use(x)\n", "\ndefine harmless(x) x\n", "\nfield h: Int\n",
    "\nmethod /* odd */ extra() { var c: Int\n  c := alone(2, 1) }\n", "\n  decreases n - 1\n",
    "\nfunction extra(): Int { 2 }\n", "\nimport <decreases/int.vpr>\n", "\n  decreases _\n",
    "\n  var use: Int\n", "\n  var extra: Int\n", "\n  decreases true\n",
)  # fmt: skip
_NAME, _NUMBER = re.compile(r"[a-z_]+"), re.compile(r"[0-9]+")


def edit(text: str, random: Random) -> str:
    """One change somewhere; about half of them leave a program that is accepted."""
    change = random.choice([_rename, _number, _number, _number, _insert, _insert_between, _line])
    return change(text, random)


def _replace_one(text: str, pattern: re.Pattern[str], by: list[str], random: Random) -> str:
    found = random.choice(list(pattern.finditer(text)))
    return text[: found.start()] + random.choice(by) + text[found.end() :]


def _rename(text: str, random: Random) -> str:
    return _replace_one(text, _NAME, NAMES, random)


def _number(text: str, random: Random) -> str:
    return _replace_one(text, _NUMBER, NUMBERS, random)


def _insert(text: str, random: Random) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(PIECES) + text[at:]


def _insert_between(text: str, random: Random) -> str:
    """Before a member, at the end, or at the start of a line."""
    places = [m.start() for m in re.finditer(r"\bmethod |^", text, re.MULTILINE)]
    at = random.choice([*places, len(text)])
    return text[:at] + random.choice(PIECES) + text[at:]


def _line(text: str, random: Random) -> str:
    """A line goes, comes twice, or goes elsewhere."""
    lines = text.splitlines(keepends=True)
    at = random.randrange(len(lines))
    match random.randrange(3):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case _:
            lines.insert(random.randrange(len(lines)), lines.pop(at))
    return "".join(lines)
