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


def test_no_operation_is_written_behind_a_return(program: Path, run: Run) -> None:
    more = "int got() requires valid(); ensures valid(); { return x; }"
    text = FIXABLE.replace("x := v; }", f"x := v; }}\n  {more}")
    program.write_text(text)
    said = run("verify", "--cache", "off", "--apply", str(program))
    assert "a `return` stands at the end" in said
    assert "return x; close" not in program.read_text()
