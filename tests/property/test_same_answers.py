"""Programs have the same answers wherever their members are verified."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.driver.verify import runner

FOLDER = Path(__file__).parent.parent / "programs"
FILES = [str(path) for path in sorted(FOLDER.rglob("*.vpr"))[::4]]
_TIMES = re.compile(r'"seconds": [\d.e-]+|"remembered": (true|false)')


def untimed(output: str) -> list[str]:
    return [_TIMES.sub("", line) for line in output.splitlines()]


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    main(["verify", "--format", "json", *arguments, *FILES])
    captured = capsys.readouterr()
    assert captured.err == ""
    return untimed(captured.out)


@pytest.fixture
def expected(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(runner, "INLINE", 1e9)
    found = said(capsys, "--jobs", "1")
    assert len(found) > len(FILES) > 15
    monkeypatch.setattr(runner, "INLINE", -1.0)
    return found


def test_two_workers_and_the_cache(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, expected: list[str]
) -> None:
    for _ in range(2):
        assert said(capsys, "--jobs", "2", "--cache", str(tmp_path)) == expected


@pytest.fixture
def runtime() -> Iterator[str]:
    folder = tempfile.mkdtemp(prefix="pv-")
    yield folder
    shutil.rmtree(folder)


def test_the_daemon(expected: list[str], runtime: str) -> None:
    environment = {**os.environ, "PITVIPER_DAEMON": "on", "XDG_RUNTIME_DIR": runtime}
    command = [sys.executable, "-m", "pitviper"]
    done = subprocess.run(
        [*command, "verify", "--daemon", "--format", "json", *FILES],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    stopped = subprocess.run(
        [*command, "daemon", "stop"], env=environment, capture_output=True, text=True
    )
    assert "stopped" in stopped.stdout
    assert untimed(done.stdout) == expected


def test_a_dask_cluster(capsys: pytest.CaptureFixture[str], expected: list[str]) -> None:
    distributed = pytest.importorskip("distributed", reason="needs pitviper[cluster]")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=":0", protocol="tcp"
    ) as cluster:
        capsys.readouterr()
        assert said(capsys, "--cluster", cluster.scheduler_address) == expected
