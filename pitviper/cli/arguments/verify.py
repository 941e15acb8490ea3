"""The options of `pitviper verify`."""

from __future__ import annotations

import argparse
from pathlib import Path

from pitviper.cli.arguments import common

COUNTEREXAMPLE = "--counterexample"


FORMS = {
    "tables": "tables", "raw": "raw", "resolved": "resolved",
    "native": "raw", "variables": "tables", "mapped": "resolved", "extended": "resolved",
}  # fmt: skip
"""The values of that option, also those that Silicon knows."""


def with_values(argv: list[str]) -> list[str]:
    """Options that may stand alone get their value, or the file after them would become it."""
    words: list[str] = []
    for word in argv:
        if words and words[-1] == f"{COUNTEREXAMPLE}=tables" and word in FORMS:
            words[-1] = f"{COUNTEREXAMPLE}={FORMS[word]}"
        else:
            words.append(f"{COUNTEREXAMPLE}=tables" if word == COUNTEREXAMPLE else word)
    return words


def add_options(parser: argparse.ArgumentParser) -> None:
    _add_choices(parser)
    _add_limits(parser)
    _add_machinery(parser)
    common.add_language_options(parser)


def _add_choices(parser: argparse.ArgumentParser) -> None:
    common.add_selection(parser)
    parser.add_argument(
        "--errors",
        metavar="N|all",
        type=_errors,
        help="errors to show for each member, first places first (default all)",
    )
    parser.add_argument(
        COUNTEREXAMPLE,
        choices=("tables", "raw", "resolved"),
        help="show a small state in which each failed check fails, as tables (default), with"
        " values that could be any left open (raw), or with all filled in (resolved);"
        " `pitviper counterexample` has more",
    )
    parser.add_argument("--quiet", action="store_true", help="show nothing but findings")
    parser.add_argument(
        "--backend",
        choices=("symbolic", "vcg", "both"),
        default="symbolic",
        help="the engine: symbolic execution (default), verification conditions over heaps and\n"
        "masks, or both, where any difference is told as an error of ours",
    )
    parser.add_argument(
        "--certify",
        action="store_true",
        help="say for each member whether both engines verify it, other solvers prove all of\n"
        "their questions again, and no run fails: then it is certified",
    )
    parser.add_argument(
        "--whole",
        action="store_true",
        help="the engine vcg asks about all of a member in one formula, and about single\n"
        "obligations only where that does not decide them",
    )
    parser.add_argument(
        "--emit",
        nargs="+",
        metavar=("viper|ivl|boogie FILE.bpl", "PROGRAM"),
        help="do not verify: show a program of the object language (.cool) in Viper, or what the\n"
        "engine vcg has to prove in its intermediate language, or write it as a Boogie program",
    )
    parser.add_argument(
        "--no-join",
        dest="join",
        action="store_false",
        help="do not merge the states at the end of branches",
    )
    parser.add_argument(
        "--infer-ghost",
        action="store_true",
        help="where permission is missing, try fold and unfold statements that bring it",
    )
    parser.add_argument(
        "--suggest",
        action="store_true",
        help="as --infer-ghost, and show where the inferred statements belong",
    )
    parser.add_argument(
        "--fix",
        "--apply",
        action="store_true",
        help="as --suggest, and write the statements into the program, or else invariants, folds\n"
        "and unfolds that the advice names, where members are verified with them; shows what\n"
        "changes, and at a terminal asks first; contracts and code stay as they are",
    )
    parser.add_argument("--diff", action="store_true", help="with --fix: show it, write nothing")
    parser.add_argument(
        "--no-inference",
        action="store_true",
        help="programs of the object language (.cool) have to open and close predicates themselves",
    )
    parser.add_argument(
        "--disableTerminationPlugin",
        dest="termination",
        action="store_false",
        help="drop `decreases` clauses without checking them",
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("limits and logs")
    group.add_argument(
        "--assertTimeout",
        dest="limit",
        metavar="N",
        type=common.resources,
        help="what one proof obligation may cost, in solver resources: the same on every\n"
        "machine (default 200000000)",
    )
    common.add_time_limit(
        group, "for the whole run: members that are not finished then are undecided"
    )
    group.add_argument(
        "--solver-log",
        metavar="FILE",
        type=Path,
        help="write all questions to the solver as SMT-LIB that plain z3 can replay",
    )
    group.add_argument(
        "--profile",
        action="store_true",
        help="show where the time of each member went: questions to the solver by line, how\n"
        "often quantifiers were instantiated, which proofs needed the last tenth of their\n"
        "resource limit (in one process, nothing from a cache)",
    )


def _add_machinery(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("where the work is done (no answer depends on it)")
    group.add_argument(
        "--jobs",
        metavar="N",
        type=common.jobs,
        help="members verified at the same time (default: the number of processors)",
    )
    group.add_argument(
        "--memory",
        metavar="MB",
        type=common.megabytes,
        help="what one of them may use: a member that needs more is undecided (default: the solver"
        " of each has at most half of the machine's memory, and 8 GB)",
    )
    group.add_argument(
        "--cache",
        metavar="DIR|off",
        help="remember answers there (default: PITVIPER_CACHE, or the user's cache folder)",
    )
    group.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="let the workers of a Dask scheduler do it, for instance tcp://10.0.0.1:8786\n"
        "(needs pitviper[cluster], also where they run)",
    )
    group.add_argument(
        "--daemon",
        action="store_true",
        help="start a daemon if there is none (see `pitviper daemon --help`)",
    )


def _errors(text: str) -> int | None:
    if text == "all":
        return None
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"a number from 1 on or all is expected, not {text}")
    return number


EXAMPLES = """\
  pitviper verify list.vpr tree.vpr
  pitviper verify --select append,length list.vpr
  pitviper verify --errors 1 --timeout 60 list.vpr
  pitviper verify --format json *.vpr | jq 'select(.kind=="finding").id'
  pitviper verify --jobs 4 --cache build/cache *.vpr
  pitviper verify --backend both list.vpr
  pitviper verify --certify list.vpr
  pitviper verify --emit boogie list.bpl list.vpr && boogie list.bpl
  pitviper verify --solver-log list.smt2 list.vpr && z3 list.smt2
  pitviper verify --profile --select append list.vpr

A program is verified if every member is: then no execution that meets the preconditions fails a
check. Loops and calls need not end unless `decreases` clauses say so. A member that is neither
proved nor refuted is undecided, and never counts as verified.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "verify",
        "prove or refute what programs promise",
        "Verifies methods, functions and predicates by symbolic execution, and shows for each\n"
        "what was proved, what fails and where, and what could not be decided.",
        EXAMPLES,
    )
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="a program, a folder of programs, or - for stdin"
    )
    parser.add_argument("--watch", action="store_true", help="verify again whenever a file changes")
    add_options(parser)
