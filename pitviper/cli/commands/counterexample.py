"""`pitviper counterexample`: small concrete states in which failed checks fail."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pitviper.cli.arguments import common
from pitviper.cli.exit_code import ExitCode

if TYPE_CHECKING:
    from pitviper.driver.counterexample.search import Answered, CounterexampleOptions
    from pitviper.results.counterexample import Counterexample, Result

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
    parser.add_argument("file", type=Path, metavar="FILE", help="a program")
    _add_search_options(parser)
    _add_output_options(parser)
    common.add_language_options(parser)
    parser.set_defaults(run=run)


def _add_search_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what to look for")
    group.add_argument(
        "--next",
        metavar="N",
        type=_count,
        default=0,
        help="show N further instances of different shapes (default 0)",
    )
    group.add_argument(
        "--where",
        metavar="EXPR",
        action="append",
        default=[],
        help="a Viper expression over the variables of the state that must hold; may be repeated",
    )
    group.add_argument(
        "--objects", metavar="N", type=_positive, default=6, help="at most N objects (default 6)"
    )
    group.add_argument(
        "--at",
        metavar="LINE",
        type=_positive,
        help="examples of the state before the statement in this line, whatever fails",
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


def _count(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 100:
        raise argparse.ArgumentTypeError("between 0 and 100")
    return number


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def run(arguments: argparse.Namespace) -> ExitCode:
    from pitviper.source.reading import require_readable

    _require_sensible(arguments)
    require_readable([arguments.file])
    answered = _ask(arguments)
    if answered.front.program is None:
        return _show_rejected(answered, arguments)
    _draw(answered.results, arguments)
    _emit(answered, arguments)
    if arguments.output == "json":
        _show_json(answered)
    else:
        _show_text(answered, arguments)
    if answered.stopped is not None:
        sys.stderr.write(f"pitviper: stopped: {answered.stopped}\n")
    if answered.failed:
        return ExitCode.FINDINGS
    return ExitCode.FINE if answered.stopped is None else ExitCode.UNDECIDED


def _require_sensible(arguments: argparse.Namespace) -> None:
    from pitviper.base.usage_error import UsageError

    if arguments.output == "sarif":
        raise UsageError("a counterexample has no SARIF form: use --format json")
    if arguments.emit is not None and arguments.emit[0] != "alloy":
        raise UsageError(f"--emit {arguments.emit[0]}: the only form is alloy")
    if arguments.objects > 12:
        raise UsageError("at most 12 objects: larger states cannot be read")


def _ask(arguments: argparse.Namespace) -> Answered:
    from pitviper.driver.counterexample.search import counterexamples
    from pitviper.driver.verify.options import VerifyOptions

    verify = VerifyOptions(check=common.language_options(arguments), timeout=arguments.timeout)
    library = common.library_folders(arguments)
    return counterexamples(arguments.file, _options(arguments), verify, library)


def _options(arguments: argparse.Namespace) -> CounterexampleOptions:
    from pitviper.driver.counterexample.search import CounterexampleOptions

    return CounterexampleOptions(
        arguments.objects,
        arguments.next + 1,
        tuple(arguments.where),
        arguments.at,
        tuple([name for name in arguments.select.split(",") if name]),
        alloy=arguments.emit is not None,
    )


# ---------------------------------------------------------------- output


def _show_rejected(answered: Answered, arguments: argparse.Namespace) -> ExitCode:
    from pitviper.driver.verify.report import diagnosed
    from pitviper.views.terminal.problem import problem_text

    page = common.page_for(arguments)
    for problem in diagnosed(answered.front, answered.front.diagnostics):
        common.write_line(problem_text(problem, page))
    return ExitCode.FINDINGS


def _show_text(answered: Answered, arguments: argparse.Namespace) -> None:
    from pitviper.views.terminal.counterexample import result_lines

    paint = common.page_for(arguments).paint
    for result in answered.results:
        common.write_line("\n".join(result_lines(result, paint)))
        common.write_line("")
    if not answered.results:
        common.write_line("nothing failed: there is no counterexample (see --at for examples)")


def _show_json(answered: Answered) -> None:
    from pitviper.views.json.counterexamples import result_object
    from pitviper.views.json.lines import json_line

    for result in answered.results:
        common.write_line(json_line(result_object(result)))


def _draw(results: tuple[Result, ...], arguments: argparse.Namespace) -> None:
    from pitviper.results.counterexample import Counterexample

    wanted = [k for k in ("svg", "png", "dot") if getattr(arguments, k) is not None]
    shown = [r for r in results if isinstance(r, Counterexample)]
    for kind in wanted:
        for number, instance in enumerate(shown, 1):
            _write(_numbered(getattr(arguments, kind), number), _picture(instance, kind, arguments))


def _picture(instance: Counterexample, kind: str, arguments: argparse.Namespace) -> bytes:
    from pitviper.results.heap_graph import graph_of
    from pitviper.views.pictures.graphviz import rendered
    from pitviper.views.pictures.heap import THEMES, dot_text

    dot = dot_text(graph_of(instance), THEMES[arguments.theme])
    if kind == "dot":
        return dot.encode()
    return rendered(dot, "svg" if kind == "svg" else "png")


def _numbered(path: Path, number: int) -> Path:
    return path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")


def _emit(answered: Answered, arguments: argparse.Namespace) -> None:
    if arguments.emit is not None:
        from pitviper.base.usage_error import UsageError

        if answered.alloy is None:
            raise UsageError("nothing failed: there is no state to write")
        _write(Path(arguments.emit[1]), answered.alloy.encode())


def _write(path: Path, content: bytes) -> None:
    from pitviper.base.usage_error import UsageError

    try:
        path.write_bytes(content)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def show_for_failures(arguments: argparse.Namespace) -> None:
    """After `verify --counterexample`: for every failed check of the files."""
    from pitviper.base.usage_error import UsageError
    from pitviper.cli.arguments.verify import verify_options
    from pitviper.driver.counterexample.search import CounterexampleOptions, counterexamples

    options = CounterexampleOptions(select=tuple(arguments.select))
    for name in arguments.files:
        if name == "-":
            raise UsageError("--counterexample needs a file, not standard input")
        answered = counterexamples(
            Path(name), options, verify_options(arguments), common.library_folders(arguments)
        )
        for result in answered.results:
            common.write_line(_form(result, arguments))


def _form(result: Result, arguments: argparse.Namespace) -> str:
    from pitviper.views.json.counterexamples import result_object
    from pitviper.views.json.lines import json_line
    from pitviper.views.terminal.counterexample import raw_lines, resolved_lines, result_lines

    if arguments.output != "text":
        return json_line(result_object(result))
    if arguments.counterexample == "tables":
        return "\n".join(result_lines(result, common.page_for(arguments).paint))
    lines = raw_lines(result) if arguments.counterexample == "raw" else resolved_lines(result)
    return "\n".join([f"{result.member}, line {result.span.line}, {result.finding}:", *lines])
