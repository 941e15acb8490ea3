"""`pitviper verify`: verdicts, exit codes, formats, options."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.driver.verify import member_verifier
from pitviper.engines.shared.members import Member, MemberResult
from pitviper.engines.symbolic.verifier import Run, verify_member
from pitviper.results.exit_code import ExitCode
from tests.unit.driver.verify.test_verify import ENDLESS, pigeons

COMMAND = [sys.executable, "-m", "pitviper", "verify"]

GOOD = "function twice(n: Int): Int { 2 * n }\nmethod good(n: Int) { assert twice(n) == n + n }\n"
BAD = """\
method bad(n: Int)
  requires n > 0
{
  assert n > 0 && 7 / n > n
  exhale n / n > 1 / (n - 1)
}
"""
BROKEN = "method m() { assert x }\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "good.vpr").write_text(GOOD)
    (tmp_path / "bad.vpr").write_text(BAD)
    (tmp_path / "broken.vpr").write_text(BROKEN)
    (tmp_path / "hard.vpr").write_text(pigeons())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


@pytest.mark.smoke
@pytest.mark.usefixtures("files")
def test_verified(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "good.vpr"]) == ExitCode.FINE
    *told, closing = lines(capsys)
    assert told == ["good.vpr", "  verified   function twice", "  verified   method good"]
    assert closing.startswith("Verified 2 members in 1 file (")


@pytest.mark.usefixtures("files")
def test_refuted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "bad.vpr", "good.vpr"]) == ExitCode.FINDINGS
    text = capsys.readouterr().out
    assert " --> bad.vpr:4:10\n" in text
    assert (
        "error[assert.failed:assertion.false]: Assert might fail. Assertion 7 / n > n might not "
        "hold.\n"
    ) in text
    assert "  |          ^^^^^^^^^^^^^^^^^^\n  |                   --------- this might" in text
    assert "  help: `n - 1 != 0` has to be known: ask for it, `requires n - 1 != 0`, or " in text
    assert "  refuted    method bad: " in text
    assert "2 verified, 1 refuted of 3 members in 2 files (" in text


@pytest.mark.usefixtures("files")
def test_rejected(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "broken.vpr", "good.vpr"]) == ExitCode.FINDINGS
    text = capsys.readouterr().out
    assert "error[typechecker.error]" in text
    assert "Found 1 error: 2 verified of 2 members, 1 of 2 files rejected (" in text


@pytest.mark.usefixtures("files")
def test_undecided(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--assertTimeout", "100000", "hard.vpr", "good.vpr"]) == 4
    text = capsys.readouterr().out
    assert "undecided: the solver reached its limit" in text
    assert "  undecided  method m\n" in text
    assert "Undecided: 2 verified, 1 undecided of 3 members in 2 files (" in text


@pytest.mark.usefixtures("files")
def test_the_time_of_the_run_is_for_all_files(capsys: pytest.CaptureFixture[str]) -> None:
    limits = ["--timeout", "1.5", "--assertTimeout", str(ENDLESS)]
    assert main(["verify", *limits, "hard.vpr", "good.vpr"]) == ExitCode.UNDECIDED
    text = capsys.readouterr().out
    assert text.count("undecided: the time for the run is over (1.5 s)") == 3
    assert "verified   " not in text


@pytest.mark.usefixtures("files")
def test_findings_weigh_more_than_what_is_undecided(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--assertTimeout", "100000", "hard.vpr", "bad.vpr"]) == 1
    assert "1 refuted, 1 undecided of 2 members" in capsys.readouterr().out


@pytest.mark.usefixtures("files")
def test_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--quiet", "good.vpr"]) == ExitCode.FINE
    assert capsys.readouterr().out == ""
    assert main(["verify", "--quiet", "bad.vpr", "good.vpr"]) == ExitCode.FINDINGS
    told = lines(capsys)
    assert told[0].startswith("error[")
    assert not [line for line in told if "members" in line or "good.vpr" in line]


@pytest.mark.usefixtures("files")
def test_the_first_errors_only(capsys: pytest.CaptureFixture[str]) -> None:
    (Path("many.vpr")).write_text("method m(n: Int) {\n  assert n > 0\n  assert n > 1\n}\n")
    assert main(["verify", "--errors", "1", "many.vpr"]) == ExitCode.FINDINGS
    text = capsys.readouterr().out
    assert text.count("error[") == 1
    assert "many.vpr:2:10" in text
    assert "refuted    method m: 1 error, 1 more not shown" in text
    assert "Found 2 errors" in text
    assert main(["verify", "--errors", "all", "many.vpr"]) == ExitCode.FINDINGS
    assert capsys.readouterr().out.count("error[") == 2


@pytest.mark.usefixtures("files")
def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["verify", "--format", "json", "--assertTimeout", "100000"]
    assert main([*arguments, "bad.vpr", "hard.vpr"]) == ExitCode.FINDINGS
    objects = [json.loads(line) for line in lines(capsys)]
    finding = objects[0]
    assert (finding["kind"], finding["id"]) == ("finding", "assert.failed:assertion.false")
    assert (finding["file"], finding["start"], finding["end"]) == ("bad.vpr", [4, 10], [4, 28])
    assert finding["member"] == "bad"
    assert finding["related"][0]["start"] == [4, 19]
    first, second = [value for value in objects if value["kind"] == "result"]
    assert (first["verdict"], first["members"]) == ("refuted", {"bad": "refuted"})
    assert first["errors"] == len([value for value in objects if value["kind"] == "finding"])
    assert (second["verdict"], second["members"]) == ("undecided", {"m": "undecided"})
    assert "limit" in second["reason"]
    (question,) = [value for value in objects if value["kind"] == "undecided"]
    assert (question["file"], question["member"]) == ("hard.vpr", "m")
    assert second["details"]["m"]["declared"] == "method"


@pytest.mark.usefixtures("files")
def test_sarif(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["verify", "--format", "sarif", "--assertTimeout", "100000"]
    assert main([*arguments, "bad.vpr", "hard.vpr"]) == ExitCode.FINDINGS
    run = json.loads(capsys.readouterr().out)["runs"][0]
    *failed, last = run["results"]
    assert failed[0]["ruleId"] == "assert.failed:assertion.false"
    assert failed[0]["relatedLocations"][0]["message"]["text"] == "this might not hold"
    assert (last["ruleId"], last["kind"], last["level"]) == ("undecided", "open", "none")
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert [rules[result["ruleIndex"]] for result in run["results"]] == [
        result["ruleId"] for result in run["results"]
    ]
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]


@pytest.fixture
def crashing(monkeypatch: pytest.MonkeyPatch, files: Path) -> None:
    def fails(run: Run, member: Member) -> MemberResult:
        if member.name == "twice":
            raise ZeroDivisionError("our bug")
        return verify_member(run, member)

    monkeypatch.setattr(member_verifier, "verify_member", fails)


@pytest.mark.usefixtures("crashing")
def test_our_own_bug_in_one_member(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "good.vpr", "bad.vpr"]) == ExitCode.OUR_FAULT
    captured = capsys.readouterr()
    assert "  undecided  function twice: internal error\n" in captured.out
    assert "refuted    method bad" in captured.out
    assert "Internal error: " in captured.out
    said = "pitviper: internal error in member twice of good.vpr: ZeroDivisionError: our bug\n"
    assert captured.err.startswith(said)
    assert "Traceback" not in captured.err
    file = Path(captured.err.split()[-1])
    assert "ZeroDivisionError: our bug" in file.read_text()
    file.unlink()


@pytest.mark.usefixtures("crashing")
def test_our_own_bug_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["verify", "--debug", "--format"]
    assert main([*arguments, "json", "good.vpr"]) == ExitCode.OUR_FAULT
    captured = capsys.readouterr()
    assert "Traceback" in captured.err
    (crash,) = [
        value
        for line in captured.out.splitlines()
        if (value := json.loads(line))["kind"] == "crash"
    ]
    assert (crash["member"], crash["message"]) == ("twice", "ZeroDivisionError: our bug")
    assert main([*arguments, "sarif", "good.vpr"]) == ExitCode.OUR_FAULT
    invocation = json.loads(capsys.readouterr().out)["runs"][0]["invocations"][0]
    assert not invocation["executionSuccessful"]
    assert "our bug" in invocation["toolExecutionNotifications"][0]["message"]["text"]


@pytest.mark.usefixtures("files")
def test_selected_members(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--select", "twice", "good.vpr"]) == ExitCode.FINE
    assert "Verified 1 member in 1 file" in capsys.readouterr().out
    assert main(["verify", "--select", "twice,none", "good.vpr"]) == ExitCode.USAGE
    assert "no method, function or predicate named none" in capsys.readouterr().err


@pytest.mark.usefixtures("files")
def test_termination_and_joins_can_be_switched_off(capsys: pytest.CaptureFixture[str]) -> None:
    text = "import <decreases/int.vpr>\nmethod m(n: Int) decreases n { m(n) }\n"
    Path("loop.vpr").write_text(text)
    assert main(["verify", "loop.vpr"]) == ExitCode.FINDINGS
    assert "termination.failed:tuple.false" in capsys.readouterr().out
    assert main(["verify", "--disableTerminationPlugin", "--no-join", "loop.vpr"]) == ExitCode.FINE


@pytest.mark.usefixtures("files")
def test_the_solver_log(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--solver-log", "log.smt2", "good.vpr", "bad.vpr"]) == 1
    assert Path("log.smt2").read_text().count("; ==== file ") == 2
    assert "good.vpr" in capsys.readouterr().out
    assert main(["verify", "--solver-log", "no/log.smt2", "good.vpr"]) == ExitCode.USAGE


@pytest.mark.parametrize("backend", ["vcg", "both"])
def test_other_backends(backend: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "one.vpr").write_text("method m(x: Int) requires x > 1 { assert x > 0 }")
    assert main(["verify", "--backend", backend, "one.vpr"]) == ExitCode.FINE
    assert "verified   method m" in capsys.readouterr().out


@pytest.mark.parametrize(
    "option",
    [
        ["--errors", "0"],
        ["--errors", "some"],
        ["--select", "a,,b"],
        ["--assertTimeout", "0"],
        ["--assertTimeout", "5000000000"],
        ["--timeout", "-1"],
        ["--backend", "boogie"],
    ],
)
def test_wrong_options(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["verify", *option, "a.vpr"])
    assert caught.value.code == 2
    assert option[0] in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_ends_a_hard_question(files: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "--assertTimeout", str(ENDLESS), "hard.vpr"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=files,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"hard.vpr\n"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=300)
    assert process.returncode == ExitCode.INTERRUPTED
    assert said == b"\npitviper: interrupted\n"


def test_a_program_from_standard_input() -> None:
    done = subprocess.run(
        [*COMMAND, "-"], input=BAD.encode(), capture_output=True, timeout=300, check=False
    )
    assert done.returncode == ExitCode.FINDINGS
    assert done.stdout.startswith(b"<stdin>\n")


def test_quiet_says_one_line_about_all_that_is_undecided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hard.vpr"
    file.write_text(
        "\n".join(
            f"method hard{n}(a: Int, b: Int, c: Int) requires a > 2 && b > 2 && c > 2"
            " { assert a * a * a + b * b * b != c * c * c }"
            for n in range(20)
        )
    )
    quiet = ["verify", "--cache", "off", "--quiet", "--assertTimeout", "2000", str(file)]
    assert main(quiet) == ExitCode.UNDECIDED
    text = capsys.readouterr().out
    assert text.count("\n") == 1
    assert text.startswith("undecided: 20 members, hard0, hard1, hard2 and 17 more (the first: ")
