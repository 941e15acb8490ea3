"""What is installed from the wheel is the tool that the pages show, without any sources."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from email import message_from_string
from pathlib import Path

import pytest

from pitviper.version import VERSION
from tests.pages.run import ROOT, SETTINGS, Run, check_page, pages


def test_the_version_is_the_same_everywhere() -> None:
    assert re.search(
        rf"^## {re.escape(VERSION)}\b", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE
    )
    assert f"v{VERSION}" in (ROOT / "docs/howto/ci.md").read_text()


def test_hooks_and_action_run_commands_that_exist() -> None:
    from pitviper.cli.main import full_parser

    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text()
    entries = re.findall(r"entry: pitviper (.*)", hooks)
    assert len(entries) == 3
    for words in entries:
        full_parser().parse_args([*words.split(), "a.vpr"])
    action = (ROOT / "action.yml").read_text()
    assert "pitviper verify --format sarif" in action
    assert "upload-sarif" in action


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the source distribution, of a copy: tests beside this one build as well."""
    folder, copied = tmp_path_factory.mktemp("dist"), tmp_path_factory.mktemp("sources")
    left_out = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
    shutil.copytree(ROOT / "pitviper", copied / "pitviper", ignore=left_out)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copied)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "-w",
        str(folder),
        str(copied),
    ]
    subprocess.run(pip, check=True, capture_output=True)
    (needed,) = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    backend = tmp_path_factory.mktemp("backend")
    fetch = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(backend), needed]
    subprocess.run(fetch, check=True, capture_output=True)
    code = f"from setuptools.build_meta import build_sdist; build_sdist({str(folder)!r})"
    with_backend = {**os.environ, "PYTHONPATH": str(backend)}
    command = [sys.executable, "-c", code]
    subprocess.run(command, cwd=copied, check=True, capture_output=True, env=with_backend)
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, source


def test_the_wheel_has_everything_and_says_what_it_is(built: tuple[Path, Path]) -> None:
    wheel, source = built
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (described,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        about = message_from_string(archive.read(described).decode())
    files = [str(f.relative_to(ROOT)) for f in (ROOT / "pitviper").rglob("*") if f.is_file()]
    wanted = [f for f in files if "__pycache__" not in f and not f.endswith(".pyc")]
    assert [name for name in wanted if name not in names] == []
    assert (about["Name"], about["Version"]) == ("pitviper", VERSION)
    assert about["License-Expression"] == "MPL-2.0"
    assert "Topic :: Software Development :: Quality Assurance" in about.get_all("Classifier", [])
    assert "A tour in six steps" in str(about.get_payload())
    with tarfile.open(source) as archive:
        inside = archive.getnames()
    assert any(name.endswith("/pitviper/cli/main.py") for name in inside)
    assert any(name.endswith("/pitviper/servers/web/assets/index.html") for name in inside)


@pytest.fixture(scope="module")
def installed(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the commands of an empty environment with the wheel."""
    folder = tmp_path_factory.mktemp("empty") / "venv"
    venv.create(folder, with_pip=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", str(built[0])]
    subprocess.run(pip, check=True, capture_output=True, env=environment())
    assert (folder / "bin" / "pitviper").exists()
    return folder / "bin"


def environment() -> dict[str, str]:
    """Without what leads to the sources: pip would think that all is installed already."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def runner(commands: Path) -> Run:
    def run(command: str) -> str:
        path = os.pathsep.join([str(commands), os.environ.get("PATH", "")])
        done = subprocess.run(
            ["bash", "-c", command],
            env={**environment(), **SETTINGS, "PATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.stdout

    return run


SHOWN = [page for page in pages() if page.parent.name != "reference"]


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize("page", SHOWN, ids=[str(page.relative_to(ROOT)) for page in SHOWN])
def test_pages_are_true_of_what_is_installed(page: Path, installed: Path) -> None:
    check_page(page, runner(installed))


def test_tour_doctor_and_module_work_without_sources(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = runner(installed)
    assert "Verified 3 members in 1 file" in run("pitviper tour")
    assert run("pitviper doctor | tail -1") == "All that is needed is there.\n"
    assert f"pitviper {VERSION}" in run("python -m pitviper --version")
    drawn = run("pitviper tour --write t && pitviper counterexample --svg a.svg t/transfer.vpr")
    assert "Fontconfig" not in drawn
    assert (tmp_path / "a.svg").exists()
