"""Do programs have the same answers however they are verified?

Verifies a sample of programs in this process, by two workers, by the daemon, on a Dask cluster of
two workers, and twice with a cache; compares all that is said but times. Differences are printed.

    python -m bench.same_answers --sample 150 --seed 1 ../shared/suite
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pitviper.cli.main import main
from pitviper.driver.verify import runner

Said = tuple[int, list[str]]
_TIMES = re.compile(r'"seconds": [\d.e-]+|"remembered": (true|false)')
AT_ONCE = -1.0


def here(path: Path, *arguments: str, inline: float = 1e9) -> Said:
    """The command in this process; workers take over after `inline` seconds."""
    output = io.StringIO()
    runner.INLINE = inline
    with contextlib.redirect_stdout(output):
        code = main(["verify", "--format", "json", *arguments, str(path)])
    return code, _lines(output.getvalue())


def by_daemon(path: Path) -> Said:
    command = [sys.executable, "-m", "pitviper", "verify", "--format", "json", "--cache", "off"]
    environment = {**os.environ, "PITVIPER_DAEMON": "on"}
    done = subprocess.run(
        [*command, "--daemon", str(path)], capture_output=True, text=True, env=environment
    )
    return done.returncode, _lines(done.stdout)


def _lines(output: str) -> list[str]:
    return [_TIMES.sub("", line) for line in output.splitlines()]


def modes(cluster: str | None, cache: str) -> dict[str, Callable[[Path], Said]]:
    found: dict[str, Callable[[Path], Said]] = {
        "--jobs 2": lambda p: here(p, "--cache", "off", "--jobs", "2", inline=AT_ONCE),
        "daemon": by_daemon,
        "empty cache": lambda p: here(p, "--cache", cache),
        "full cache": lambda p: here(p, "--cache", cache),
    }
    if cluster is not None:
        found["cluster"] = lambda p: here(p, "--cache", "off", "--cluster", cluster)
    return found


def compare(paths: list[Path], ways: dict[str, Callable[[Path], Said]]) -> int:
    spent = dict.fromkeys(["--jobs 1", *ways], 0.0)
    differences = 0
    for path in paths:
        start = time.perf_counter()
        expected = here(path, "--cache", "off", "--jobs", "1")
        spent["--jobs 1"] += time.perf_counter() - start
        for name, way in ways.items():
            start = time.perf_counter()
            said = way(path)
            spent[name] += time.perf_counter() - start
            if said != expected:
                differences += 1
                print(f"{path}: {name} differs")
                for one, other in zip(expected[1], said[1], strict=False):
                    if one != other:
                        print(f"  - {one[:2000]}\n  + {other[:2000]}")
    for name, seconds in spent.items():
        print(f"{name:12} {seconds:8.1f} s")
    print(f"{len(paths)} programs, {differences} differences")
    return differences


def start() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sample", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-cluster", action="store_true")
    arguments = parser.parse_args()
    found = sorted(arguments.folder.rglob("*.vpr"))
    paths = random.Random(arguments.seed).sample(found, min(arguments.sample, len(found)))
    os.environ["PITVIPER_DAEMON"] = "off"
    with tempfile.TemporaryDirectory() as cache:
        if arguments.no_cluster:
            return compare(paths, modes(None, cache))
        from distributed import LocalCluster

        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
            return compare(paths, modes(cluster.scheduler_address, cache))


if __name__ == "__main__":
    sys.exit(1 if start() else 0)
