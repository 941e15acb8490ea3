"""Pitviper: a verifier for the Viper language.

Each question about a program is a function; it returns a value, never text. A `str` is the program
itself, a `Path` is the file it is in.

>>> import pitviper
>>> result = pitviper.verify("method m(x: Int) requires x > 2 { assert x > 0 }")
>>> result.verdict is pitviper.Verdict.VERIFIED
True

What is wrong is a value too; it knows its place.

>>> result = pitviper.verify("method m(x: Int) { assert x > 0 }", name="m.vpr")
>>> result
<VerifyResult m.vpr: refuted, 1 member, 1 error>
>>> for problem in result.problems:
...     print(problem.id, problem.span.start_position)
assert.failed:assertion.false (1, 27)

Importing the package is cheap: front end and verifier are loaded by the first call. `docs/api.md`
shows everything at work.
"""

from __future__ import annotations

import sys

from pitviper.version import VERSION as __version__

TYPE_CHECKING = False  # `typing` takes longer to load than the rest
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pitviper.api.answers import CheckResult as CheckResult
    from pitviper.api.answers import CounterexampleResult as CounterexampleResult
    from pitviper.api.answers import DebugResult as DebugResult
    from pitviper.api.answers import ExploreResult as ExploreResult
    from pitviper.api.answers import VerifyResult as VerifyResult
    from pitviper.base.usage_error import UsageError as UsageError
    from pitviper.checking.options import CheckOptions as CheckOptions
    from pitviper.counterexample.options import CounterexampleOptions as CounterexampleOptions
    from pitviper.driver.explore.options import ExploreOptions as ExploreOptions
    from pitviper.driver.verify.options import VerifyOptions as VerifyOptions
    from pitviper.program.member import Program
    from pitviper.results.exploration import Claim as Claim
    from pitviper.results.exploration import Replayed
    from pitviper.results.report import Problem as Problem
    from pitviper.results.verdict import Verdict as Verdict
    from pitviper.source.span import SourceFile
    from pitviper.syntax.parse.parser import Parsed

__all__ = [
    "CheckOptions",
    "CheckResult",
    "Claim",
    "CounterexampleOptions",
    "CounterexampleResult",
    "DebugResult",
    "ExploreOptions",
    "ExploreResult",
    "Problem",
    "UsageError",
    "Verdict",
    "VerifyOptions",
    "VerifyResult",
    "__version__",
    "check",
    "counterexample",
    "debug",
    "explore",
    "parse",
    "replay",
    "verify",
    "verify_program",
]


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

    Raises `UsageError` if the file cannot be read, or if a text is the name of a file.
    """
    from pitviper.api import calls

    return calls.parse(source, name)


def check(
    source: str | Path,
    *,
    name: str = "<text>",
    options: CheckOptions | None = None,
    library: Sequence[Path] = (),
) -> CheckResult:
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

    Raises `UsageError` if the file cannot be read, or if a text is the name of a file.
    """
    from pitviper.api import calls

    return calls.check(source, name, options, tuple(library))


def verify(
    source: str | Path,
    *,
    name: str = "<text>",
    options: VerifyOptions | None = None,
    library: Sequence[Path] = (),
) -> VerifyResult:
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

    >>> from pitviper import VerifyOptions
    >>> some = VerifyOptions(select=("half",), timeout=60.0)
    >>> program = "function half(n: Int): Int { n / 2 }  method other() { assert false }"
    >>> verify(program, options=some).verdict.value
    'verified'

    `problems` has everything that a loop should print, whatever the verdict is; `print(result)`
    prints the report of the command line. Where everything is verified, the result is true.

    >>> for problem in verify("method m(x: int) { }", name="m.vpr").problems:
    ...     print(problem)
    error[typechecker.error]: undeclared type `int` (m.vpr@1.13--1.16)

    Imports are found as `check` finds them. Raises `UsageError` if the file cannot be read, if a
    text is the name of a file, or if `options` select a member that is not there:

    >>> verify("list.vpr")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    pitviper.base.usage_error.UsageError: a text is ... did you mean Path('list.vpr')?
    """
    from pitviper.api import calls

    return calls.verify(source, name, options, tuple(library))


def verify_program(
    program: Program,
    *,
    source: SourceFile | str = "<program>",
    options: VerifyOptions | None = None,
) -> VerifyResult:
    """What can be proved about a typed program that a front end built (docs/front-ends.md).

    `source` is the file that the places in the program are about, or only a name for it. A program
    that is not well-formed is REJECTED with messages, and no engine sees it.

    >>> from pitviper.program import expr, member, stmt
    >>> def claiming(claim):
    ...     body = stmt.Block((stmt.Assert(claim),))
    ...     method = member.Method("m", (), (), (), (), (), body)
    ...     return member.Program({}, {"m": method}, {}, {}, {}, {})
    >>> verify_program(claiming(expr.BoolLit(True)), source="mine")
    <VerifyResult mine: verified, 1 member>
    >>> verify_program(claiming(expr.IntLit(3)), source="mine").diagnostics[0].message
    'the typed program is not well-formed in `m`: a formula has to be of type Bool, and is of Int'
    """
    from pitviper.api import calls

    return calls.verify_program(program, source, options)


def explore(
    source: str | Path,
    *,
    name: str = "<text>",
    options: ExploreOptions | None = None,
    library: Sequence[Path] = (),
) -> ExploreResult:
    """What runs of the methods show: inputs that fail, or a claim about all inputs.

    >>> result = explore("method half(x: Int) { assert x / 2 != 21 }", name="half.vpr")
    >>> result
    <ExploreResult half.vpr: fails, 1 method, 1 failing run>
    >>> result.failures[0].test.inputs
    (('x', '42'),)

    Raises `UsageError` as `verify` does.
    """
    from pitviper.api import calls

    return calls.explore(source, name, options, tuple(library))


def counterexample(
    source: str | Path,
    *,
    name: str = "<text>",
    options: CounterexampleOptions | None = None,
    verify: VerifyOptions | None = None,
    library: Sequence[Path] = (),
) -> CounterexampleResult:
    """Small concrete states in which failed checks fail; `svg()` draws them.

    >>> found = counterexample("method m(x: Int) { assert x != 7 }", name="m.vpr")
    >>> found
    <CounterexampleResult m.vpr: 1 counterexample>
    >>> [(variable.name, variable.value.text) for variable in found.counterexamples[0].variables]
    [('x', '7')]

    `verify` are the options of the verification that looks for failed checks. Raises `UsageError`
    as `verify` does, and where constraints of `options` fit no member.
    """
    from pitviper.api import calls

    return calls.counterexample(source, name, options, verify, tuple(library))


def debug(
    source: str | Path,
    *,
    name: str = "<text>",
    options: VerifyOptions | None = None,
    library: Sequence[Path] = (),
) -> DebugResult:
    """A session of the proof debugger inside the checks that failed.

    >>> session = debug("method m(x: Int) { assert x > 0 }", name="m.vpr")
    >>> session
    <DebugResult m.vpr: 1 failed check>
    >>> session.execute("assume x@0 == 5")[-1].proof.outcome.value
    'proved'

    `ask` gives the text that the command line would show. Raises `UsageError` as `verify` does.
    """
    from pitviper.api import calls

    return calls.debug(source, name, options, tuple(library))


def replay(test: Path) -> Replayed:
    """What a test of `pitviper explore --save-tests` does now.

    `status` is "passed" or "failed", or says why the run came to no end. Raises
    `UsageError` if the test or its program cannot be read.
    """
    from pitviper.driver.explore.tests import replay as replay_test

    return replay_test(test)


if not TYPE_CHECKING:
    _LATER = {
        "CheckOptions": "pitviper.checking.options",
        "CheckResult": "pitviper.api.answers",
        "Claim": "pitviper.results.exploration",
        "CounterexampleOptions": "pitviper.counterexample.options",
        "CounterexampleResult": "pitviper.api.answers",
        "DebugResult": "pitviper.api.answers",
        "ExploreOptions": "pitviper.driver.explore.options",
        "ExploreResult": "pitviper.api.answers",
        "Problem": "pitviper.results.report",
        "UsageError": "pitviper.base.usage_error",
        "Verdict": "pitviper.results.verdict",
        "VerifyOptions": "pitviper.driver.verify.options",
        "VerifyResult": "pitviper.api.answers",
    }

    def __getattr__(name):
        """Classes are loaded when somebody names them."""
        if name not in _LATER:
            raise AttributeError(f"module 'pitviper' has no attribute {name!r}")
        from importlib import import_module

        found = globals()[name] = getattr(import_module(_LATER[name]), name)
        return found

    def __dir__():
        """What completion offers: nothing that only we use."""
        return sorted({*__all__, *[name for name in globals() if name.startswith("__")]})

    class _Package(type(sys)):
        """The function `counterexample` stays what it is when the folder of that name is loaded."""

        def __setattr__(self, name, value):
            if name != "counterexample" or not isinstance(value, type(sys)):
                super().__setattr__(name, value)

    sys.modules[__name__].__class__ = _Package
