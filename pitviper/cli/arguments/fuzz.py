"""The options of `pitviper fuzz`."""

from __future__ import annotations

from pathlib import Path

from pitviper.cli.arguments import common
from pitviper.cli.arguments.common import natural, positive

EXAMPLES = """\
  pitviper fuzz --minutes 10 --seed 1
  pitviper fuzz --cases 100 --jobs 2 --report found/
  pitviper fuzz --minutes 5 --programs tests/programs
  pitviper fuzz --seed 1 --first 4711 --cases 1

Writes random programs and changes them, and compares what the two verifiers, the interpreter,
exploration, counterexamples and other solvers say about them. A case depends on the seed and its
number only; the last example runs one again. Each contradiction is made small and, with --report,
written as a file that can be sent to us. Exit codes: 0 nothing, 1 a mistake of Pitviper was found.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "fuzz",
        "look for mistakes of Pitviper itself, with random programs",
        "Looks for random Viper programs about which the parts of Pitviper contradict each other.",
        EXAMPLES,
    )
    parser.add_argument("--minutes", type=common.seconds, metavar="N", help="end after N minutes")
    parser.add_argument("--cases", type=positive, metavar="N", help="how many cases to run")
    parser.add_argument(
        "--seed", type=int, default=0, metavar="S", help="seed of all cases (default 0)"
    )
    parser.add_argument(
        "--first", type=natural, default=0, metavar="N", help="number of the first case (default 0)"
    )
    parser.add_argument(
        "--jobs", type=common.jobs, default=1, metavar="N", help="number of processes (default 1)"
    )
    parser.add_argument(
        "--programs",
        type=Path,
        metavar="DIR",
        help="programs that are changed, besides the random ones",
    )
    parser.add_argument("--report", type=Path, metavar="DIR", help="where to write what was found")
