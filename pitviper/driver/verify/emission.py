"""The intermediate language of a program: what the second verifier has to prove, as text."""

from __future__ import annotations

from pitviper.base.deep_stack import run_deep
from pitviper.base.record import record
from pitviper.base.usage_error import UsageError
from pitviper.driver.front.selection import select_members
from pitviper.driver.verify.options import VcgOptions, VerifyOptions
from pitviper.driver.verify.sessions import Sessions
from pitviper.engines.shared.members import Member, in_dependency_order
from pitviper.engines.vcg.ivl import check as ivl_check
from pitviper.engines.vcg.ivl.boogie import BoogieText, print_boogie
from pitviper.engines.vcg.ivl.emitter import SearchEnded
from pitviper.engines.vcg.ivl.language import Procedure
from pitviper.engines.vcg.ivl.language import Program as IvlProgram
from pitviper.engines.vcg.ivl.printer import print_program
from pitviper.engines.vcg.verifier import Run, start, translate
from pitviper.plugins.pipeline import apply_plugins
from pitviper.program.member import Program
from pitviper.source.diagnostic import Diagnostic


@record
class Emission:
    """A program in the intermediate language, or why a language plugin refused it."""

    program: IvlProgram
    rejected: tuple[Diagnostic, ...] = ()


def emit(program: Program, options: VerifyOptions) -> Emission:
    """All members, translated one after the other; nothing is proved.

    A program that does not pass the type checker of the intermediate language is a bug of ours.
    UsageError where translating a member would cost too much.
    """
    return run_deep(lambda: _emit(program, options))


def as_text(program: IvlProgram) -> str:
    return run_deep(lambda: print_program(program))


def as_boogie(program: IvlProgram) -> BoogieText:
    return run_deep(lambda: print_boogie(program))


def _emit(program: Program, options: VerifyOptions) -> Emission:
    if options.select:
        program = select_members(program, options.select)
    encoded = apply_plugins(program, options.plugins)
    if encoded.diagnostics:
        return Emission(IvlProgram((), ()), encoded.diagnostics)
    amounts = options.check.respect_function_perm_amounts
    with Sessions(options.limit) as sessions:
        run = start(encoded.program, VcgOptions(respect_function_amounts=amounts), sessions.open)
        procedures = tuple([_procedure(run, member) for member in in_dependency_order(run)])
    made = IvlProgram(run.background, procedures)
    complaints = ivl_check.complaints(made)
    if complaints:
        raise ValueError("\n".join(complaints))
    return Emission(made)


def _procedure(run: Run, member: Member) -> Procedure:
    try:
        made = translate(run, member).procedure
    except SearchEnded as ended:
        raise UsageError(
            f"{member.name} cannot be translated: {ended.said} ({ended.span})"
        ) from None
    before = run.dependencies.functions_before(member)
    axioms = tuple([axiom for name in before for axiom in run.axioms.get(name, ())])
    return Procedure(made.name, made.blocks, axioms)
