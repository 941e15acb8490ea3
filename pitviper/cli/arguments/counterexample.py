"""The options of `pitviper counterexample`."""

from __future__ import annotations

import argparse
from pathlib import Path

from pitviper.cli.arguments import common
from pitviper.source.reading import named

EXAMPLES = """\
  pitviper counterexample swap.vpr
  pitviper counterexample --svg swap.svg --theme dark swap.vpr
  pitviper counterexample --next 3 --where "n.next != null" list.vpr
  pitviper counterexample --at 12 --objects 4 list.vpr
  pitviper counterexample --emit alloy swap.als swap.vpr

An instance is shown as a counterexample only if our own evaluator confirms every assumption of the
state, and that the check fails there; `replayed` means that a concrete run from the start of the
member fails in the same place. What could not be confirmed is called a candidate.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "counterexample",
        "show small concrete states in which checks fail",
        "Verifies a program and shows for each failed check a small state in which it fails,\n"
        "as tables and as a picture; or says why there is none.",
        EXAMPLES,
    )
    parser.add_argument(
        "file", type=named, metavar="FILE", help="a program, a folder of programs, or - for stdin"
    )
    _add_search_options(parser)
    _add_output_options(parser)
    common.add_language_options(parser)


def _add_search_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what to look for")
    group.add_argument(
        "--next",
        metavar="N",
        type=_count,
        default=0,
        help="show N further states of different shapes, if there are (default 0)",
    )
    group.add_argument(
        "--where",
        metavar="EXPR",
        action="append",
        default=[],
        help="a Viper expression over the variables of the state that must hold; may be repeated",
    )
    group.add_argument(
        "--objects",
        metavar="N",
        type=_positive,
        help="at most N objects (default 6, or one for each variable)",
    )
    group.add_argument(
        "--at",
        metavar="LINE",
        type=_positive,
        help="show states in which this line is reached, whether or not something fails",
    )
    group.add_argument(
        "--select", metavar="NAMES", default="", help="only these members, separated by commas"
    )
    group.add_argument("--timeout", metavar="S", type=common.seconds, help="end after S seconds")


def _add_output_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("pictures and other forms")
    for kind in ("svg", "png", "dot"):
        text = (
            f"write the first instance to a {kind.upper()} file; others get -2, -3 ... in the name"
        )
        group.add_argument(f"--{kind}", metavar="FILE", type=Path, help=text)
    group.add_argument(
        "--theme", choices=("light", "dark"), default="light", help="colours (default light)"
    )
    group.add_argument(
        "--emit",
        nargs=2,
        metavar=("alloy", "FILE"),
        help="write the first state as an Alloy 6 model",
    )


_count = common.whole_from(0, "between 0 and 100", 100)
_positive = common.whole_from(1, "at least 1")
