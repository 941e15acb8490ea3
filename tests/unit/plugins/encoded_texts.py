"""Programs as text, encoded by the plugins, for the tests of this folder."""

from __future__ import annotations

import os
import re
from pathlib import Path

from pitviper.base.deep_stack import run_deep
from pitviper.checking.options import CheckOptions
from pitviper.driver.front.frontend import FrontEnd, load, load_text
from pitviper.plugins.build import ORIGIN, statements_in
from pitviper.plugins.options import PluginOptions
from pitviper.plugins.pipeline import Encoded, apply_plugins
from pitviper.program.member import Program
from pitviper.program.print.printer import member_text, program_text
from pitviper.program.stmt import Assert
from pitviper.results.finding import Finding
from pitviper.source.diagnostic import Diagnostic
from pitviper.source.span import Span

PROGRAMS = Path(__file__).parents[2] / "programs"
SUITE = Path(os.environ.get("PITVIPER_SUITE", "/work/shared/suite")) / "silver"
FOLDERS = ("adt", "termination", "refute", "smoke", "predicateinstance")
DEFAULTS = PluginOptions()
SMOKE = PluginOptions(smoke_detection=True)


def program_of(text: str, *, smoke: bool = False) -> Program:
    return _accepted(load_text(text, "test.vpr", CheckOptions(smoke_detection=smoke)))


def program_in(path: Path, *, smoke: bool = False) -> Program | None:
    """None if the front end rejects the program."""
    return load(path, CheckOptions(smoke_detection=smoke)).program


def _accepted(front_end: FrontEnd) -> Program:
    assert front_end.program is not None, front_end.diagnostics
    return front_end.program


def encode(text: str, options: PluginOptions = DEFAULTS) -> Encoded:
    return encode_program(program_of(text, smoke=options.smoke_detection), options)


def encode_program(program: Program, options: PluginOptions = DEFAULTS) -> Encoded:
    return run_deep(lambda: apply_plugins(program, options))


def method_lines(encoded: Encoded, name: str) -> list[str]:
    """The lines of a method without indentation and origins, asides without their numbers."""
    text = re.sub(r"aside_\d+", "aside", member_text(encoded.program.methods[name]))
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if not line.startswith((f"@{ORIGIN}", "var aside"))]


def checks(encoded: Encoded) -> list[tuple[str, str, tuple[str, ...]]]:
    """Member, asserted text and origin of each generated assertion, in the order of the text."""
    found = []
    for method in encoded.program.methods.values():
        if method.body is None:
            continue
        for statement in statements_in(method.body):
            origins = [a.values for a in statement.annotations if a.key == ORIGIN]
            if isinstance(statement, Assert) and origins:
                text = statement.assertion.span.text
                found.append((method.name, text, origins[0]))
    return found


def fail_all(encoded: Encoded) -> tuple[Finding, ...]:
    """What an engine would find that can prove none of the generated assertions."""
    return tuple([failed_check(member, origin) for member, _, origin in checks(encoded)])


ELSEWHERE = Span(load_text("field f: Int", "findings.vpr").source, 0, 5)
"""A place that an engine may report for generated code; translations do not rely on it."""


def failed_check(member: str, origin: tuple[str, ...], span: Span | None = None) -> Finding:
    place = span or ELSEWHERE
    message = "Assert might fail. Assertion E might not hold."
    return Finding("assert.failed", "assertion.false", place, member, message, place, origin=origin)


def told(encoded: Encoded, *findings: Finding) -> list[tuple[str, int, str]]:
    """Id, line and member of the translated findings."""
    return [(f.id, f.span.line, f.member) for f in encoded.translate(findings)]


def complaints_about(encoded: Encoded) -> list[Diagnostic]:
    """What the front end says about the text of an encoded program.

    Without its clause, a postcondition that calls its own function is complained about: the
    encoded program is not a source program in this respect.
    """
    text = run_deep(lambda: program_text(encoded.program))
    front_end = load_text(text, "again.vpr")
    return [d for d in front_end.errors if "in its postcondition" not in d.message]
