"""`pitviper doctor`: is everything there that is needed, and does it work?"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pitviper.base.record import record
from pitviper.cli.extras import EXTRAS
from pitviper.cli.options import cache_folder
from pitviper.cli.output import stdout
from pitviper.results.exit_code import ExitCode
from pitviper.version import VERSION
from pitviper.views.json.lines import json_line
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.paragraph import paragraph, words_of
from pitviper.views.terminal.style import Style

GOOD = "field f: Int\nmethod m(x: Ref) requires acc(x.f) { x.f := 1  assert x.f == 1 }"
WRONG = "field f: Int\nmethod m(x: Ref) requires acc(x.f) { assert x.f == 1 }"


@record
class Look:
    """What one look at the installation showed; `fine` is None where something is optional."""

    name: str
    fine: bool | None
    said: str


def run(arguments: argparse.Namespace) -> ExitCode:
    page = stdout.page_for(arguments)
    looks = list[Look]()
    for look in _looks():
        looks.append(look)
        if arguments.output == "json":
            stdout.write_line(json_line({"name": look.name, "fine": look.fine, "said": look.said}))
            continue
        stdout.write_line(_line(look, page))
        stdout.flush()
    bad = [look.name for look in looks if look.fine is False]
    if arguments.output == "text":
        said = f"Something is wrong: {', '.join(bad)}." if bad else "All that is needed is there."
        stdout.write_line(said)
    return ExitCode.FINDINGS if bad else ExitCode.FINE


_LEAD = 19
"""The width of what stands before what is said."""


def _line(look: Look, page: Page) -> str:
    word = {True: "ok", None: "--", False: "bad"}[look.fine]
    style = {True: Style.HELP, None: Style.DIM, False: Style.ERROR}[look.fine]
    said = paragraph(words_of(look.said), page.columns, _LEAD) if page.broken else [look.said]
    head = f"  {page.paint(style, f'{word:<3}')}  {look.name:<10}  "
    return head + f"\n{'':<{_LEAD}}".join(said)


def _looks() -> Iterator[Look]:
    yield Look("pitviper", True, f"{VERSION}, in {Path(__file__).parents[2]}")  # noqa: FBT003
    yield _python()
    yield _solver()
    yield _tried("verify", _verifies)
    yield _tried("pictures", _draws)
    yield _tried("cache", _remembers)
    yield _tried("daemon", _daemon)
    for package, extra, purpose in EXTRAS:
        yield _extra(package, extra, purpose)


def _python() -> Look:
    words = f"{sys.version.split()[0]}, {sys.executable}, standard output in {_encoding()}"
    return Look("python", sys.version_info >= (3, 11), words)


def _encoding() -> str:
    return getattr(sys.stdout, "encoding", None) or "unknown encoding"


def _solver() -> Look:
    try:
        return Look("z3-solver", True, f"{version('z3-solver')}, the solver")  # noqa: FBT003
    except PackageNotFoundError:
        return Look("z3-solver", False, "not installed: the solver")  # noqa: FBT003


def _extra(package: str, extra: str, purpose: str) -> Look:
    try:
        return Look(extra, True, f"{purpose} ({package} {version(package)})")  # noqa: FBT003
    except PackageNotFoundError:
        return Look(extra, None, f"{purpose}; optional: `pip install 'pitviper[{extra}]'`")


def _tried(name: str, look: Callable[[], str]) -> Look:
    """What fails is the finding: whatever it is, the other looks go on."""
    try:
        return Look(name, True, look())  # noqa: FBT003
    except Exception as error:
        return Look(name, False, f"{type(error).__name__}: {error}")  # noqa: FBT003


class _Unexpected(Exception):
    """Something works, but answers what it must not."""


def _verifies() -> str:
    """A right program is verified and a wrong one refuted, by both verifiers."""
    from pitviper.api.calls import verify
    from pitviper.driver.verify.options import VerifyOptions

    for backend in ("symbolic", "vcg"):
        options = VerifyOptions(backend=backend)
        answers = [verify(text, "m.vpr", options, ()).verdict.value for text in (GOOD, WRONG)]
        if answers != ["verified", "refuted"]:
            raise _Unexpected(f"{backend} says {answers[0]} and {answers[1]}")
    return "both verifiers prove a right program and refute a wrong one"


def _draws() -> str:
    from pitviper.views.pictures.graphviz import rendered

    size = len(rendered("digraph { a -> b }", "svg"))
    return f"Graphviz draws (pygraphviz {version('pygraphviz')}, {size} bytes)"


def _remembers() -> str:
    folder = cache_folder(None)
    if folder is None:
        return "none: the environment names no folder of the user, nothing is remembered"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(b"x")
    return str(folder)


def _daemon() -> str:
    from pitviper.servers.daemon.place import seems_there

    if os.environ.get("PITVIPER_DAEMON") == "off":
        return "turned off by PITVIPER_DAEMON"
    return "running" if seems_there() else "not running (`pitviper daemon start`)"
