"""A soak: mixed commands through the daemon and the API for a while; memory and descriptors drawn.

    python bench/soak.py --minutes 30 --plot soak.svg

The daemon is asked by clients, and the API works in a process of its own. Every few seconds the
memory and the open descriptors of both are noted; flat lines are what is hoped for.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from faults import RIGHT, WRONG

ROOT = Path(__file__).resolve().parent.parent
API = """
import itertools, sys, time, pitviper
pause = float(sys.argv.pop(1))
texts = [open(name).read() for name in sys.argv[1:]]
vcg = pitviper.VerifyOptions(backend="vcg")
from pitviper.driver.explore.options import SearchOptions
here = pitviper.ExploreOptions(search=SearchOptions(runs=40), workers=0)
asked = (
    pitviper.verify, pitviper.verify, lambda text: pitviper.verify(text, options=vcg),
    pitviper.check, pitviper.counterexample, lambda text: pitviper.explore(text, options=here),
    lambda text: pitviper.verify(text + "method"), pitviper.debug,
)
for number in itertools.count():
    ask = asked[number // 2 % len(asked)]
    ask(texts[number % 2] + f"\\n// {number}\\n")
    time.sleep(pause)
"""
COMMANDS = (
    "verify", "verify --format json", "verify --backend vcg", "verify --counterexample",
    "verify --format sarif", "verify --jobs 2", "verify --timeout 60", "verify --quiet",
)  # fmt: skip
"""What a daemon does: it serves `verify`, with all of its options."""
Sample = tuple[float, float, int]
"""Seconds, megabytes and descriptors."""


def sample(pid: int, began: float) -> Sample:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    size = pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
    return time.monotonic() - began, size, len(os.listdir(f"/proc/{pid}/fd"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--plot", type=Path)
    parser.add_argument(
        "--pause", type=float, default=0.0, help="seconds after each command, where others work"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pitviper-soak-") as folder:
        found, asked = soak(Path(folder), 60.0 * arguments.minutes, arguments.pause)
    for name, samples in found.items():
        fifth = len(samples) // 5
        for part, some in (("second", samples[fifth : 2 * fifth]), ("last", samples[-fifth:])):
            sizes, descriptors = [one[1] for one in some], {one[2] for one in some}
            print(f"{name}, {part} fifth: {min(sizes):.0f} to {max(sizes):.0f} MB,", end=" ")
            print(f"median {median(sizes):.1f}, {min(descriptors)} to {max(descriptors)} files")
    print(f"{asked} commands through the daemon")
    if arguments.plot is not None:
        arguments.plot.write_text(picture(found))


def soak(folder: Path, seconds: float, pause: float) -> tuple[dict[str, list[Sample]], int]:
    for name, text in (("right.vpr", RIGHT), ("wrong.vpr", WRONG)):
        (folder / name).write_text(text)
    environment = {
        **os.environ, "PYTHONPATH": str(ROOT), "XDG_RUNTIME_DIR": str(folder),
        "PITVIPER_CACHE": "off",
    }  # fmt: skip
    environment.pop("PITVIPER_DAEMON", None)

    def run(words: list[str]) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pitviper", *words]
        return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)

    while run(["daemon", "start"]).returncode:  # it had no minute of its own on this machine
        print("the daemon is started again", flush=True)
    daemon = int(run(["daemon", "status"]).stdout.split("pid ")[1].split(",")[0])
    words = [sys.executable, "-c", API, str(pause), "right.vpr", "wrong.vpr"]
    api = subprocess.Popen(words, cwd=folder, env=environment)
    found: dict[str, list[Sample]] = {"daemon": [], "API": []}
    began, asked = time.monotonic(), 0
    try:
        while time.monotonic() - began < seconds:
            file = ("right.vpr", "wrong.vpr")[asked % 2]
            done = run([*COMMANDS[asked // 2 % len(COMMANDS)].split(), file])
            assert done.returncode == asked % 2, done.stderr
            asked += 1
            time.sleep(pause)
            if asked % 50 == 0:
                print(f"... {asked} commands after {time.monotonic() - began:.0f} s", flush=True)
            found["daemon"].append(sample(daemon, began))
            found["API"].append(sample(api.pid, began))
    finally:
        api.kill()
        api.wait()
        run(["daemon", "stop"])
    return found, asked


WIDTH, HEIGHT = 640, 140


def picture(found: dict[str, list[Sample]]) -> str:
    """One graph for each process and quantity, from zero to a tenth above the largest."""
    parts = []
    rows = [(name, at, unit) for name in found for at, unit in ((1, "MB"), (2, "descriptors"))]
    for row, (name, at, unit) in enumerate(rows):
        samples = found[name]
        top = 1.1 * max(one[at] for one in samples)
        line = " ".join(points([(one[0], one[at]) for one in samples], samples[-1][0], top))
        parts.append(
            f'<g transform="translate(40 {20 + row * (HEIGHT + 40)})">'
            f'<text y="-5">{name}: {unit}, 0 to {top:.0f}, {samples[-1][0]:.0f} s</text>'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>'
            f'<polyline points="{line}" fill="none" stroke="#06c"/></g>'
        )
    size = f'width="{WIDTH + 80}" height="{len(rows) * (HEIGHT + 40) + 20}"'
    style = 'font-family="sans-serif" font-size="12"'
    inside = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>\n{inside}\n</svg>\n'


def points(values: Sequence[tuple[float, float]], longest: float, top: float) -> list[str]:
    step = max(1, len(values) // WIDTH)
    return [
        f"{WIDTH * x / (longest or 1):.1f},{HEIGHT * (1 - y / (top or 1)):.1f}"
        for x, y in values[::step]
    ]


if __name__ == "__main__":
    main()
