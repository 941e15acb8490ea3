"""Tests as Viper methods: accepted, and refuted by the verifier where the run failed."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import open_verifier
from pitviper.results.verdict import Verdict

FIELDS = "field val: Int\nfield next: Ref\n"
LIST = """predicate list(x: Ref) {
  acc(x.val) && acc(x.next) && (x.next != null ==> list(x.next))
}
function sum(x: Ref): Int
  requires list(x)
{
  unfolding list(x) in x.val + (x.next == null ? 0 : sum(x.next))
}
"""

PROGRAMS = {
    "numbers": "method m(a: Int, p: Perm, b: Bool) { if (a > 7 && b) { assert p < 1/2 } }",
    "objects": """method m(x: Ref, y: Ref) requires acc(x.val) && acc(x.next) && acc(y.val)
{ if (x.next == y) { assert x.val != y.val + 5 } }""",
    "aliasing": """method m(x: Ref, y: Ref) requires acc(x.val, 1/2) && acc(y.val, 1/2)
{ assert x != y }""",
    "sequences": """method m(s: Seq[Int], t: Seq[Ref]) requires |s| < 4 && |t| == 2
{ if (|s| == 2) { assert s[0] <= s[1] || t[0] != t[1] } }""",
    "sets": """method m(s: Set[Int], t: Multiset[Bool], e: Set[Int])
{ if (3 in s && |s| < 3) { assert |t| < 2 || |e| > 0 } }""",
    "maps": "method m(s: Map[Int, Bool], k: Int) { if (k in domain(s)) { assert s[k] } }",
    "predicates": """method m(x: Ref, y: Ref) requires list(x) && list(y)
{ unfold list(x)
  if (x.next != null) { assert sum(y) != 4 } }""",
    "shares": """method m(x: Ref, p: Perm) requires none < p && p < 1/2 && acc(list(x), p)
  ensures acc(list(x), p)
  ensures (unfolding acc(list(x), p) in x.val) > 0
{ assert true }""",
    "data": """adt Tree { Leaf() Node(left: Tree, value: Int) }
method m(t: Tree) { if (t.isNode) { assert t.left.isNode || t.value < 4 } }""",
    "functions": """domain D { function f(i: Int): Int }
function g(i: Int, b: Bool): Int
method m(a: Int) { if (f(a) > 3) { assert g(a, true) < f(a) } }""",
    "domains": """domain D { function f(d: D): Int function g(i: Int): D }
method m(d: D, e: Seq[D], a: Int) requires |e| == 1 { if (f(d) > f(e[0])) { assert a < 3 } }""",
    "promises": """method m(x: Ref) returns (r: Int) requires acc(x.val) ensures acc(x.val)
  ensures x.val == old(x.val) + 1 ensures r > 0
{ x.val := x.val + 1
  r := x.val }""",
    "names": """method object1(object2: Ref) requires acc(object2.val)
{ var object3: Int := object2.val
  assert object3 > 0 }
method test_object1_1() { }""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_verifier_fails_where_the_run_failed(name: str, tmp_path: Path) -> None:
    program, tests = tmp_path / "p.vpr", tmp_path / "t.vpr"
    program.write_text(f"{FIELDS}{LIST}{PROGRAMS[name]}\n")
    method = "object1" if name == "names" else "m"
    search = ["--method", method, "--runs", "60"]
    assert main(["explore", *search, "--viper-tests", str(tests), str(program)]) == 1
    assert main(["check", str(tests)]) == 0

    failing = _failing_methods(tests)
    assert failing
    with open_verifier(VerifyOptions(select=tuple(failing))) as verifier:
        done = verifier.verify(verifier.read(tests))
    for copy, (finding, line) in failing.items():
        outcome = done.members[copy]
        assert outcome.verdict is Verdict.REFUTED
        original = program.read_text().splitlines()[line - 1]
        assert finding in [found.id for found in outcome.findings]
        assert any(found.span.text in original for found in outcome.findings)


def _failing_methods(tests: Path) -> dict[str, tuple[str, int]]:
    """By name, what fails in the run of each copy, and in which line."""
    found = {}
    lines = tests.read_text().splitlines()
    for before, line in pairwise(lines):
        if before.startswith("// failed with ") and line.startswith("method "):
            words = before.split()
            found[line.removeprefix("method ").partition("(")[0]] = (words[3], int(words[-1]))
    return found
