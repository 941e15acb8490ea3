"""Every sub-command on a file of the object language: no generated name, no word of Viper."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pitviper.cli.main import main

WRONG = """\
class Node { int item; Node next; }

class Account {
  int balance; int[] log; seq<int> notes;
  Account() ensures valid() && get() == 0; { log := new int[3]; }
  predicate valid()
  { return acc(balance) * acc(log) * acc(notes) * log != null * acc(log.elems) * balance >= 0; }
  pure int get() requires valid(); { return balance; }
  void pay(int amount)
    requires valid() && amount > 0;
    ensures valid() && get() == old(get()) - amount;
  { balance := balance - amount; }
  void note(int i)
    requires valid();
    ensures valid() && untouched(valid());
  { notes := notes ++ seq<int>(i); log[i] := 1; }
  int twice()
    requires valid();
    ensures valid() && result == get();
  { if (balance > 3) { return balance * 2; } return balance; }
}

Account a := new Account();
Account b;
a.note(1);
b.note(1);
"""

SCRIPT = """\
show all
why-not
path
path all
assume get() == 0
suggest
source
show old
counterexample
diff 1 3
help
errors
"""

_WORDS = re.compile(
    r"\$|%[a-z]|\b(Ref\d*|Int|Bool|Seq|Set|fold|unfold|unfolding|folding|inhale|exhale|function"
    r"|Account\.balance|Account\.log|Counter\.|Viper)\b|\[\]\.elems|object\.class|untouched Account"
)
"""Words of Viper, and names that only the core has."""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "account.cool"
    path.write_text(WRONG)
    return path


Run = Callable[..., str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("PITVIPER_DAEMON", "off")

    def told(*words: str, typed: str = "") -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        code = main(list(words))
        found = capsys.readouterr()
        assert code in (0, 1, 4), found.err
        return found.out + found.err

    return told


def _complaints(text: str) -> list[str]:
    return [line for line in text.splitlines() if _WORDS.search(line)]


@pytest.mark.parametrize(
    "words",
    [
        ("check",),
        ("format", "--diff"),
        ("verify", "--cache", "off"),
        ("verify", "--cache", "off", "--backend", "vcg"),
        ("verify", "--cache", "off", "--no-inference"),
        ("verify", "--cache", "off", "--suggest"),
        ("counterexample",),
        ("explore", "--runs", "30"),
        ("wizard", "--runs", "20"),
    ],
    ids=lambda words: " ".join(words),
)
def test_outputs_are_in_words_of_the_language(
    words: tuple[str, ...], program: Path, run: Run
) -> None:
    assert _complaints(run(*words, str(program))) == []


def test_the_debugger_speaks_the_language(program: Path, run: Run, tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text(SCRIPT)
    text = run("debug", "--commands", str(script), "--select", "Account.pay", str(program))
    assert "get() == 0" in text
    assert _complaints(text) == []


def test_a_kept_test_is_replayed(program: Path, run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "tests"
    run(
        "explore",
        "--runs",
        "20",
        "--method",
        "Account.pay",
        "--save-tests",
        str(kept),
        str(program),
    )
    test = sorted(kept.glob("*.json"))[0]
    assert _complaints(run("replay", str(test))) == []


def test_a_program_is_shown_in_viper(program: Path, run: Run, tmp_path: Path) -> None:
    text = run("verify", "--emit", "viper", str(program))
    assert "// Account.pay: line 9" in text
    other = tmp_path / "account.vpr"
    other.write_text(text)
    said = run("verify", "--cache", "off", str(other))
    assert "Postcondition of Account_twice might not hold." in said
    assert "rejected" not in said


def test_formatting_changes_no_token(program: Path, run: Run) -> None:
    program.write_text("class C {int f;\n\n\n      void m( )\nrequires acc(f) ;\n{f:=f+1 ;}}")
    run("format", str(program))
    wanted = "class C { int f;\n\n  void m()\n    requires acc(f);\n  { f := f+1; } }\n"
    assert program.read_text() == wanted


FIXABLE = """\
class Cell {
  int x;
  Cell() ensures valid(); { x := 0; }
  predicate valid() { return acc(x); }
  void put(int v) requires valid(); ensures valid(); { x := v; }
}
"""


def test_inferred_operations_are_written_into_the_file(program: Path, run: Run) -> None:
    program.write_text(FIXABLE)
    run("verify", "--cache", "off", "--apply", str(program))
    text = program.read_text()
    assert "{ open this.valid(); x := v; close this.valid(); }" in text
    assert "error" not in run("verify", "--cache", "off", "--no-inference", str(program))


RETURNED = {
    "{ return x; }": "{ open this.valid(); int value := x; close this.valid(); return value; }",
    "{ int k := x; return k; }":
        "{ open this.valid(); int k := x; close this.valid(); return k; }",
    "{ if (x > 0) { return 1; } return x - 1; }":
        "{ open this.valid(); if (x > 0) { close this.valid(); return 1; } "
        "int value := x - 1; close this.valid(); return value; }",
}  # fmt: skip
"""Bodies that end in a `return`, and the same with what was inferred."""


@pytest.mark.parametrize("body", RETURNED)
def test_what_closes_a_predicate_is_written_in_front_of_a_return(
    body: str, program: Path, run: Run
) -> None:
    more = f"int got() requires valid(); ensures valid(); {body}"
    program.write_text(FIXABLE.replace("x := v; }", f"x := v; }}\n  {more}"))
    run("verify", "--cache", "off", "--apply", str(program))
    assert RETURNED[body] in program.read_text()
    again = run("verify", "--cache", "off", "--no-inference", str(program))
    assert "with inferred" not in again and "error[" not in again


def test_what_an_index_needs_is_written_in_front_of_the_statement(program: Path, run: Run) -> None:
    examples = Path(__file__).parents[3] / "examples" / "cool"
    text = (examples / "ring_buffer.cool").read_text()
    program.write_text(text)
    run("verify", "--cache", "off", "--apply", str(program))
    assert "    open this.valid();\n    slots[(first + count)" in program.read_text()


OPENED = """\
class Pair {
  int n; int m;
  Pair() ensures valid() && n == 1; { n := 1; }
  predicate valid() { return acc(n) * acc(m); }
  pure int get() requires valid(); { return n; }
  pure int sum() requires valid(); { return (n + m) * get(); }
  void inc()
    requires valid() && n > 0;
    ensures valid() && n == old(n) + 1;
  {
    n := n + 1;
  }
}
"""

WRITTEN = """\
class Pair {
  int n; int m;
  Pair() ensures valid() && (opening this.valid() in n == 1); { n := 1; close this.valid(); }
  predicate valid() { return acc(n) * acc(m); }
  pure int get() requires valid(); { return opening this.valid() in n; }
  pure int sum() requires valid(); { return (opening this.valid() in n + m) * get(); }
  void inc()
    requires valid() && (opening this.valid() in n > 0);
    ensures valid() && (opening this.valid() in n == old(opening this.valid() in n) + 1);
  {
    open this.valid();
    n := n + 1;
    close this.valid();
  }
}
"""


def test_inferred_openings_are_shown_and_written_into_the_file(program: Path, run: Run) -> None:
    program.write_text(OPENED)
    said = run("verify", "--cache", "off", "--apply", str(program))
    assert "pure method Pair.get, with inferred opening this.valid()\n" in said
    assert "insert around the expression in line 5, column 45: opening this.valid()" in said
    assert program.read_text() == WRITTEN
    again = run("verify", "--cache", "off", "--no-inference", str(program))
    assert "with inferred" not in again and "error[" not in again


def test_an_opening_stands_around_the_parentheses(program: Path, run: Run) -> None:
    program.write_text(OPENED.replace("return n;", "return (n + m) * m;"))
    run("verify", "--cache", "off", "--apply", str(program))
    assert "return opening this.valid() in (n + m) * m;" in program.read_text()


def test_pages_list_what_was_written_and_name_classes(program: Path, run: Run) -> None:
    """The data of a page: no member that nobody wrote, and no number for a class."""
    import json
    import re

    text = "interface I { } class C implements I { C() { } void m(int[] a) { assert a == null; } }"
    program.write_text(text)
    page = program.with_suffix(".html")
    run("report", "--html", str(page), str(program))
    found = re.search(r'id="report-data"[^>]*>(.*?)</script>', page.read_text(), re.DOTALL)
    assert found is not None
    answers = json.loads(found[1])["answers"]
    for asked in ("check", "record"):
        names = [member["name"] for member in answers[asked]["members"]]
        assert sorted(names) == ["C.C", "C.m"]
    steps = [a["steps"] for asked, a in answers.items() if asked.startswith("steps")]
    texts = [step["text"] for each in steps for step in each]
    assert "assume this != null ==> this.class == C" in texts


def _strings(value: object) -> list[str]:
    """All texts of the data of a page."""
    if isinstance(value, dict):
        return [text for inner in value.values() for text in _strings(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in _strings(inner)]
    return [value] if isinstance(value, str) else []


SHAPES = """\
interface Shape { predicate valid(); void grow(int by) requires valid(); ensures valid(); }
class Square implements Shape {
  int side;
  Square() ensures valid(); { side := 0; }
  predicate valid() { return acc(side); }
  void grow(int by) { side := side + by; }
}
class Log {
  int[] log; int size; seq<int> notes;
  Log(int n) requires n > 0; ensures valid(); { log := new int[n]; notes := seq<int>(); }
  predicate valid()
  { return acc(log) && acc(size) && acc(notes) && log != null && acc(log.elems) && size >= 0; }
  void put(Shape s, int v)
    requires valid() && s != null && s.valid();
    ensures valid() && s.valid();
  { int k := v; log[size] := k; size := size + 1; s.grow(k); }
}
"""


def test_the_data_of_a_page_has_no_words_of_the_core(program: Path, run: Run) -> None:
    """States, ways and instances are in words of the file; other forms say what they are."""
    import json

    program.write_text(SHAPES)
    page = program.with_suffix(".html")
    run("report", "--html", str(page), str(program))
    found = re.search(r'id="report-data"[^>]*>(.*?)</script>', page.read_text(), re.DOTALL)
    assert found is not None
    answers = json.loads(found[1])["answers"]
    core = re.compile(r"\bRef\d*\b|\bSeq\b|\b(some|of) (Ref|Int)\b|\$|\[\]\.elems|\.class == \d")
    of_the_core = ["trace", "alloy", "smt", "boogie", "ivl", "profile"]
    others = [f'emit form="{form}"' for form in of_the_core]
    shown = [text for asked, a in answers.items() if asked not in others for text in _strings(a)]
    assert [text for text in shown if core.search(text)] == []
    labelled = [answers[asked]["text"].partition("\n")[0] for asked in others if asked in answers]
    assert labelled
    assert [line for line in labelled if "The program as Viper" not in line] == []


def test_an_array_and_an_object_have_two_names(program: Path, run: Run) -> None:
    """In the core both are references, and one may be both; types keep them apart."""
    program.write_text(SHAPES)
    text = run("counterexample", str(program))
    arrays = set(re.findall(r"\bLog\d+\.log +write +(\w+)", text))
    shapes = set(re.findall(r"^ *(?:> )? *s +Shape +(\w+)", text, re.MULTILINE))
    assert arrays and shapes
    assert [name for name in arrays if not name.startswith("intArray")] == []
    assert [name for name in shapes if "Array" in name] == []


def test_an_explored_array_is_no_object(program: Path, run: Run) -> None:
    """The same in the inputs of runs."""
    program.write_text(SHAPES)
    text = run("explore", "--runs", "40", "--method", "Log.put", str(program))
    assert re.search(r"object\d+\.log = array\d+$", text, re.MULTILINE)
    assert re.search(r"array\d+\.elems = seq\(.*\)$", text, re.MULTILINE)
    assert re.search(r"object\d+\.elems|array\d+ \(", text) is None


ROWS = """\
class Cell {
  int x; Cell next; int[] a;
  Cell() { }
  int bump() requires acc(x); ensures acc(x) && x == old(x) + 1 && result == x;
  { x := x + 1; return x; }
  void go(Cell c)
    requires acc(x) && acc(next) && acc(a) && c != null && acc(c.x) && acc(c.next);
  {
    x := c.bump(); next := new Cell(); a := new int[x * x];
    int[][] m := new int[2][3];
    m[0][1] := c.bump();
    c.bump();
    Cell d := new Cell();
    d.next := null;
  }
}
"""


def test_what_has_no_name_is_called_as_it_is_written(
    program: Path, run: Run, tmp_path: Path
) -> None:
    program.write_text(ROWS)
    found = run("counterexample", str(program))
    assert "there is not enough permission to write d.next" in found
    assert re.search(r"objectArray\d+\.elems +write +seq\(intArray\d+, intArray\d+\)", found)
    script = tmp_path / "script.txt"
    script.write_text("show\npath all\n")
    shown = run("debug", "--commands", str(script), "--select", "Cell.go", str(program))
    assert "row 0 of new int[2][3] -> " in shown
    assert "execute this.x := c.bump()" in shown
    assert re.search(r"\b(made|value\d*|unused|size\d*)\b", shown) is None


def test_a_report_is_written_where_arrays_of_arrays_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITVIPER_DAEMON", "off")
    path = tmp_path / "grid.cool"
    path.write_text(
        "class Grid { int[][] cells; }\nGrid g := new Grid();\ng.cells := new int[3][];\n"
    )
    assert main(["report", "--html", str(tmp_path / "grid.html"), str(path)]) == 0
