"""Pitviper: a verifier for the Viper language.

Two functions read programs and return values, never text. A `str` is the program itself, a `Path`
is the file it is in.

>>> import pitviper
>>> result = pitviper.check("method m(x: Int) { assert x > 0 }")
>>> result.accepted
True
>>> sorted(result.program.methods)
['m']

A finding about the program is a value too; it knows its place.

>>> result = pitviper.check("method m() { assert y }")
>>> result.accepted
False
>>> [(d.code, d.span.start_position) for d in result.errors]
[('typechecker.error', (1, 21))]

Importing the package is cheap: the front end is loaded by the first call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitviper.version import VERSION as __version__

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pitviper.checking.options import CheckOptions
    from pitviper.driver.frontend import FrontEnd
    from pitviper.syntax.parser import Parsed

__all__ = ["__version__", "check", "parse"]


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

    Raises `pitviper.driver.usage_error.UsageError` if the file cannot be read.
    """
    from pitviper.driver.frontend import parse_path, parse_text

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

    Raises `pitviper.driver.usage_error.UsageError` if the file cannot be read.
    """
    from pitviper.driver.frontend import DEFAULTS, load, load_text

    chosen = DEFAULTS if options is None else options
    folders = tuple(library)
    if isinstance(source, str):
        return load_text(source, name, chosen, folders)
    return load(source, chosen, folders)
