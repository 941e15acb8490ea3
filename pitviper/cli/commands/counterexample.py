"""`pitviper counterexample`: small concrete states in which failed checks fail."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from pitviper.base.file import write_file
from pitviper.base.record import replace
from pitviper.base.usage_error import UsageError
from pitviper.cli.options import language_options, library_folders, verify_options
from pitviper.cli.output import stdout
from pitviper.cli.output.files import tell_if_nothing
from pitviper.cli.start import tell
from pitviper.driver.counterexample.search import (
    MOST,
    Answered,
    CounterexampleOptions,
    counterexamples,
)
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import diagnosed
from pitviper.results.counterexample import Counterexample, Result
from pitviper.results.exit_code import ExitCode
from pitviper.results.heap_graph import graph_of
from pitviper.source.reading import Inputs, named, require_readable
from pitviper.views.json.counterexamples import result_object
from pitviper.views.json.lines import json_line
from pitviper.views.pictures.graphviz import rendered
from pitviper.views.pictures.heap import THEMES, dot_text
from pitviper.views.terminal.counterexample import raw_lines, resolved_lines, result_lines
from pitviper.views.terminal.problem import problem_text


def run(arguments: argparse.Namespace) -> ExitCode:
    _require_sensible(arguments)
    require_readable([arguments.file])
    answered = _ask(arguments)
    if answered.front.program is None or answered.rejected:
        return _show_rejected(answered, arguments)
    tell_if_nothing(answered.front)
    written = [*_draw(answered.results, arguments), *_emit(answered, arguments)]
    if arguments.output == "json":
        _show_json(answered)
    else:
        _show_text(answered, arguments)
    for path in written:
        stdout.tell_written(path, arguments)
    if answered.stopped is not None:
        tell(f"pitviper: stopped: {answered.stopped}\n")
    if answered.failed:
        return ExitCode.FINDINGS
    return ExitCode.FINE if answered.stopped is None else ExitCode.UNDECIDED


def _require_sensible(arguments: argparse.Namespace) -> None:
    if arguments.output == "sarif":
        raise UsageError("a counterexample has no SARIF form: use --format json")
    if arguments.emit is not None and arguments.emit[0] != "alloy":
        raise UsageError(f"--emit {arguments.emit[0]}: the only form is alloy")
    if arguments.objects is not None and arguments.objects > MOST:
        raise UsageError(f"at most {MOST} objects: larger states cannot be read")


def _ask(arguments: argparse.Namespace) -> Answered:
    verify = VerifyOptions(check=language_options(arguments), timeout=arguments.timeout)
    library = library_folders(arguments)
    return counterexamples(arguments.file, _options(arguments), verify, library)


def _options(arguments: argparse.Namespace) -> CounterexampleOptions:
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
    page = stdout.page_for(arguments)
    front = answered.front
    for problem in diagnosed(front, (*front.diagnostics, *answered.rejected)):
        stdout.write_line(problem_text(problem, page))
    return ExitCode.FINDINGS


def _show_text(answered: Answered, arguments: argparse.Namespace) -> None:
    page = stdout.page_for(arguments)
    for result in answered.results:
        stdout.write_line("\n".join(result_lines(result, page)))
        stdout.write_line("")
    for line in _ended_early(answered, arguments.next + 1):
        stdout.write_line(line)
    if not answered.results and answered.stopped is None:
        stdout.write_line("nothing failed: there is no counterexample (see --at for examples)")


def _ended_early(answered: Answered, wanted: int) -> Iterator[str]:
    """Where fewer were found than were asked for; who was stopped has not looked for all."""
    if wanted == 1 or answered.stopped is not None:
        return
    for (member, span), group in groupby(answered.results, lambda r: (r.member, r.span)):
        found = sum(isinstance(result, Counterexample) for result in group)
        if 0 < found < wanted:
            place = f"{member}, line {span.line}"
            yield f"{place}: none of another shape was found: {found} of {wanted}"


def _show_json(answered: Answered) -> None:
    for result in answered.results:
        stdout.write_line(json_line(result_object(result)))


def _draw(results: tuple[Result, ...], arguments: argparse.Namespace) -> list[Path]:
    wanted = [k for k in ("svg", "png", "dot") if getattr(arguments, k) is not None]
    shown = [r for r in results if isinstance(r, Counterexample)]
    written = list[Path]()
    for kind in wanted:
        for number, instance in enumerate(shown, 1):
            written.append(_numbered(getattr(arguments, kind), number))
            write_file(written[-1], _picture(instance, kind, arguments))
    return written


def _picture(instance: Counterexample, kind: str, arguments: argparse.Namespace) -> bytes:
    dot = dot_text(graph_of(instance), THEMES[arguments.theme])
    if kind == "dot":
        return dot.encode()
    return rendered(dot, "svg" if kind == "svg" else "png")


def _numbered(path: Path, number: int) -> Path:
    return path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")


def _emit(answered: Answered, arguments: argparse.Namespace) -> list[Path]:
    if arguments.emit is None:
        return []
    if answered.alloy is None and answered.stopped is not None:
        return []  # what stopped it is told; nothing is known about what fails
    if answered.alloy is None:
        raise UsageError("nothing failed: there is no state to write")
    path = Path(arguments.emit[1])
    write_file(path, answered.alloy.encode())
    return [path]


def show_for_failures(arguments: argparse.Namespace, inputs: Inputs, seconds: float | None) -> None:
    """After `verify --counterexample`: for every failed check of the files, in the time left."""
    options = CounterexampleOptions(select=tuple(arguments.select))
    until = None if seconds is None else time.monotonic() + seconds
    for name in arguments.files:
        left = None if until is None else until - time.monotonic()
        if left is not None and left <= 0:
            tell("pitviper: stopped: no time is left for counterexamples\n")
            return
        file = inputs.read(named(name))
        chosen = replace(verify_options(arguments), timeout=left)
        answered = counterexamples(file, options, chosen, library_folders(arguments))
        for result in answered.results:
            stdout.write_line(_form(result, arguments))
        if answered.stopped is not None:
            tell("pitviper: stopped: there was no time for further counterexamples\n")


def _form(result: Result, arguments: argparse.Namespace) -> str:
    if arguments.output != "text":
        return json_line(result_object(result))
    if arguments.counterexample == "tables":
        return "\n".join(result_lines(result, stdout.page_for(arguments)))
    lines = raw_lines(result) if arguments.counterexample == "raw" else resolved_lines(result)
    return "\n".join([f"{result.member}, line {result.span.line}, {result.finding}:", *lines])
