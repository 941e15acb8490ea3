"""Does memory stay flat in a process that uses the API again and again?

    python bench/memory.py                       1,000 verifications, 300 counterexamples,
                                                 300 explorations, in this process
    python bench/memory.py --share 0.1           a tenth of that

Prints the resident memory after each tenth of each kind. The first tenth loads modules and fills
caches; from then on it should not grow: exit code 1 if the last tenth of a kind ends with more than
1.1 times the memory of its first one.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pitviper
from pitviper.driver.explore.options import ExploreOptions, SearchOptions

PROGRAM = """\
field next: Ref
field value: Int

predicate list(this: Ref) {{
  acc(this.next) && acc(this.value) && (this.next != null ==> list(this.next))
}}

function sum(this: Ref): Int
  requires list(this)
{{
  unfolding list(this) in this.value + (this.next == null ? 0 : sum(this.next))
}}

method grow{number}(this: Ref, by: Int) returns (s: Seq[Int])
  requires list(this)
  ensures list(this)
{{
  unfold list(this)
  this.value := this.value + by
  s := Seq(this.value, {number})
  assert by > {number} ==> s[0] > s[1]
  fold list(this)
}}
"""

MOST = 1.1
"""What the memory may be after the last tenth, compared with that after the first one."""

PAGE = os.sysconf("SC_PAGE_SIZE")


def resident() -> float:
    """Megabytes of this process that are in memory."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 2**20


def measured(name: str, times: int, work: Callable[[int], object]) -> tuple[float, float]:
    """The memory after the first and the last tenth of so many times."""
    seen = []
    for number in range(times):
        work(number)
        if (number + 1) * 10 // times > number * 10 // times:
            seen.append(resident())
    sys.stdout.write(f"{name} ({times}): {' '.join([f'{size:.0f}' for size in seen])} MB\n")
    sys.stdout.flush()
    return seen[0], seen[-1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--share", type=float, default=1.0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "list.vpr"

        def written(number: int) -> Path:
            """Every program is another one: nothing that is kept for one helps the next."""
            file.write_text(PROGRAM.format(number=number))
            return file

        options = ExploreOptions(search=SearchOptions(runs=20), workers=0)
        kinds: list[tuple[str, int, Callable[[int], object]]] = [
            ("verifications", 1000, lambda n: pitviper.verify(PROGRAM.format(number=n))),
            (
                "counterexamples",
                300,
                lambda n: pitviper.counterexample(written(n)),
            ),
            ("explorations", 300, lambda n: pitviper.explore(written(n), options=options)),
        ]
        grown = []
        for name, times, work in kinds:
            early, late = measured(name, max(10, round(times * arguments.share)), work)
            if late > MOST * early:
                grown.append(f"{name} grow from {early:.0f} to {late:.0f} MB")
    for text in grown:
        sys.stdout.write(f"{text}\n")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
