"""No input, however bad, gives a traceback or a hang: a message with a place, and an exit code."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitviper.cli.main import main
from pitviper.driver.front.frontend import FrontEnd, load, load_text
from pitviper.driver.verify.verify import report_of
from pitviper.results.exit_code import ExitCode
from pitviper.source.diagnostic import Diagnostic
from pitviper.views.json.lines import json_line, report_objects
from pitviper.views.sarif import sarif_text
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.report import report_text
from pitviper.views.terminal.style import coloured

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
MUTANTS = 2000

TOKEN = re.compile(r"\s+|//[^\n]*|/\*.*?\*/|[A-Za-z_$][\w$]*|\d+|\S", re.DOTALL)
SPARE_TOKENS = (
    "( ) [ ] { } , ; : :: := . .. + - * / \\ % && || ==> <==> == != < <= --* ? ! # @ | "
    "x 0 1 true null result acc old forall exists let in unfolding if while method function "
    "predicate field domain axiom define var requires ensures invariant fold package new adt"
).split()

BAD_PROGRAMS = {
    "unterminated comment": "method m() { } /* never ends",
    "unterminated string": 'import "a.vpr',
    "unclosed block": "method m() { if (true) { ",
    "too many closing": "method m() { } } } )",
    "10,000 nested parentheses": "method m() { assert " + "(" * 10_000 + "1" + ")" * 10_000 + " }",
    "10,000 open parentheses": "method m() { assert " + "(" * 10_000,
    "10,000 nested blocks": "method m() " + "{" * 10_000 + "}" * 10_000,
    "10,000 negations": "method m() { assert " + "!" * 10_000 + "true }",
    "10,000 minus signs": "method m() { assert 0 == " + "-" * 10_000 + "1 }",
    "10,000 nested types": "field f: " + "Seq[" * 10_000 + "Int" + "]" * 10_000,
    "10,000 nested conditionals": "function f(): Int { " + "true ? (" * 10_000 + "1",
    "10,000 elseif": "method m() { if (true) {} " + "elseif (true) {} " * 10_000 + "else { x } }",
    "a 1 MB identifier": "method m() { assert " + "a" * 1_000_000 + " }",
    "a 1 MB number": "method m() { assert x == " + "9" * 1_000_000 + " }",
    "a 1 MB line of operators": "method m() { assert x" + " + x" * 250_000 + " }",
    "an odd character": "method m() { assert \u2200 x }",
    "a lone surrogate": "method m() { \ud800 }",
    "a NUL": "method m() {\n\0}",
    "form feed": "method m() {\f}",
    "missing import": 'import "does/not/exist.vpr"',
    "missing library": "import <no/such/library.vpr>",
    "absolute nonsense": 'import "/"',
    "recursive macro": "define m(x) m(x) method a() { assert m(1) }",
    "mutually recursive macros": "define a b define b a method m() { assert a }",
    "doubling macros": "".join(f"define m{i} (m{i + 1} && m{i + 1})\n" for i in range(40))
    + "define m40 true\nmethod m() { assert m0 }",
}
"""Each of them is rejected; all have a place but the ones that end in nothing."""


def well_placed(diagnostic: Diagnostic) -> bool:
    """Inside its file, with its start before its end."""
    span = diagnostic.span
    return span is not None and 0 <= span.start <= span.end <= len(span.file.text)


def told_words(diagnostic: Diagnostic) -> tuple[object, ...]:
    """Diagnostics with the same words and without other places are told in one paragraph."""
    if diagnostic.help is None or diagnostic.related:
        return (id(diagnostic),)
    place = None if diagnostic.span is None else diagnostic.span.file
    return diagnostic.code, diagnostic.message, diagnostic.help, place


def is_told(diagnostic: Diagnostic, text: str) -> bool:
    """Whether the line of a diagnostic is named: as a place, or as one with the same words."""
    line = diagnostic.span and diagnostic.span.line
    return re.search(rf":{line}:\d|the same in lines? [^\n]*\b{line}\b", text) is not None


def assert_sensible(result: FrontEnd) -> None:
    """What every answer of the front end has, and every view can show."""
    assert result.accepted == (not result.errors)
    assert all(well_placed(diagnostic) for diagnostic in result.diagnostics)
    assert all(diagnostic.message for diagnostic in result.diagnostics)
    report = report_of(result.source.path, result, 0.0)
    text = report_text(report, Page(coloured))
    assert text.count("\n\n") == len({told_words(diagnostic) for diagnostic in result.diagnostics})
    assert all(is_told(diagnostic, text) for diagnostic in result.diagnostics)
    for value in report_objects(report):
        assert json.loads(json_line(value)) == json.loads(json.dumps(value))
    assert json.loads(sarif_text([report], 1))["version"] == "2.1.0"


@pytest.mark.parametrize("name", BAD_PROGRAMS)
def test_bad_programs(name: str) -> None:
    result = load_text(BAD_PROGRAMS[name], "bad.vpr")
    assert not result.accepted
    assert_sensible(result)


BAD_FILES = {
    "empty": (b"", ExitCode.FINE),
    "only a byte order mark": (b"\xef\xbb\xbf", ExitCode.FINE),
    "only a comment": (b"// nothing", ExitCode.FINE),
    "binary": (bytes(range(256)) * 40, ExitCode.FINDINGS),
    "an executable": (b"\x7fELF\x02\x01\x01\0\0\0", ExitCode.FINDINGS),
    "invalid UTF-8": (b"method m() { }\n// caf\xe9\n", ExitCode.FINDINGS),
    "UTF-16": ("method m() { }".encode("utf-16"), ExitCode.FINDINGS),
    "imports itself": (b'import "bad.vpr"\nmethod m() { }', ExitCode.FINE),
    "import of a folder": (b'import "."\n', ExitCode.FINDINGS),
    "missing import": (b'import "missing.vpr"\n', ExitCode.FINDINGS),
    "import of a binary file": (b'import "binary.vpr"\n', ExitCode.FINDINGS),
    "import of a broken file": (b'import "broken.vpr"\n', ExitCode.FINDINGS),
    "a cycle of imports": (b'import "cycle.vpr"\nfield f: Int\n', ExitCode.FINE),
}


@pytest.mark.parametrize("name", BAD_FILES)
@pytest.mark.parametrize("command", ["check", "verify"])
def test_bad_files(
    name: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, code = BAD_FILES[name]
    (tmp_path / "bad.vpr").write_bytes(data)
    (tmp_path / "binary.vpr").write_bytes(b"\xff\0\xff")
    (tmp_path / "broken.vpr").write_text("method (")
    (tmp_path / "cycle.vpr").write_text('import "bad.vpr"\nfield g: Int\n')
    assert main([command, str(tmp_path / "bad.vpr")]) == code
    captured = capsys.readouterr()
    told = captured.err.splitlines()
    assert told == [] or (command == "verify" and "nothing to verify" in told[0])
    if code is ExitCode.FINDINGS:
        assert re.search(
            r"error\[parser\.error\]: Parse error: .*\n +--> .*\w+\.vpr:\d+:\d+", captured.out
        )


@pytest.mark.parametrize("mode", [0o000, None])
def test_unreadable_and_missing_files(
    mode: int | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.vpr"
    if mode is not None:
        path.write_text("")
        path.chmod(mode)
        try:
            path.read_bytes()
        except PermissionError:
            pass
        else:
            pytest.skip("this user may read everything")
    assert main(["check", str(path)]) == ExitCode.USAGE
    assert capsys.readouterr().err.startswith(f"pitviper: error: cannot read {path}: ")


@pytest.mark.parametrize("command", ["check", "format", "verify"])
def test_a_folder_without_programs(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, str(tmp_path)]) == ExitCode.USAGE
    assert "it is a folder" in capsys.readouterr().err


@given(st.text(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_text(text: str) -> None:
    assert_sensible(load_text(text, "any.vpr"))


@given(st.lists(st.sampled_from(SPARE_TOKENS), max_size=60))
@settings(max_examples=500, deadline=None)
def test_any_sequence_of_tokens(tokens: list[str]) -> None:
    assert_sensible(load_text(" ".join(tokens), "any.vpr"))


@given(st.binary(max_size=200))
@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_any_bytes(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "any.vpr"
    path.write_bytes(data)
    assert_sensible(load(path))


def mutated(tokens: list[str], chance: random.Random) -> list[str]:
    """Up to three tokens dropped, doubled, exchanged or replaced."""
    changed = list(tokens)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(changed))
        match chance.randrange(4):
            case 0:
                del changed[at]
            case 1:
                changed.insert(at, changed[at])
            case 2:
                other = chance.randrange(len(changed))
                changed[at], changed[other] = changed[other], changed[at]
            case _:
                changed[at] = chance.choice(SPARE_TOKENS)
    return changed


def programs() -> list[list[str]]:
    """The tokens of the examples, white space and comments included."""
    texts = [path.read_text() for path in sorted(EXAMPLES.glob("*.vpr"))]
    return [TOKEN.findall(text) for text in texts]


@pytest.mark.parametrize("part", range(4))
def test_mutated_examples(part: int) -> None:
    """Real programs with small mistakes, the input that users have most of."""
    chance = random.Random(f"pitviper {part}")
    originals = programs()
    rejected = 0
    for _ in range(MUTANTS // 4):
        text = "".join(mutated(chance.choice(originals), chance))
        result = load_text(text, str(EXAMPLES / "mutant.vpr"))
        assert_sensible(result)
        rejected += not result.accepted
    assert rejected > MUTANTS // 20


def test_the_same_answer_twice() -> None:
    chance = random.Random("twice")
    text = "".join(mutated(programs()[0], chance))
    first, second = (load_text(text, "a.vpr") for _ in range(2))
    shown = [[(d.code, d.message, str(d.span)) for d in r.diagnostics] for r in (first, second)]
    assert shown[0] == shown[1]
