"""Sub-commands on wrong twins of the examples of the object language.

Nothing that a user sees holds a generated name or a word that only Viper has.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pitviper.cli.main import main
from tests.unit.languages.cool.twins import EXAMPLES, TWINS, Twin

SCRIPT = (
    "choose 0", "show all", "why-not", "path", "path all", "suggest", "source", "show old",
    "counterexample", "help", "errors", "export trace", "diff 1 2", "diff 2 9", "goto parent",
    "goto 3", "find this",
)  # fmt: skip

_WORDS = re.compile(
    r"\$|%[a-z]|\b(Ref\d*|Int|Bool|Seq|Set|Perm|fold|unfold|unfolding|folding|inhale|exhale"
    r"|function|Viper)\b|\[\]\.elems|\.elems\[|object\.class|array\.length|\buntouched [A-Z]"
)
"""Words of Viper, and names that only the core has."""

COMMANDS = (
    ("check",),
    ("format", "--diff"),
    ("verify", "--cache", "off"),
    ("verify", "--cache", "off", "--format", "json"),
    ("verify", "--cache", "off", "--format", "sarif"),
    ("verify", "--cache", "off", "--suggest"),
    ("verify", "--cache", "off", "--no-inference"),
    ("verify", "--cache", "off", "--backend", "vcg"),
    ("verify", "--cache", "off", "--profile"),
    ("verify", "--cache", "off", "--counterexample", "raw"),
    ("counterexample",),
    ("counterexample", "--format", "json", "--dot", "@.dot", "--svg", "@.svg"),
    ("debug",),
    ("debug", "--format", "json"),
    ("explore", "--runs", "15"),
    ("explore", "--runs", "8", "--html", "@.html"),
    ("wizard", "--runs", "8", "--html", "@.html"),
    ("verify", "--cache", "off", "--certify"),
    ("verify", "--cache", "off", "--backend", "both"),
    ("verify", "--cache", "off", "--counterexample", "variables"),
    ("verify", "--cache", "off", "--infer-depth", "1"),
    ("verify", "--cache", "off", "--fix", "--diff"),
    ("counterexample", "--where", "true"),
    ("suite",),
    ("report", "--html", "@.html"),
    ("report", "--html", "@.html", "--explore"),
)
"""`@` is the name of a file that is written and read as well."""

SELECTING = ("verify", "counterexample", "debug")
QUICK = ("bank", "ring", "stack")
RIGHT = (
    ("verify", "--cache", "off"),
    ("verify", "--cache", "off", "--suggest"),
    ("verify", "--cache", "off", "--profile"),
    ("check", "--format", "json"),
    ("format", "--diff"),
    ("explore", "--runs", "5"),
)
"""What is told of programs in which nothing is wrong."""

Run = Callable[..., str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.setenv("PITVIPER_DAEMON", "off")
    script = tmp_path / "script.txt"
    script.write_text("\n".join(SCRIPT) + "\n")

    def told(words: tuple[str, ...], path: Path, select: str = "") -> str:
        more: list[str] = []
        if words[0] == "debug":
            more = ["--commands", str(script)]
        if select and words[0] in SELECTING:
            more += ["--select", select]
        monkeypatch.setattr("sys.stdin", io.StringIO(""))
        chosen = [word.replace("@", str(tmp_path / "written")) for word in words]
        code = main([*chosen, *more, str(path)])
        found = capsys.readouterr()
        assert code in (0, 1, 4), found.err
        written = [_of_page(file.read_text()) for file in tmp_path.glob("written*")]
        return "\n".join([found.out, found.err, *written])

    return told


def _of_page(text: str) -> str:
    """What a reader sees of a page: no styles and no scripts."""
    return re.sub(r"<(style|script)\b.*?</\1>", "", text, flags=re.DOTALL)


def complaints(text: str) -> list[str]:
    """The lines that a user of the object language cannot know how to read."""
    lines = [line for line in text.splitlines() if '"$schema"' not in line]
    return [line for line in lines if _WORDS.search(line)]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("twin", [t for t in TWINS if t.name in QUICK], ids=lambda t: t.name)
def test_what_is_wrong_is_told_in_words_of_the_language(
    twin: Twin, words: tuple[str, ...], run: Run, tmp_path: Path
) -> None:
    path = tmp_path / f"{twin.name}.cool"
    path.write_text(twin.text)
    assert complaints(run(words, path, twin.select)) == []


@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("twin", [t for t in TWINS if t.name not in QUICK], ids=lambda t: t.name)
def test_what_is_wrong_with_the_others_is_told_so(
    twin: Twin, words: tuple[str, ...], run: Run, tmp_path: Path
) -> None:
    path = tmp_path / f"{twin.name}.cool"
    path.write_text(twin.text)
    assert complaints(run(words, path, twin.select)) == []


@pytest.mark.slow
@pytest.mark.parametrize("words", RIGHT, ids=" ".join)
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.cool")), ids=lambda p: p.stem)
def test_what_is_right_is_told_so(path: Path, words: tuple[str, ...], run: Run) -> None:
    assert complaints(run(words, path)) == []


FAILING = """\
class Cell {
  int x; int[] log; seq<int> notes;
  Cell(int size) ensures valid(); { log := new int[size]; }
  predicate valid() { return acc(x) * acc(log) * acc(notes) * log != null * acc(log.elems); }
  pure int get() requires valid(); { return x; }
  pure int down(int n) requires valid(); decreases 0 - n; { return n > 0 ? down(n - 1) : 0; }
  void put(int at, int v) requires valid(); ensures valid() && get() == v; { log[at] := v; }
  int read(int at) requires valid(); ensures valid(); { return log[at]; }
  void pick() requires valid(); ensures valid(); { x :| x > 3 && x < 2; }
  void more() requires valid(); ensures valid(); { while (x > 0) invariant acc(x); { x := x - 9; } }
}
Cell c := new Cell(3);
Cell d;
d.put(1, 2);
"""


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_checks_that_nobody_wrote_are_told_so(
    words: tuple[str, ...], run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "cell.cool"
    path.write_text(FAILING)
    said = run(words, path)
    assert complaints(said) == []
    if words == ("verify", "--cache", "off"):
        assert "Its length size might be negative." in said
        assert "The element might not exist. Index at might be negative." in said
        assert "Index at into this.log might be negative." in said
        assert "There might be no x such that x > 3 && x < 2." in said
        assert "Pure method might not terminate." in said


MISTAKES = """\
class Box {
  int x; Bax next;
  void set(int v) requires acc(y); { x := v; }
  pure int get() requires acc(x); { return x + true; }
  predicate valid() { return acc(x) && x; }
}
Box b := new Box(3);
b.put(1);
"""
REFUSED = (
    ("check",), ("check", "--format", "json"), ("verify", "--cache", "off"), ("counterexample",),
    ("verify", "--cache", "off", "--format", "sarif"), ("debug",), ("explore",), ("wizard",),
    ("verify", "--cache", "off", "--certify"), ("suite",), ("format",), ("format", "--diff"),
    ("report", "--html", "@.html"),
)  # fmt: skip


@pytest.mark.parametrize("words", REFUSED, ids=" ".join)
def test_mistakes_are_told_in_words_of_the_language(
    words: tuple[str, ...], run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "box.cool"
    path.write_text(MISTAKES)
    said = run(words, path)
    assert complaints(said) == []
    assert "Traceback" not in said
    if words == ("check",):
        assert said.count("help: ") == said.count("error[") == 6


UNREADABLE = """\
class Box {
  int x
  int sum(int[] a) requires acc(a.elems); ensures acc(a.elems);
  { int s = 0; for (int i := 0; i < a.length; i++) { s += a[i]; } return s; }
  void set(int v { x := v; }
}
"""


@pytest.mark.parametrize("words", REFUSED, ids=" ".join)
def test_what_cannot_be_read_is_told_in_words_of_the_language(
    words: tuple[str, ...], run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "box.cool"
    path.write_text(UNREADABLE)
    said = run(words, path)
    assert complaints(said) == []
    assert "Traceback" not in said
    if words == ("check",):
        assert said.count("help: ") == said.count("error[") > 2


def test_kept_tests_are_replayed_in_words_of_the_language(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cell.cool"
    path.write_text(FAILING)
    kept = tmp_path / "kept"
    main(["explore", "--runs", "15", "--save-tests", str(kept), str(path)])
    capsys.readouterr()
    tests = sorted(kept.glob("*.json"))
    assert tests
    for test in tests:
        assert complaints(run(("replay",), test)) == []


MANY = """\
interface Observer { predicate valid(); void update(int v) requires valid(); ensures valid(); }
class Subject {
  seq<Observer> all; int[][] rows;
  predicate valid()
  { return acc(all) && (forall int i in 0..|all| :: all[i] != null && all[i].valid()); }
  predicate table()
  { return acc(rows) && rows != null && acc(rows.elems)
      && (forall int i in 0..rows.length :: rows[i] != null && acc(rows[i].elems)); }
}
"""


def test_objects_that_may_be_the_same_are_told_apart_in_its_words(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "many.cool"
    path.write_text(MANY)
    said = run(("verify", "--cache", "off"), path)
    assert complaints(said) == []
    wanted = "forall int i in 0..|this.all| :: (forall int i2 in 0..|this.all| :: i != i2"
    assert f"{wanted} ==> this.all[i] != this.all[i2]" in said


def test_a_missing_element_is_told_with_its_cure(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "cell.cool"
    path.write_text("class C { void m(int[] a, int i) requires a != null && acc(a.elems); "
                    "{ a[i] := 1; } }")  # fmt: skip
    said = run(("verify", "--cache", "off"), path)
    assert "help: test `0 <= i && i < a.length` first by an `if`" in said


def test_what_new_says_of_an_array_is_no_input(run: Run, tmp_path: Path) -> None:
    """A failure behind `main` was told with the elements and the length of `new3`."""
    path = tmp_path / "cell.cool"
    path.write_text(FAILING.replace("{ log[at] := v; }", "{ log[0] := v; }"))
    said = run(("explore", "--runs", "15"), path)
    assert "array" in said
    assert re.findall(r"^ +new\d+\..*", said, flags=re.MULTILINE) == []


ELSEWHERE = {
    "replay": "above", "mcp": "servers/mcp", "lsp": "servers/lsp", "dap": "servers/dap",
    "serve": "servers/web", "server": "servers/viper: Viper files only",
    "explain": "ids, no file", "tour": "no file", "doctor": "no file", "completion": "no file",
    "fuzz": "no file", "cache": "no file", "daemon": "no file",
}  # fmt: skip
"""Sub-commands that take no file of the language, or are looked at by tests of their own."""


def test_no_sub_command_is_forgotten(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    said = capsys.readouterr().out
    listed = set(re.findall(r"^  ([a-z]+)  ", said, flags=re.MULTILINE))
    listed |= set(re.findall(r"([a-z]+)\s\(", said.partition("also: ")[2]))
    assert len(listed) > 20
    assert listed - {words[0] for words in COMMANDS} <= set(ELSEWHERE)
