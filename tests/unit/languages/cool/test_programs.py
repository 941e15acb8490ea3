"""Fifteen programs as people write them, without a ghost statement, each with a wrong twin."""

from __future__ import annotations

from pathlib import Path

import pytest

import pitviper
from pitviper.driver.verify.options import VerifyOptions

PROGRAMS = Path(__file__).parent / "programs"

TWINS = {
    "account": ("balance := balance - a", "balance := balance + a", "Account.withdraw"),
    "bag": ("count := count + 1; }", "}", "Bag.add"),
    "cache": ("has := true; }", "has := true; kept := 0; }", "Cache.get"),
    "graph": ("out := out ++ seq<Vertex>(w)", "out := seq<Vertex>(w)", "Vertex.connect"),
    "iter": ("at := at + 1; return", "at := at + 2; return", "Range.next"),
    "list": ("v := v + 1; if", "v := v + 2; if", "Node.incAll"),
    "machine": ("{ state := 2; }", "{ state := 3; }", "Door.lock"),
    "matrix": ("data := new int[r * c]", "data := new int[r + c]", "Matrix.Matrix"),
    "pair": ("second := t;", "second := first;", "Pair.swap"),
    "queue": ("next.append(a);", "next.append(a); next.append(a);", "Cell.append"),
    "ring": ("a[n] := x; n++;", "n++; a[n] := x;", "Ring.add"),
    "shapes3": ("w := a * k;", "w := a - k;", "Rect.scale"),
    "stack": ("int r := top.head(); top := top.tail();",
              "top := top.tail(); int r := top.head();", "Stack.pop"),
    "thermo": ("heating := s.read() < limit", "heating := s.read() <= limit", "Thermostat.measure"),
    "tree": ("left.put(k, v);", "right.put(k, v);", "Tree.put"),
}  # fmt: skip
"""By program: what to replace, by what, and where that is wrong."""


def refuted(text: str) -> list[str]:
    done = pitviper.verify(text, name="it.cool", options=VerifyOptions(backend="both"))
    assert done.front.accepted, done.diagnostics
    assert all(member.verdict.value != "undecided" for member in done.members.values())
    return [name for name, member in done.members.items() if member.verdict.value == "refuted"]


@pytest.mark.parametrize("name", TWINS)
def test_both_verifiers_accept_a_program_and_refuse_its_wrong_twin(name: str) -> None:
    text = (PROGRAMS / f"{name}.cool").read_text()
    right, wrong, member = TWINS[name]
    assert refuted(text) == []
    assert text.count(right) == 1
    assert member in refuted(text.replace(right, wrong))
