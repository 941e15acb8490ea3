"""Options of other Viper tools: honoured, or accepted with a note; unknown ones are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.cli.arguments.verify import with_values
from pitviper.cli.foreign import OPTIONS, translated
from pitviper.cli.main import main
from pitviper.results.exit_code import ExitCode

WRONG = "method m(i: Int) { assert i > 0  assert i > 1 }\n"


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "wrong.vpr"
    path.write_text(WRONG)
    return str(path)


@pytest.mark.parametrize(
    ("given", "ours"),
    [
        (["--numberOfParallelVerifiers", "3", "a.vpr"], ["--jobs", "3", "a.vpr"]),
        (["--numberOfParallelVerifiers=0", "a.vpr"], ["a.vpr"]),
        (["--numberOfErrorsToReport", "0", "a.vpr"], ["--errors", "all", "a.vpr"]),
        (["--numberOfErrorsToReport=2"], ["--errors", "2"]),
        (["--disableCaching", "a.vpr"], ["--cache", "off", "a.vpr"]),
        (["--proverLogFile", "log", "a.vpr"], ["--solver-log", "log", "a.vpr"]),
        (["--z3Exe", "/bin/z3", "--exhaleMode", "1", "a.vpr"], ["a.vpr"]),
        (["--backend", "vcg", "--unheard", "a.vpr"], ["--backend", "vcg", "--unheard", "a.vpr"]),
    ],
)
def test_words_of_others_become_ours(given: list[str], ours: list[str]) -> None:
    assert translated(given)[0] == ours


def test_whatever_has_no_effect_says_so_in_one_line() -> None:
    for name, option in OPTIONS.items():
        words, notes = translated([name, "1"] if option.takes_value else [name])
        assert words or notes
        assert all(note.startswith(name) and "\n" not in note for note in notes)


@pytest.mark.parametrize(
    ("given", "form"),
    [("native", "raw"), ("variables", "tables"), ("mapped", "resolved"), ("raw", "raw")],
)
def test_forms_of_counterexamples(given: str, form: str) -> None:
    expected = [f"--counterexample={form}", "a.vpr"]
    assert with_values(["--counterexample", given, "a.vpr"]) == expected


def test_options_of_others_change_no_answer(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--assumeInjectivityOnInhale", "--plugin", "x.y", "--z3Exe=z3", "--disableCaching"]
    code = main(["verify", *given, "--numberOfErrorsToReport", "1", program])
    said = capsys.readouterr()
    assert code == ExitCode.FINDINGS
    assert said.out.count("assert.failed:assertion.false") == 1
    notes = [line for line in said.err.splitlines() if line.startswith("pitviper: note: ")]
    assert [note.split()[2] for note in notes] == [
        "--assumeInjectivityOnInhale",
        "--plugin",
        "--z3Exe",
        "--numberOfErrorsToReport",
    ]


def test_options_that_nobody_knows_are_refused(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["verify", "--z3Exe", "z3", "--unheard", program])
    assert ended.value.code == ExitCode.USAGE
    assert "there is no option --unheard" in capsys.readouterr().err
