"""What the wizard says about the programs of a folder: colours, time and memory of each.

    python bench/wizard_folder.py FOLDER [--every N] [--offset K] [--seconds S] [--patience S]
                                  [--timeout S] [--keep FILE]

Each program is a process of its own, which has `--timeout` seconds for everything, and is ended
after `--patience` seconds (a hang). A program without a last line was cut: there was no time.
`--keep` writes what was said about each assertion, a line of JSON each, to be read by hand.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--patience", type=float, default=300.0)
    parser.add_argument("--keep", type=Path, help="where to write what is said")
    arguments = parser.parse_args()
    files = sorted(arguments.folder.rglob("*.vpr"))[arguments.offset :: arguments.every]
    total: Counter[str] = Counter()
    for file in files:
        told, counts, seconds, megabytes = one(file, arguments)
        total.update(counts)
        if arguments.keep is not None:
            with arguments.keep.open("a", encoding="utf-8") as kept:
                kept.writelines(json.dumps({"file": str(file), **line}) + "\n" for line in told)
        said = ", ".join([f"{n} {word}" for word, n in sorted(counts.items())])
        print(f"{file}: {said} ({seconds:.1f} s, {megabytes} MB)", flush=True)
    print("all:", dict(sorted(total.items())))


Told = list[dict[str, object]]
"""Lines of JSON that the wizard wrote."""


def one(file: Path, limits: argparse.Namespace) -> tuple[Told, Counter[str], float, int]:
    """What is said of a program, its colours or how the wizard ended instead, time and memory."""
    command = [sys.executable, "-m", "pitviper", "wizard", "--format", "json"]
    command += ["--seconds", str(limits.seconds), "--timeout", str(limits.timeout), str(file)]
    start, most = time.monotonic(), 0
    environment = {**os.environ, "PITVIPER_DAEMON": "off"}
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )
    late = threading.Timer(limits.patience, lambda: os.killpg(process.pid, signal.SIGKILL))
    late.start()
    watching = threading.Event()

    def watch() -> None:
        nonlocal most
        while not watching.wait(0.2):
            most = max(most, *[memory(pid) for pid in session(process.pid)], 0)

    watcher = threading.Thread(target=watch)
    watcher.start()
    out, _ = process.communicate()
    late.cancel()
    watching.set()
    watcher.join()
    counts: Counter[str] = Counter()
    told = [json.loads(line) for line in out.decode().splitlines()]
    for line in told:
        if line.get("kind") == "assertion":
            counts[line["colour"]] += 1
            counts["spurious"] += bool(line["spurious"])
    if not any(line.get("kind") in ("wizard", "result") for line in told):
        counts["cut"] += 1
    if process.returncode not in (0, 1, 4):
        counts["hang" if process.returncode == -signal.SIGKILL else "crash"] += 1
    return told, +counts, time.monotonic() - start, most


def session(leader: int) -> list[int]:
    """The processes of a session."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if os.getsid(int(folder.name)) == leader:
                    found.append(int(folder.name))
            except ProcessLookupError:
                continue
    return found


def memory(pid: int) -> int:
    """Megabytes that a process has had at most."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    lines = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(lines[0].split()[1]) // 1024 if lines else 0


if __name__ == "__main__":
    main()
