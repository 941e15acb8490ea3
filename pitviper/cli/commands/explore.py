"""`pitviper explore`: runs methods on inputs that a solver chooses, to find those that fail.

What a few options need is loaded where it is used: loading takes longer than a small search.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from pitviper.base.file import write_file
from pitviper.base.usage_error import UsageError
from pitviper.cli.options import language_options, library_folders, require_file
from pitviper.cli.output import machine, stdout
from pitviper.cli.start import tell
from pitviper.cli.watch import whenever_changed
from pitviper.driver.explore.explore import Explorer, Kept, explore_file
from pitviper.driver.explore.options import (
    Calls,
    ExploreOptions,
    Loops,
    ModelOptions,
    RunLimits,
    SearchOptions,
)
from pitviper.driver.front.frontend import FrontEnd, load
from pitviper.results.exit_code import ExitCode
from pitviper.results.exploration import (
    FIRST_FOUND,
    Claim,
    Exploration,
    ExploredRun,
    MethodExploration,
)
from pitviper.views.json.exploration import (
    closing_objects,
    failing_run_object,
    method_objects,
    static_object,
)
from pitviper.views.json.lines import JsonObject, json_line
from pitviper.views.terminal.bars import ExploreBar
from pitviper.views.terminal.exploration import (
    StopWithBar,
    Told,
    closing_line,
    failure_text,
    method_text,
    static_text,
    told_as,
)


def explore_options(arguments: argparse.Namespace) -> ExploreOptions:
    return ExploreOptions(
        language_options(arguments),
        library_folders(arguments),
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
        memory=arguments.memory,
    )


def run(arguments: argparse.Namespace) -> ExitCode:
    path: Path = arguments.file
    require_file(path, arguments, "watch", "step", "save_tests")
    if arguments.model or arguments.static:
        return _print_model(path, arguments)
    if arguments.watch:
        kept = Kept()
        return whenever_changed(path, lambda imports: _once(path, arguments, imports, kept))
    return _once(path, arguments, [], None)


def _once(
    path: Path, arguments: argparse.Namespace, imports: list[Path], kept: Kept | None
) -> ExitCode:
    bar = ExploreBar(shown=arguments.output == "text")
    stop = _Voice(bar, path, arguments)
    with bar, stop.listening():
        front, done = explore_file(path, explore_options(arguments), stop, kept)
    imports += [file for file, _ in front.imports]
    if done is None:
        return rejected(path, front, arguments)
    if arguments.output == "sarif":
        from pitviper.driver.explore.report import exploration_report

        machine.show_sarif([exploration_report(front, done)], lambda _: exit_code(done))
    else:
        _close(done, arguments)
    _write_files(done, front, arguments)
    if arguments.step:
        _step(done, arguments)
    return ExitCode(128 + stop.by) if stop.by else exit_code(done)


def _step(done: Exploration, arguments: argparse.Namespace) -> None:
    """From red into the run that is red."""
    from pitviper.cli.output.stepping import step_through
    from pitviper.driver.explore.steps import walk_of_case

    failures = [run for method in done.methods for run in method.certain_failures]
    tests = [run.test for run in failures if run.test is not None]
    if tests:
        step_through(walk_of_case(tests[0], explore_options(arguments)), arguments)
    else:
        stdout.write_line("No run fails: there is nothing to step through.")


class _Voice(StopWithBar):
    """Writes what is found at the moment it is found; with `--first` the first failure ends it."""

    def __init__(self, bar: ExploreBar, path: Path, arguments: argparse.Namespace) -> None:
        super().__init__(bar, arguments.timeout)
        self._file = str(path)
        self._first = arguments.first or arguments.step
        self._output = arguments.output
        self._page = stdout.page_for(arguments)
        self._told: dict[str, dict[Told, None]] = {}
        self._lines: dict[str, dict[str, None]] = {}

    def told(self, method: str, run: ExploredRun) -> None:
        if self._output == "json":
            self._json(method, [failing_run_object(run, method)])
        elif self._output == "text":
            self._told.setdefault(method, {})[told_as(run)] = None
            self._write(failure_text(run, self._page))
        if self._first:
            self.enough(FIRST_FOUND)

    def explored(self, done: MethodExploration) -> None:
        if self._output == "json":
            self._json(done.method, method_objects(done, self._file))
        elif self._output == "text":
            self._write(method_text(done, self._page, self._told.get(done.method, {})))

    def _json(self, method: str, objects: Sequence[JsonObject]) -> None:
        """Each line once for a method: a failure may come again in its report."""
        written = self._lines.setdefault(method, {})
        for line in map(json_line, objects):
            if line not in written:
                written[line] = None
                stdout.write_line(line)
        stdout.flush()

    def _write(self, text: str) -> None:
        with self._bar.hidden():
            stdout.write(text)
            stdout.flush()


def rejected(path: Path, front: FrontEnd, arguments: argparse.Namespace) -> ExitCode:
    """What the front end has against the program."""
    from pitviper.driver.verify.verify import report_of
    from pitviper.views.terminal.report import report_text

    report = report_of(path, front, 0.0)
    match arguments.output:
        case "json":
            return machine.show_json([report], lambda _: ExitCode.FINDINGS)
        case "sarif":
            return machine.show_sarif([report], lambda _: ExitCode.FINDINGS)
        case _:
            stdout.write(report_text(report, stdout.page_for(arguments)))
            return ExitCode.FINDINGS


def _close(done: Exploration, arguments: argparse.Namespace) -> None:
    if arguments.output == "json":
        for one in closing_objects(done):
            stdout.write_line(json_line(one))
    else:
        stdout.write_line(closing_line(done, stdout.page_for(arguments)))


def _write_files(done: Exploration, front: FrontEnd, arguments: argparse.Namespace) -> None:
    for path, text in _texts(done, front, arguments):
        write_into(path, text)
        stdout.tell_written(path, arguments)
    if arguments.save_tests is not None:
        from pitviper.driver.explore.tests import explorer_of, save_tests

        explorer = explorer_of(front, explore_options(arguments))
        for method in done.methods:
            for path in save_tests(arguments.save_tests, method, explorer):
                stdout.tell_written(path, arguments)


def write_into(path: Path, text: str) -> None:
    """In a folder that is made if needed; UsageError where that cannot be done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
    write_file(path, text)


def _texts(
    done: Exploration, front: FrontEnd, arguments: argparse.Namespace
) -> list[tuple[Path, str]]:
    """The files that were asked for."""
    assert front.program is not None
    found: list[tuple[Path, str]] = []
    if arguments.viper_tests is not None:
        from pitviper.driver.explore.tests import chosen_tests, explorer_of
        from pitviper.driver.explore.viper_tests import viper_tests

        explorer = explorer_of(front, explore_options(arguments))
        methods = [method for method in done.methods if not method.is_function]
        tests = [test for method in methods for test in chosen_tests(method, explorer)]
        own = front.source.text.rstrip("\n")
        copies = viper_tests(front, tests, explorer)
        found.append((arguments.viper_tests, f"{own}\n\n{copies}"))
    if arguments.html is not None:
        from pitviper.views.html.exploration import exploration_html

        found.append((arguments.html, exploration_html(done, front.source.text)))
    if arguments.graph is not None:
        from pitviper.driver.explore.graph import search_graphs
        from pitviper.driver.explore.tests import explorer_of
        from pitviper.views.json.exploration import search_object

        graphs = search_graphs(done, explorer_of(front, explore_options(arguments)))
        text = json_line(search_object(done.file, graphs))
        found.append((arguments.graph, f"{text}\n"))
    if arguments.lcov is not None:
        from pitviper.views.coverage.lcov import lcov_text

        found.append((arguments.lcov, lcov_text(done.methods)))
    if arguments.cobertura is not None:
        from pitviper.views.coverage.cobertura import cobertura_text

        found.append((arguments.cobertura, cobertura_text(done.methods)))
    if arguments.svg is not None:
        from pitviper.views.pictures.flow import picture_svg

        found += [
            (arguments.svg / f"{method.method}.svg", picture_svg(method.picture))
            for method in done.methods
            if method.picture is not None
        ]
    return found


def exit_code(done: Exploration) -> ExitCode:
    match done.claim:
        case Claim.FAILS:
            return ExitCode.FINDINGS
        case Claim.OPEN:
            return ExitCode.UNDECIDED
        case Claim.PROVED | Claim.HOLDS:
            return ExitCode.FINE


def _print_model(path: Path, arguments: argparse.Namespace) -> ExitCode:
    """The model that would be run, or what its analyses say."""
    from pitviper.driver.explore.model import model_of, plain_pictures
    from pitviper.views.pictures.flow import picture_svg

    options = explore_options(arguments)
    front = load(path, options.check, options.library)
    if front.program is None:
        return rejected(path, front, arguments)
    explorer = Explorer(front.program, str(path), options)
    if arguments.static:
        _print_static(path, explorer, arguments)
        return ExitCode.FINE
    stdout.write(model_of(explorer))
    if arguments.svg is not None:
        for picture in plain_pictures(explorer):
            drawn = arguments.svg / f"{picture.method}.svg"
            write_into(drawn, picture_svg(picture))
            tell(f"pitviper: wrote {drawn}\n")
    return ExitCode.FINE


def _print_static(path: Path, explorer: Explorer, arguments: argparse.Namespace) -> None:
    from pitviper.driver.explore.model import statics_of

    found = statics_of(explorer)
    if arguments.output == "json":
        for one in found:
            stdout.write_line(json_line(static_object(one, str(path))))
        return
    page = stdout.page_for(arguments)
    for one in found:
        stdout.write(static_text(one, page))
