"""The stages of the front end: order, what is skipped, what is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

import pitviper
from pitviper.base.usage_error import UsageError
from pitviper.checking.options import CheckOptions
from pitviper.driver.front.frontend import FrontEnd, load, load_text
from pitviper.driver.front.viper_syntax import viper_members, viper_tree
from pitviper.driver.suite.programs import SuiteOptions, check_engine
from pitviper.driver.verify.verify import check_file, diagnosed, member_at, report_of
from pitviper.results.suite import EngineRun
from pitviper.results.verdict import Verdict
from pitviper.source.diagnostic import Diagnostic, Severity

TYPE_ERROR = "method wrong() { assert nothing }\n"
WARNING = "define unused(x) true\nmethod m() { assert unused(1) }\n"


def codes(result: FrontEnd) -> list[str]:
    return [diagnostic.code for diagnostic in result.diagnostics]


@pytest.mark.smoke
def test_an_accepted_program() -> None:
    result = load_text("field f: Int method m(x: Ref) requires acc(x.f) { x.f := 1 }")
    assert result.accepted
    assert result.program is not None
    assert list(result.program.methods) == ["m"]
    assert result.diagnostics == ()


def test_no_types_after_parser_errors() -> None:
    result = load_text("method broken( { }\n" + TYPE_ERROR)
    assert codes(result) == ["parser.error"]
    assert result.program is None
    tree = viper_tree(result)
    assert tree is not None
    assert [type(member).__name__ for member in tree.members] == ["Method"]


def test_no_macros_after_import_errors_and_no_types_after_macro_errors() -> None:
    macro = "define m(x) m(x)\nmethod a() { assert m(1) }\n"
    assert all("import" in d.message for d in load_text('import "no.vpr"\n' + macro).errors)
    assert codes(load_text(macro + TYPE_ERROR)) == ["parser.error"]


def test_warnings_of_earlier_stages_are_kept() -> None:
    accepted = load_text(WARNING)
    assert accepted.accepted
    assert [w.code for w in accepted.warnings] == ["parser.warning"]
    rejected = load_text(WARNING + TYPE_ERROR)
    assert codes(rejected) == ["parser.warning", "typechecker.error"]
    assert [e.severity for e in rejected.errors] == [Severity.ERROR]


def test_imports_start_in_the_folder_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/f.vpr").write_text('import "g.vpr"\nfield f: Int\n')
    (tmp_path / "lib/g.vpr").write_text("field g: Int\n")
    main = tmp_path / "main.vpr"
    main.write_text('import "lib/f.vpr"\nmethod m(x: Ref) requires acc(x.f) && acc(x.g)\n')
    result = load(main)
    assert result.accepted
    assert result.program is not None
    assert sorted(result.program.fields) == ["f", "g"]
    text = main.read_text()
    assert load_text(text, str(tmp_path / "other.vpr")).accepted
    assert not load_text(text, "/nowhere/other.vpr").accepted


def test_further_library_folders(tmp_path: Path) -> None:
    (tmp_path / "own.vpr").write_text("field own: Int")
    text = "import <own.vpr>\nmethod m(x: Ref) requires acc(x.own)"
    assert not pitviper.check(text).accepted
    assert pitviper.check(text, library=[tmp_path]).accepted


def test_an_error_in_an_imported_file_is_there(tmp_path: Path) -> None:
    (tmp_path / "lib.vpr").write_text("\n" + TYPE_ERROR)
    main = tmp_path / "main.vpr"
    main.write_text('import "lib.vpr"\n')
    (error,) = load(main).errors
    assert error.span is not None
    assert (error.span.file.name, error.span.line) == ("lib.vpr", 2)
    assert check_file(main).problems[0].member == "wrong"


def test_smoke_detection_reaches_imported_files(tmp_path: Path) -> None:
    (tmp_path / "lib.vpr").write_text("method m() { unreachable }")
    main = tmp_path / "main.vpr"
    main.write_text('import "lib.vpr"\n')
    assert load(main, CheckOptions(smoke_detection=True)).accepted
    assert not load(main).accepted


def test_no_text() -> None:
    result = load_text("method m() { }\n\0")
    assert codes(result) == ["parser.error"]
    assert (viper_tree(result), viper_members(result)) == (None, ())


def test_a_missing_file_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        load(tmp_path / "missing.vpr")
    with pytest.raises(UsageError):
        pitviper.parse(tmp_path / "missing.vpr")


def test_parsing_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.vpr"
    path.write_bytes(b"\xff")
    parsed = pitviper.parse(path)
    assert parsed.tree.members == ()
    assert [d.code for d in parsed.diagnostics] == ["parser.error"]
    assert pitviper.parse(TYPE_ERROR).diagnostics == ()
    assert pitviper.check(path).accepted is False


def test_the_report_of_a_program() -> None:
    result = load_text("field f: Int\nmethod m() { }\npredicate P()\nfunction g(): Int\n")
    report = report_of(Path("a.vpr"), result, 0.5)
    assert report.verdict is Verdict.UNDECIDED
    assert report.members == dict.fromkeys(("m", "g", "P"), Verdict.UNDECIDED)
    rejected = report_of(Path("a.vpr"), load_text(TYPE_ERROR), 0.5)
    assert rejected.verdict is Verdict.REJECTED
    assert rejected.reason is None


def test_the_member_around_a_place() -> None:
    result = load_text("field f: Int\nmethod m() { }\n")
    assert member_at(result, 6) is None
    assert member_at(result, 20) == "m"
    nowhere = Diagnostic("parser.error", Severity.ERROR, None, "no place")
    assert [problem.member for problem in diagnosed(result, [nowhere])] == [None]


def test_the_front_end_as_an_engine_of_the_suite(tmp_path: Path) -> None:
    path = tmp_path / "a.vpr"
    path.write_text("\n" + TYPE_ERROR)
    run = check_engine(path, SuiteOptions())
    assert [(output.id, output.line) for output in run.outputs] == [("typechecker.error", 2)]
    assert run.outputs[0].place.startswith("a.vpr@2.")
    path.write_text("method m() { assert false }")
    assert check_engine(path, SuiteOptions()) == EngineRun((), Verdict.UNDECIDED)
