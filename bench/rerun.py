"""How much an unchanged file, one edited method and a second worker save.

Writes a file of members of our own, then measures whole commands: processor time of all processes,
which other work on the machine hardly changes, and wall-clock time, which needs an idle machine.

    python -m bench.rerun --members 40 --repeat 3

With --daemon, the processor time is that of the client alone: look at the wall-clock time then.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MEMBER = """
method m{n}(s: Seq[Int], x: Ref, k: Int) returns (r: Int)
  requires list(x) && k > {n} && |s| > {n}
  ensures list(x) && r >= 0
{{
  r := 0
  var i: Int := 0
  var e: Seq[Int] := content(x)
  while (i < |s|)
    invariant 0 <= i && i <= |s| && r >= 0
    invariant list(x) && content(x) == e
  {{
    if (s[i] > k) {{ r := r + 1 }} elseif (s[i] > 0) {{ r := r + s[i] }} else {{ r := r + 2 }}
    i := i + 1
  }}
  var t: Seq[Int] := s ++ Seq(k, k + 1) ++ content(x)
  assert |t| == |s| + 2 + |e|
  assert t[|s|] == k
  assert forall j: Int :: 0 <= j && j < |s| ==> t[j] == s[j]
  assert forall j: Int :: 0 <= j && j < |e| ==> t[|s| + 2 + j] == e[j]
  unfold list(x)
  if (x.next != null) {{ assert |e| > 1  r := r + x.value * x.value }}
  fold list(x)
  assert content(x) == e
}}
"""
HEAD = """
field value: Int
field next: Ref
predicate list(x: Ref) { acc(x.value) && acc(x.next) && (x.next != null ==> list(x.next)) }
function content(x: Ref): Seq[Int]
  requires list(x)
  ensures |result| > 0
{
  unfolding list(x) in x.next == null ? Seq(x.value) : Seq(x.value) ++ content(x.next)
}
"""


def program(members: int) -> str:
    return HEAD + "".join(MEMBER.format(n=n) for n in range(members))


def run(path: Path, *arguments: str) -> tuple[float, float]:
    """Processor and wall-clock seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    command = [sys.executable, "-m", "pitviper", "verify", "--quiet", *arguments, str(path)]
    subprocess.run(command, check=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, wall


def measure(folder: Path, members: int) -> dict[str, tuple[float, float]]:
    path, cache = folder / "members.vpr", folder / "cache"
    text = program(members)
    path.write_text(text)
    result = {"--jobs 1": run(path, "--jobs", "1", "--cache", "off")}
    result["--jobs 2"] = run(path, "--jobs", "2", "--cache", "off")
    result["first run"] = run(path, "--jobs", "1", "--cache", str(cache))
    result["unchanged"] = run(path, "--jobs", "1", "--cache", str(cache))
    path.write_text(text.replace("k > 1 ", "k >  1 /* here */ "))
    result["comment edited"] = run(path, "--jobs", "1", "--cache", str(cache))
    path.write_text(text.replace("k > 1 ", "k > 1 && k > 0 "))
    result["method edited"] = run(path, "--jobs", "1", "--cache", str(cache))
    for file in cache.rglob("*.json"):
        file.unlink()
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--members", type=int, default=40)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--daemon", action="store_true", help="let a running daemon do it")
    arguments = parser.parse_args()
    os.environ["PITVIPER_DAEMON"] = "on" if arguments.daemon else "off"
    with tempfile.TemporaryDirectory() as folder:
        found = [measure(Path(folder), arguments.members) for _ in range(arguments.repeat)]
    medians = {
        name: tuple(statistics.median(run[name][at] for run in found) for at in (0, 1))
        for name in found[0]
    }
    first = medians["first run"]
    print(f"{arguments.members} members, median of {arguments.repeat} runs")
    print(f"{'':16} {'processor':>9} {'ratio':>6} {'wall':>9} {'ratio':>6}")
    for name, (spent, wall) in medians.items():
        base = medians["--jobs 1"] if name == "--jobs 2" else first
        print(
            f"{name:16} {spent:7.2f} s {base[0] / spent:6.1f} {wall:7.2f} s {base[1] / wall:6.1f}"
        )


if __name__ == "__main__":
    main()
