"""Finding the programs of a suite, and running them with an engine of any kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.base.usage_error import UsageError
from pitviper.driver.suite.lists import read_differences
from pitviper.driver.suite.programs import find_programs
from pitviper.driver.suite.suite import run_suite, suite_report
from pitviper.driver.work.tasks import Limits
from pitviper.results.suite import Status
from tests.unit.driver.work.clock import LONG, Clock
from tests.unit.driver.work.worker_functions import named_engine


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_programs_are_found_by_ending_and_grouped_by_number(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "b.sil": "",
            "a/two_file2.vpr": "//:: ExpectedOutput(second)\nx",
            "a/two_file1.vpr": "//:: ExpectedOutput(first)\nx",
            "a/notes.txt": "",
        },
    )
    programs = find_programs(tmp_path)
    assert [str(p.expectation.name) for p in programs] == ["a/two_file1.vpr", "b.sil"]
    assert [a.id for a in programs[0].expectation.annotations.items] == ["first", "second"]


def test_folders_choose_options_and_whether_a_program_is_judged(tmp_path: Path) -> None:
    folders = ("all", "graphs", "import", "oldpermsemantics", "quasihavoc", "smoke", "tutorial")
    write(tmp_path, {f"{folder}/x/a.vpr": "" for folder in folders})
    found = {str(p.expectation.name.parts[0]): p for p in find_programs(tmp_path)}
    judged = [folder for folder in folders if found[folder].expectation.judged]
    assert judged == ["all", "oldpermsemantics", "quasihavoc", "smoke"]
    assert found["smoke"].options.check.smoke_detection
    assert found["oldpermsemantics"].options.check.respect_function_perm_amounts
    assert found["quasihavoc"].options == found["all"].options


def test_the_folder_given_counts_too_and_a_file_may_be_given(tmp_path: Path) -> None:
    write(tmp_path, {"smoke/a.vpr": ""})
    (from_folder,) = find_programs(tmp_path / "smoke")
    (from_file,) = find_programs(tmp_path / "smoke" / "a.vpr")
    assert from_folder.path == from_file.path
    assert from_folder.options == from_file.options
    assert from_folder.expectation == from_file.expectation
    assert from_file.options.check.smoke_detection


def test_the_outermost_known_folder_decides(tmp_path: Path) -> None:
    write(tmp_path, {"silver/all/import/smoke/a.vpr": "", "silver/import/all/b.vpr": ""})
    ordinary, helper = find_programs(tmp_path)
    assert ordinary.expectation.judged
    assert not ordinary.options.check.smoke_detection
    assert not helper.expectation.judged
    (part,) = find_programs(tmp_path / "silver/all/import")
    assert part.expectation.judged


def test_the_folder_import_of_a_suite_is_a_library(tmp_path: Path) -> None:
    write(tmp_path, {"silver/all/a/b/x.vpr": "", "silver/import/lib.vpr": "", "y/z.vpr": ""})
    library = (tmp_path / "silver/import",)
    for root in ("silver", "silver/all", "silver/all/a"):
        programs = {p.path.name: p for p in find_programs(tmp_path / root)}
        assert programs["x.vpr"].options.library == library
    assert find_programs(tmp_path / "y")[0].options.library == ()


def test_no_programs(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no programs"):
        find_programs(tmp_path)
    with pytest.raises(UsageError, match="no such folder"):
        find_programs(tmp_path / "missing")


def test_differences(tmp_path: Path) -> None:
    write(tmp_path, {"all/a.vpr": "", "all/ba.vpr": "", "list.toml": ""})
    (tmp_path / "list.toml").write_text(
        '[[difference]]\npath = "all/a.vpr"\nreason = "we prove more"\n'
        '[[difference]]\npath = "x.vpr"\nreason = "stricter"\nstage = "check"\n'
    )
    differences = read_differences(tmp_path / "list.toml")
    assert [d.stage for d in differences] == ["verify", "check"]
    reasons = [p.expectation.difference for p in find_programs(tmp_path, differences)]
    assert reasons == ["we prove more", None]


@pytest.mark.parametrize(
    "text",
    [
        "what",
        "[other]",
        "difference = 1",
        '[[difference]]\npath = "a.vpr"',
        '[[difference]]\npath = "a.vpr"\nreason = " "',
        '[[difference]]\npath = "a.vpr"\nreason = "x"\nstage = "never"',
        '[[difference]]\npath = "a.vpr"\nreason = "x"\nother = 1',
    ],
)
def test_a_list_of_differences_that_is_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "list.toml"
    path.write_text(text)
    with pytest.raises(UsageError):
        read_differences(path)


def test_a_suite_with_all_kinds_of_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(
        tmp_path,
        {
            "fine.vpr": "",
            "rejected.vpr": "",
            "expected/rejected.vpr": "//:: ExpectedOutput(parser.error)\n",
            "hang.vpr": "",
            "die.vpr": "",
            "raise.vpr": "",
            "killed.vpr": "",
            "graphs/killed.vpr": "",
            "graphs/hang.vpr": "",
        },
    )
    programs = find_programs(tmp_path)
    clock, hanging = Clock(monkeypatch), 2
    run = run_suite(programs, named_engine, Limits(jobs=hanging + 1, timeout=LONG))
    ended = clock.forward_after(len(programs) - hanging, run)
    results = {str(result.name): result for result in ended}
    assert {name: result.status for name, result in results.items()} == {
        "fine.vpr": Status.AGREES,
        "rejected.vpr": Status.MISMATCH,
        "expected/rejected.vpr": Status.MISMATCH,  # its line is 2, the output is on line 1
        "hang.vpr": Status.TIMEOUT,
        "die.vpr": Status.CRASH,
        "raise.vpr": Status.CRASH,
        "killed.vpr": Status.UNDECIDED,
        "graphs/killed.vpr": Status.NOT_JUDGED,
        "graphs/hang.vpr": Status.NOT_JUDGED,
    }
    report = suite_report(tmp_path, results["expected/rejected.vpr"], "1\n2\n")
    places = [problem.span.line if problem.span else None for problem in report.problems]
    assert places == [1, 2]
    assert suite_report(tmp_path, results["hang.vpr"], "").problems[0].span is None
