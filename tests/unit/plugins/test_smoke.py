from __future__ import annotations

from pitviper.plugins.build import all_statements
from pitviper.plugins.names import Names
from pitviper.plugins.smoke import detect_smoke
from pitviper.plugins.step import PluginContext
from pitviper.program.stmt import Refute, Unreachable
from tests.unit.plugins.encoded_texts import SMOKE, encode, program_of, told


def checked_lines(text: str) -> list[int]:
    """The lines at which smoke is looked for, in the order of the statements."""
    program = program_of(text, smoke=True)
    checked = detect_smoke(program, PluginContext(Names(program), SMOKE)).program
    found = list(all_statements(checked))
    assert not [s for s in found if isinstance(s, Unreachable)]
    return [s.condition.span.line for s in found if isinstance(s, Refute)]


def test_the_end_of_a_body_is_told_at_the_method() -> None:
    encoded = encode("\nmethod m() {\n  var x: Int\n}\nmethod abstract()", SMOKE)

    assert told(encoded) == [("refute.failed:refutation.true", 2, "m")]
    assert encoded.translate(())[0].message == (
        "Smoke detection: False could be proven here (which should never hold)."
        " Assertion false definitely holds."
    )


def test_assumptions_branches_loops_and_jumps_are_checked() -> None:
    text = """method m(x: Int) {
      inhale x > 0
      assume x > 1
      if (x > 2)
      { var y: Int }
      else
      { var z: Int }
      while (x > 3)
      { }
      goto end
      label end
    }"""

    assert checked_lines(text) == [2, 3, 5, 7, 9, 10, 1]


def test_empty_branches_are_not_checked() -> None:
    assert checked_lines("method m(b: Bool) {\n if (b) { }\n}") == [1]


def test_one_assume_is_told_once() -> None:
    encoded = encode("method m(b: Bool) {\n  assume b && !b\n  unreachable\n}", SMOKE)

    assert [(line, member) for _, line, member in told(encoded)] == [(2, "m")]


def test_nothing_is_checked_behind_unreachable() -> None:
    text = """method m(b: Bool) {
      unreachable
      inhale b
      if (b)
      { inhale b }
      while (b)
      { inhale b }
    }"""

    assert checked_lines(text) == []


def test_both_branches_have_to_be_declared() -> None:
    text = """method %s(b: Bool) {
      if (b) { unreachable } else { %s }
    }"""

    assert checked_lines(text % ("m", "unreachable")) == []
    assert checked_lines(text % ("m", "")) == [1]


def test_a_loop_may_be_skipped() -> None:
    assert checked_lines("method m(b: Bool) {\n while (b) { unreachable }\n}") == [1]


def test_labels_are_reached_by_jumps() -> None:
    text = """method m(b: Bool) {
      if (b) { goto end }
      unreachable
      label end
      inhale b
    }"""

    assert checked_lines(text) == [2, 2, 5, 1]


def test_jumps_from_declared_places_reach_nothing() -> None:
    text = """method m(b: Bool) {
      if (b) { unreachable goto end }
      unreachable
      label end
      inhale b
    }"""

    assert checked_lines(text) == [2]


def test_a_label_may_be_reached_from_behind_only() -> None:
    text = """method m(b: Bool) {
      if (b) { goto later }
      unreachable
      label back
      inhale b
      unreachable
      label later
      goto back
    }"""

    assert 5 in checked_lines(text)
