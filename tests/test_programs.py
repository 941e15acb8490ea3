"""Annotated programs are the specification: the verifiers say about them what they say."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.driver.suite.lists import AGREEING
from pitviper.driver.suite.programs import Engine, find_programs, vcg_engine, verify_engine
from pitviper.driver.suite.suite import run_suite
from pitviper.driver.work.tasks import Limits
from pitviper.results.exit_code import ExitCode

ROOT = Path(__file__).parent.parent
FOLDERS = ("tests/programs", "examples/broken")


@pytest.mark.parametrize("engine", [verify_engine, vcg_engine])
@pytest.mark.parametrize("folder", FOLDERS)
def test_annotated_programs(folder: str, engine: Engine) -> None:
    programs = find_programs(ROOT / folder)
    results = list(run_suite(programs, engine, Limits(jobs=2, timeout=600.0)))
    assert len(results) >= 3
    assert {str(r.name): r for r in results if r.status not in AGREEING} == {}


def test_the_main_command_of_the_readme(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its part after the installation, with the patterns that a shell would expand."""
    text = (ROOT / "README.md").read_text()
    found = re.search(r"<!-- main-command -->\n```sh\n(.*)\n```", text)
    assert found is not None
    name, *arguments = shlex.split(found[1].split(" && ")[-1])
    assert name == ".venv/bin/pitviper"
    monkeypatch.chdir(ROOT)
    expanded = [
        path
        for argument in arguments
        for path in (sorted(map(str, Path().glob(argument))) if "*" in argument else [argument])
    ]
    assert main(expanded) == ExitCode.FINE
    assert "Verified " in capsys.readouterr().out
