"""The options of `pitviper explore`."""

from __future__ import annotations

import argparse
from pathlib import Path

from pitviper.cli.arguments import common
from pitviper.cli.arguments.common import natural, positive
from pitviper.source.reading import named

EXAMPLES = """\
  pitviper explore list.vpr
  pitviper explore --method insert --runs 500 list.vpr
  pitviper explore --save-tests tests/ list.vpr && pitviper replay tests/insert-1-passed.json
  pitviper explore --html report.html --lcov coverage.info list.vpr
  pitviper explore --workers 2 --seconds 60 list.vpr
  pitviper explore --step --method insert list.vpr     walk through the first failing run

A failing run is a proof that the program is wrong, with the inputs. A method is proved only if
every path was run to its end; a search that reached a limit proves nothing. A method that holds
passed every run with the bodies of its callees, but need not with all that their contracts allow.
Exit codes: 0 all methods are proved or hold, 1 one fails, 4 one is open.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "explore",
        "find inputs that make methods fail, by running them",
        "Finds inputs that make a method fail: runs methods concretely and symbolically at the\n"
        "same time (dynamic symbolic execution).",
        EXAMPLES,
    )
    parser.add_argument(
        "file", metavar="FILE", type=named, help="a program, a folder of programs, or - for stdin"
    )
    add_search_options(parser)
    out = parser.add_argument_group("what to write")
    out.add_argument("--save-tests", metavar="DIR", type=Path, help="tests to replay, as JSON")
    out.add_argument("--viper-tests", metavar="FILE", type=Path, help="tests as Viper methods")
    out.add_argument("--html", metavar="FILE", type=Path, help="a report with pictures")
    out.add_argument("--svg", metavar="DIR", type=Path, help="a control-flow graph a method")
    out.add_argument("--graph", metavar="FILE", type=Path, help="the search as a graph, as JSON")
    out.add_argument("--lcov", metavar="FILE", type=Path, help="coverage for LCOV")
    out.add_argument("--cobertura", metavar="FILE", type=Path, help="coverage for Cobertura")
    out.add_argument(
        "--model",
        action="store_true",
        help="print the program model and end; graphs are then drawn in black",
    )
    out.add_argument(
        "--static", action="store_true", help="print what is known without running, and end"
    )
    parser.add_argument("--first", action="store_true", help="end at the first failing input")
    parser.add_argument(
        "--step",
        action="store_true",
        help="end at the first failing input, then walk through its run",
    )
    parser.add_argument(
        "--watch", action="store_true", help="explore again whenever the file changes"
    )


def add_search_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("search")
    group.add_argument(
        "--method", action="append", default=[], metavar="NAME", help="only this method"
    )
    group.add_argument(
        "--runs",
        type=positive,
        default=5000,
        metavar="N",
        help="most runs of a method (default 5000)",
    )
    group.add_argument(
        "--nodes", type=positive, default=20000, metavar="N", help="most nodes of a search"
    )
    group.add_argument("--seconds", type=common.seconds, metavar="S", help="time for each method")
    group.add_argument(
        "--timeout",
        type=common.seconds,
        metavar="S",
        help="time for everything: what is open then stays so",
    )
    group.add_argument(
        "--steps", type=positive, default=20000, metavar="N", help="most steps of a run"
    )
    group.add_argument(
        "--work",
        type=positive,
        default=2_000_000,
        metavar="N",
        help="most steps of all runs together",
    )
    group.add_argument(
        "--depth", type=positive, default=60, metavar="N", help="most nested calls (default 60)"
    )
    group.add_argument(
        "--size",
        type=positive,
        default=6,
        metavar="N",
        help="size of collections that are tried: below N",
    )
    group.add_argument(
        "--workers",
        type=natural,
        default=1,
        metavar="N",
        help="processes that share the search and may crash (default 1; 0: search in this one)",
    )
    group.add_argument(
        "--memory",
        type=positive,
        default=900,
        metavar="MB",
        help="memory of each worker (default 900); a run that needs more leaves its method open",
    )
    group.add_argument("--seed", type=int, default=0, help="seed of the random order (default 0)")
    group.add_argument(
        "--frontier",
        choices=("mixed", "breadth-first", "depth-first", "generational", "coverage", "random"),
        default="mixed",
        help="which path comes next (default mixed)",
    )
    group.add_argument(
        "--loops",
        choices=("unroll", "invariant", "auto"),
        default="unroll",
        help="run loops as they are, replace them by their invariant, or that where their "
        "condition depends on the input (a weak invariant can then give false alarms)",
    )
    group.add_argument(
        "--calls",
        choices=("inline", "contract"),
        default="inline",
        help="run the bodies of callees, or do what their contracts allow",
    )
    common.add_language_options(parser)
