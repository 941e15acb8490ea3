"""Pitviper: a verifier for the Viper language.

Three functions read programs and return values, never text. A `str` is the program itself, a
`Path` is the file it is in.

>>> import pitviper
>>> result = pitviper.verify("method m(x: Int) requires x > 2 { assert x > 0 }")
>>> result.verdict.value
'verified'

A finding about the program is a value too; it knows its place.

>>> result = pitviper.verify("method m(x: Int) { assert x > 0 }")
>>> result.verdict.value
'refuted'
>>> [(finding.id, finding.span.start_position) for finding in result.findings]
[('assert.failed:assertion.false', (1, 27))]

Importing the package is cheap: front end and verifier are loaded by the first call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitviper.version import VERSION as __version__

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pitviper.checking.options import CheckOptions
    from pitviper.driver.front.frontend import FrontEnd
    from pitviper.driver.verify.options import VerifyOptions
    from pitviper.driver.verify.verify import ProgramOutcome
    from pitviper.results.exploration import Replayed
    from pitviper.syntax.parse.parser import Parsed

__all__ = ["__version__", "check", "parse", "replay", "verify"]


def parse(source: str | Path, *, name: str = "<text>") -> Parsed:
    """The syntax tree of one file as it is written: imports and macros stay what they are.

    `name` is what places in a text are called. The tree holds the members that could be parsed,
    so a program with a mistake still has the others.

    >>> parsed = parse('import "list.vpr"  field next: Ref')
    >>> [type(member).__name__ for member in parsed.tree.members]
    ['Import', 'FieldDeclaration']
    >>> parsed.diagnostics
    ()

    >>> parsed = parse("method broken( { }  method fine() { }", name="two.vpr")
    >>> [d.code for d in parsed.diagnostics]
    ['parser.error']
    >>> print(parsed.diagnostics[0].span)  # doctest: +ELLIPSIS
    two.vpr@1.16...

    Raises `pitviper.base.usage_error.UsageError` if the file cannot be read.
    """
    from pitviper.driver.front.frontend import parse_path, parse_text

    return parse_text(source, name) if isinstance(source, str) else parse_path(source)


def check(
    source: str | Path,
    *,
    name: str = "<text>",
    options: CheckOptions | None = None,
    library: Sequence[Path] = (),
) -> FrontEnd:
    """The typed program, or what is wrong: imports, macros, names, types, side conditions.

    `import "..."` starts in the folder of the file, or of `name` for a text; `import <...>` looks
    through the built-in library, then through the folders in `library`.

    >>> result = check("field f: Int  method get(x: Ref) returns (r: Int) { r := x.g }")
    >>> result.program is None
    True
    >>> len(result.errors)
    1

    Macros are gone from the typed program:

    >>> result = check("define twice(e) (e) + (e)  function four(): Int { twice(2) }")
    >>> result.accepted, list(result.program.functions)
    (True, ['four'])

    Raises `pitviper.base.usage_error.UsageError` if the file cannot be read.
    """
    from pitviper.driver.front.frontend import DEFAULTS, load, load_text

    chosen = DEFAULTS if options is None else options
    folders = tuple(library)
    if isinstance(source, str):
        return load_text(source, name, chosen, folders)
    return load(source, chosen, folders)


def verify(
    source: str | Path,
    *,
    name: str = "<text>",
    options: VerifyOptions | None = None,
    library: Sequence[Path] = (),
) -> ProgramOutcome:
    """What can be proved about a program: a verdict for it and for each of its members.

    The verdict is VERIFIED only if every method, function and predicate is; REFUTED if there is a
    finding, UNDECIDED if there is none but something could not be decided, REJECTED if `check`
    does not accept the program.

    >>> result = verify('''
    ... field value: Int
    ...
    ... method increment(cell: Ref)
    ...   requires acc(cell.value)
    ...   ensures  acc(cell.value) && cell.value > old(cell.value)
    ... { cell.value := cell.value + 1 }
    ...
    ... method reset(cell: Ref)
    ... { cell.value := 0 }
    ... ''', name="counter.vpr")
    >>> {name: member.verdict.value for name, member in result.members.items()}
    {'increment': 'verified', 'reset': 'refuted'}
    >>> finding = result.members["reset"].findings[0]
    >>> finding.id, str(finding.span)
    ('assignment.failed:insufficient.permission', 'counter.vpr@10.3--10.18')
    >>> finding.message
    'Assignment might fail. There might be insufficient permission to access cell.value'

    `options` say what to verify, and how far to go:

    >>> from pitviper.driver.verify.options import VerifyOptions
    >>> some = VerifyOptions(select=("half",), timeout=60.0)
    >>> program = "function half(n: Int): Int { n / 2 }  method other() { assert false }"
    >>> verify(program, options=some).verdict.value
    'verified'

    Imports are found as `check` finds them. Raises `pitviper.base.usage_error.UsageError` if
    the file cannot be read, or if `options` select a member that is not there.
    """
    from pitviper.driver.verify.verify import DEFAULT_OPTIONS, open_verifier

    with open_verifier(options or DEFAULT_OPTIONS, tuple(library)) as verifier:
        if isinstance(source, str):
            return verifier.verify(verifier.read_text(source, name))
        return verifier.verify(verifier.read(source))


def replay(test: Path) -> Replayed:
    """What a test of `pitviper explore --save-tests` does now.

    `status` is "passed" or "failed", or says why the run came to no end. Raises
    `pitviper.base.usage_error.UsageError` if the test or its program cannot be read.
    """
    from pitviper.driver.explore.tests import replay as replay_test

    return replay_test(test)
