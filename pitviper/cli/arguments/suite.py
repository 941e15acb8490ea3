"""The options of `pitviper suite`."""

from __future__ import annotations

import os
from pathlib import Path

from pitviper.cli.arguments import common

EXAMPLES = """\
  pitviper suite --check-only tests/programs
  pitviper suite --jobs 4 --timeout 20 silver/wands
  pitviper suite --json silver | jq 'select(.status=="mismatch").file'
  pitviper suite --write-floor tests/suite/floor.txt ../shared/suite/silver
  pitviper suite --frontends frontends.csv frontends

annotations, each on the line before the one it speaks about:
  //:: ExpectedOutput(assert.failed:assertion.false)
  //:: UnexpectedOutput(typechecker.error, /pitviper/issue/7/)    known to be wrong
  //:: MissingOutput(assert.failed, /pitviper/issue/7/)           known to be missing
  //:: IgnoreFile(/pitviper/issue/7/)                             not run as a test
Those of other projects than silver and pitviper do not count.

In the layout of the public suite, programs in the folders smoke and oldpermsemantics run with the
options they are written for; those in the folders import, graphs and tutorial are run but not
judged; the folder import is also a library for `import <...>`.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "suite",
        "run annotated programs and compare",
        "Runs all programs below a folder and compares what they give with their annotations.",
        EXAMPLES,
    )
    parser.add_argument("folder", metavar="DIR", type=Path, help="a folder, or one program")
    parser.add_argument(
        "--check-only",
        action="store_true",
        help="judge reading and type-checking only: exactly the expected parser, typechecker\n"
        "and consistency errors, and every other program accepted",
    )
    parser.add_argument(
        "--backend",
        choices=("symbolic", "vcg", "both"),
        default="symbolic",
        help="the engine (default symbolic); both: a program on which they differ is a crash",
    )
    parser.add_argument(
        "--jobs",
        type=common.whole_from(1, "at least one job is needed"),
        default=os.cpu_count() or 1,
        metavar="N",
        help="worker processes (default: one for each processor)",
    )
    parser.add_argument(
        "--timeout",
        type=common.seconds,
        default=60.0,
        metavar="SECONDS",
        help="for one program (default 60)",
    )
    parser.add_argument(
        "--differences", type=Path, metavar="FILE", help="list of deliberate differences (TOML)"
    )
    parser.add_argument(
        "--frontends",
        type=Path,
        metavar="CSV",
        help="table with the verdict of another verifier for some programs, which are judged by\n"
        "it (default: frontends.csv in DIR, if there is one)",
    )
    parser.add_argument(
        "--write-floor",
        type=Path,
        metavar="FILE",
        help="write the names of the programs that agree, for tests that no longer let them differ",
    )
    parser.add_argument(
        "--json", dest="output", action="store_const", const="json", help="like --format json"
    )
