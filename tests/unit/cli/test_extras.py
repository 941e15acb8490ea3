"""The core installation: what needs a further package says which, and all else works."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from pitviper.cli.commands import doctor
from pitviper.cli.main import main
from pitviper.results.exit_code import ExitCode

OTHERS = "cvc5 pygls lsprotocol cattrs starlette uvicorn websockets mcp distributed".split()
WITHOUT = f"""import sys
sys.modules.update(dict.fromkeys({OTHERS}))
from pitviper.cli.main import main
sys.exit(main(sys.argv[1:]))"""
RIGHT = "method m(n: Int) requires n > 1 { assert n > 0 }\n"


def without_extras(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "m.vpr").write_text(RIGHT)
    command = [sys.executable, "-c", WITHOUT, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("verify --certify m.vpr", "--certify needs cvc5: pip install 'pitviper[cvc5]'"),
        ("fuzz --cases 1", "fuzz needs cvc5: pip install 'pitviper[cvc5]'"),
        ("lsp", "the language server needs pygls: pip install 'pitviper[editor]'"),
        ("server --viper", "the server needs pygls: pip install 'pitviper[editor]'"),
        ("serve", "the workbench needs uvicorn: pip install 'pitviper[web]'"),
        ("mcp", "tools for agents need mcp: pip install 'pitviper[agents]'"),
        (
            "verify --cluster tcp://127.0.0.1:1 m.vpr",
            "--cluster needs Dask: pip install 'pitviper[cluster]'",
        ),
    ],
)
def test_what_to_install_is_told(command: str, said: str, tmp_path: Path) -> None:
    done = without_extras(command.split(), tmp_path)
    assert done.returncode == ExitCode.USAGE
    assert done.stderr == f"pitviper: error: {said}\n"


@pytest.mark.parametrize(
    "command", ["report --html m.html m.vpr", "wizard --html m.html m.vpr", "dap --help-all"]
)
def test_what_needs_nothing_more_works(command: str, tmp_path: Path) -> None:
    done = without_extras(command.split(), tmp_path)
    assert (done.returncode, done.stderr) == (ExitCode.FINE, "")
    assert "m.html" not in command or "m.vpr" in (tmp_path / "m.html").read_text()


def test_the_doctor_says_what_each_extra_is_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def version(package: str) -> str:
        if package in OTHERS:
            raise PackageNotFoundError
        return "1"

    monkeypatch.setattr(doctor, "version", version)
    assert main(["doctor"]) == ExitCode.FINE
    said = capsys.readouterr().out
    for extra in ("cvc5", "editor", "web", "agents", "cluster"):
        assert f"optional: `pip install 'pitviper[{extra}]'`" in said
    assert "`serve`" in said and "`mcp`" in said
