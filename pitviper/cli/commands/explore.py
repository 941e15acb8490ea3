"""`pitviper explore`: runs methods on inputs that a solver chooses, to find those that fail."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from pitviper.cli.arguments import common
from pitviper.cli.exit_code import ExitCode
from pitviper.cli.output import machine
from pitviper.cli.watch import whenever_changed

if TYPE_CHECKING:
    from pitviper.driver.explore.explore import Explorer
    from pitviper.driver.explore.options import ExploreOptions
    from pitviper.driver.front.frontend import FrontEnd
    from pitviper.results.exploration import Exploration

EXAMPLES = """\
  pitviper explore list.vpr
  pitviper explore --method insert --runs 500 list.vpr
  pitviper explore --save-tests tests/ list.vpr && pitviper replay tests/insert-1-passed.json
  pitviper explore --html report.html --lcov coverage.info list.vpr
  pitviper explore --workers 2 --seconds 60 list.vpr

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
        "Runs methods concretely and symbolically at the same time (dynamic symbolic execution).",
        EXAMPLES,
    )
    parser.add_argument("file", metavar="FILE", help="a program")
    add_search_options(parser)
    out = parser.add_argument_group("what to write")
    out.add_argument("--save-tests", metavar="DIR", type=Path, help="tests to replay, as JSON")
    out.add_argument("--viper-tests", metavar="FILE", type=Path, help="tests as Viper methods")
    out.add_argument("--html", metavar="FILE", type=Path, help="a report with pictures")
    out.add_argument("--svg", metavar="DIR", type=Path, help="a control-flow graph a method")
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
    parser.add_argument("--watch", action="store_true", help="again whenever the file changes")
    parser.set_defaults(run=run)


def add_search_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("search")
    group.add_argument("--method", action="append", default=[], metavar="NAME", help="only this")
    group.add_argument("--runs", type=positive, default=2000, metavar="N", help="of each method")
    group.add_argument("--nodes", type=positive, default=20000, metavar="N", help="of the search")
    group.add_argument("--seconds", type=common.seconds, metavar="S", help="for each method")
    group.add_argument("--steps", type=positive, default=20000, metavar="N", help="of each run")
    group.add_argument(
        "--work", type=positive, default=2_000_000, metavar="N", help="steps of all runs together"
    )
    group.add_argument("--depth", type=positive, default=60, metavar="N", help="nested calls")
    group.add_argument("--size", type=positive, default=6, metavar="N", help="collections below")
    group.add_argument(
        "--workers",
        type=natural,
        default=0,
        metavar="N",
        help="processes that share the search and may crash (default 0: none)",
    )
    group.add_argument("--seed", type=int, default=0, help="of the random order")
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


def positive(text: str) -> int:
    number = int(text)
    if number <= 0:
        raise argparse.ArgumentTypeError("a number from 1 on")
    return number


def natural(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("a number from 0 on")
    return number


def explore_options(arguments: argparse.Namespace) -> ExploreOptions:
    from pitviper.driver.explore.options import ExploreOptions
    from pitviper.engines.explore.options import Calls, Loops, ModelOptions, SearchOptions
    from pitviper.engines.explore.runtime.run import RunLimits

    return ExploreOptions(
        common.language_options(arguments),
        common.library_folders(arguments),
        tuple(arguments.method),
        ModelOptions(Loops(arguments.loops), Calls(arguments.calls), arguments.exact_amounts),
        SearchOptions(
            arguments.frontier,
            arguments.runs,
            arguments.nodes,
            arguments.seconds,
            seed=arguments.seed,
            limits=RunLimits(arguments.steps, arguments.depth, arguments.size),
            work=arguments.work,
        ),
        arguments.workers,
    )


def run(arguments: argparse.Namespace) -> ExitCode:
    path = Path(arguments.file)
    if arguments.model or arguments.static:
        return _print_model(path, arguments)
    if arguments.watch:
        return whenever_changed(path, lambda imports: _once(path, arguments, imports))
    return _once(path, arguments, [])


def _once(path: Path, arguments: argparse.Namespace, imports: list[Path]) -> ExitCode:
    from pitviper.driver.explore.explore import explore_file
    from pitviper.views.terminal.bars import ExploreBar, StopWithBar

    bar = ExploreBar(shown=arguments.output == "text")
    stop = StopWithBar(bar)
    with bar, stop.listening():
        front, done = explore_file(path, explore_options(arguments), stop)
    imports += [file for file, _ in front.imports]
    if done is None:
        return rejected(path, front, arguments)
    if arguments.output == "sarif":
        from pitviper.driver.explore.report import exploration_report

        machine.show_sarif([exploration_report(front, done)], lambda _: exit_code(done))
    else:
        _show(done, arguments)
    _write_files(done, front, arguments)
    return ExitCode(128 + stop.by) if stop.asked() else exit_code(done)


def rejected(path: Path, front: FrontEnd, arguments: argparse.Namespace) -> ExitCode:
    """What the front end has against the program."""
    from pitviper.driver.verify.report import report_of
    from pitviper.views.terminal.report import report_text

    report = report_of(path, front, 0.0)
    match arguments.output:
        case "json":
            return machine.show_json([report], lambda _: ExitCode.FINDINGS)
        case "sarif":
            return machine.show_sarif([report], lambda _: ExitCode.FINDINGS)
        case _:
            common.write(report_text(report, common.page_for(arguments)))
            return ExitCode.FINDINGS


def _show(done: Exploration, arguments: argparse.Namespace) -> None:
    if arguments.output == "json":
        from pitviper.views.json.exploration import exploration_objects
        from pitviper.views.json.lines import json_line

        for one in exploration_objects(done):
            common.write_line(json_line(one))
        return
    from pitviper.views.terminal.exploration import closing_line, method_text

    page = common.page_for(arguments)
    for method in done.methods:
        common.write(method_text(method, page))
    common.write_line(closing_line(done, page))


def _write_files(done: Exploration, front: FrontEnd, arguments: argparse.Namespace) -> None:
    for path, text in _texts(done, front, arguments):
        write_file(path, text)
    if arguments.save_tests is not None:
        from pitviper.driver.explore.tests import explorer_of, save_tests

        explorer = explorer_of(front, explore_options(arguments))
        for method in done.methods:
            for path in save_tests(arguments.save_tests, method, explorer):
                if arguments.output == "text":
                    common.write_line(f"  wrote {path}")


def write_file(path: Path, text: str) -> None:
    """In a folder that is made if needed; UsageError where that cannot be done."""
    from pitviper.base.usage_error import UsageError

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def _texts(
    done: Exploration, front: FrontEnd, arguments: argparse.Namespace
) -> list[tuple[Path, str]]:
    """The files that were asked for."""
    from pitviper.driver.explore.tests import chosen_tests, explorer_of
    from pitviper.driver.explore.viper_tests import viper_tests
    from pitviper.views.coverage.cobertura import cobertura_text
    from pitviper.views.coverage.lcov import lcov_text
    from pitviper.views.pictures.flow import picture_svg

    assert front.program is not None
    found: list[tuple[Path, str]] = []
    if arguments.viper_tests is not None:
        explorer = explorer_of(front, explore_options(arguments))
        methods = [method for method in done.methods if not method.is_function]
        tests = [test for method in methods for test in chosen_tests(method, explorer)]
        own = front.source.text.rstrip("\n")
        copies = viper_tests(front, tests, explorer)
        found.append((arguments.viper_tests, f"{own}\n\n{copies}"))
    if arguments.html is not None:
        from pitviper.views.html.exploration import exploration_html

        found.append((arguments.html, exploration_html(done, front.source.text)))
    if arguments.lcov is not None:
        found.append((arguments.lcov, lcov_text(done.methods)))
    if arguments.cobertura is not None:
        found.append((arguments.cobertura, cobertura_text(done.methods)))
    if arguments.svg is not None:
        found += [
            (arguments.svg / f"{method.method}.svg", picture_svg(method.picture))
            for method in done.methods
            if method.picture is not None
        ]
    return found


def exit_code(done: Exploration) -> ExitCode:
    from pitviper.results.exploration import Claim

    match done.claim:
        case Claim.FAILS:
            return ExitCode.FINDINGS
        case Claim.OPEN:
            return ExitCode.UNDECIDED
        case Claim.PROVED | Claim.HOLDS:
            return ExitCode.FINE


def _print_model(path: Path, arguments: argparse.Namespace) -> ExitCode:
    """The model that would be run, or what its analyses say."""
    from pitviper.driver.explore.explore import Explorer
    from pitviper.driver.front.frontend import load
    from pitviper.engines.explore.model.printer import model_text

    options = explore_options(arguments)
    front = load(path, options.check, options.library)
    if front.program is None:
        return rejected(path, front, arguments)
    explorer = Explorer(front.program, str(path), options)
    if arguments.static:
        _print_static(path, explorer, arguments)
        return ExitCode.FINE
    common.write(model_text(explorer.code.model))
    if arguments.svg is not None:
        from pitviper.engines.explore.report.flow_graph import plain_picture
        from pitviper.views.pictures.flow import picture_svg

        for name in explorer.methods:
            picture = plain_picture(explorer.code.model.methods[name])
            write_file(arguments.svg / f"{name}.svg", picture_svg(picture))
    return ExitCode.FINE


def _print_static(path: Path, explorer: Explorer, arguments: argparse.Namespace) -> None:
    from pitviper.engines.explore.report.statics import static_methods

    found = static_methods(explorer.code.model, explorer.methods)
    if arguments.output == "json":
        from pitviper.views.json.exploration import static_object
        from pitviper.views.json.lines import json_line

        for one in found:
            common.write_line(json_line(static_object(one, str(path))))
        return
    from pitviper.views.terminal.exploration import static_text

    page = common.page_for(arguments)
    for one in found:
        common.write(static_text(one, page))
