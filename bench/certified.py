"""Which share of the programs of a folder is certified, member by member?

    python bench/certified.py FOLDER [--timeout 120] [--every N] [--offset K] [--state FILE.jsonl]

Each program goes through `pitviper verify --certify --format json --jobs 1 --cache off`, in a
process of its own. A member counts where both engines verify it; it is certified, or the reasons
say why not, and are printed. Programs that give no certificate are counted by exit code. With
`--state`, programs that the file has are not asked again, so that a run may go on later.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from pitviper.driver.suite.programs import find_programs

Answer = dict[str, Any]


def ask(path: Path, timeout: float) -> Answer:
    """What `verify --certify` says of one program: its exit code and its certificates."""
    command = [sys.executable, "-m", "pitviper", "verify", "--certify", "--format", "json"]
    command += ["--jobs", "1", "--cache", "off", "--timeout", str(timeout), str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    return {
        "file": str(path),
        "exit": run.returncode,
        "certificates": [line for line in lines if line["kind"] == "certificate"],
        "words": run.stderr,
    }


def answers(chosen: argparse.Namespace) -> list[Answer]:
    known: dict[str, Answer] = {}
    if chosen.state is not None and chosen.state.exists():
        lines = chosen.state.read_text(encoding="utf-8").splitlines()
        known = {answer["file"]: answer for answer in map(json.loads, lines)}
    found = []
    for program in find_programs(chosen.folder)[chosen.offset :: chosen.every]:
        answer = known.get(str(program.path))
        if answer is None:
            answer = ask(program.path, chosen.timeout)
            if chosen.state is not None:
                with chosen.state.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(answer) + "\n")
        found.append(answer)
    return found


def count(found: list[Answer]) -> tuple[Counter[str], list[str]]:
    """Programs and members by what became of them, and each member that should be certified."""
    counts: Counter[str] = Counter()
    missed = []
    for answer in found:
        counts["programs"] += 1
        if not answer["certificates"]:
            counts[f"programs without certificates, exit code {answer['exit']}"] += 1
        both = [
            member
            for member in answer["certificates"]
            if member["symbolic"] == member["vcg"] == "verified"
        ]
        counts["members"] += len(answer["certificates"])
        counts["members that both engines verify"] += len(both)
        counts["members certified"] += sum(member["certified"] for member in both)
        if both and len(both) == len(answer["certificates"]):
            counts["programs verified whole"] += 1
            counts["programs certified whole"] += all(member["certified"] for member in both)
        for member in both:
            if not member["certified"]:
                why = [*member["reasons"], *member["runs"]["failing"]]
                missed.append(f"{answer['file']}: {member['member']}: {why}")
    return counts, missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--timeout", type=float, default=120.0)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--state", type=Path)
    counts, missed = count(answers(parser.parse_args()))
    for line in missed:
        print(line)
    for key, number in sorted(counts.items()):
        print(f"{number:7}  {key}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
