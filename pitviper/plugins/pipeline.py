"""Applies the language plugins in their order."""

from __future__ import annotations

from collections.abc import Mapping

from pitviper.base.record import record
from pitviper.plugins.build import all_statements
from pitviper.plugins.names import Names
from pitviper.plugins.options import PluginOptions
from pitviper.plugins.predicate_instance import encode_predicate_instances
from pitviper.plugins.step import Findings, Members, Plugin, PluginContext, Step, Translate
from pitviper.plugins.verified_under import assume_verified
from pitviper.program.member import Function, Method, Program
from pitviper.program.stmt import Refute, While
from pitviper.source.diagnostic import Diagnostic


def encode_adts(program: Program, context: PluginContext) -> Step:
    if not program.adts:
        return Step(program)
    from pitviper.plugins.adt.encode import encode_adts as encode

    return encode(program, context)


def check_termination(program: Program, context: PluginContext) -> Step:
    if not has_clauses(program):
        return Step(program)
    from pitviper.plugins.termination.functions import check_termination as check

    return check(program, context)


def has_clauses(program: Program) -> bool:
    """Whether there is a `decreases` anywhere."""
    members: list[Function | Method] = [*program.functions.values(), *program.methods.values()]
    if any([member.decreases for member in members]):
        return True
    return any(isinstance(s, While) and s.decreases for s in all_statements(program))


def encode_refutes(program: Program, context: PluginContext) -> Step:
    if not any(isinstance(statement, Refute) for statement in all_statements(program)):
        return Step(program)
    from pitviper.plugins.refute import encode_refutes as encode

    return encode(program, context)


_PLUGINS: tuple[Plugin, ...] = (
    assume_verified,
    encode_adts,
    check_termination,
    encode_predicate_instances,
    encode_refutes,
)


@record
class Encoded:
    """A program in the core language, for engines; not to be verified if there are diagnostics.

    `owners` maps each generated method and function to the source member that it belongs to:
    what an engine says about it counts for that member.
    """

    program: Program
    diagnostics: tuple[Diagnostic, ...]
    owners: Mapping[str, str]
    translations: tuple[Translate, ...]

    def translate(self, findings: Findings, members: Members = None) -> Findings:
        """Findings about the encoded program, told in terms of the source program.

        `members` are the source members that an engine has finished, None for all: a refute
        fails by the absence of a finding. The findings about a member and about all that it
        owns belong into the same call.
        """
        for translation in reversed(self.translations):
            findings = translation(findings, members)
        return findings


_DEFAULTS = PluginOptions()


def apply_plugins(program: Program, options: PluginOptions = _DEFAULTS) -> Encoded:
    """The program without the constructs that plugins add to the language.

    Stops after the first plugin that rejects the program: its diagnostics are errors.
    """
    context = PluginContext(Names(program), options)
    plugins = _PLUGINS
    if options.smoke_detection:
        from pitviper.plugins.smoke import detect_smoke

        plugins = (detect_smoke, *plugins)
    translations: list[Translate] = []
    owners: dict[str, str] = {}
    diagnostics: tuple[Diagnostic, ...] = ()
    for plugin in plugins:
        step = plugin(program, context)
        program = step.program
        translations.append(step.translate)
        owners.update(step.owners)
        diagnostics = step.diagnostics
        if diagnostics:
            break
    return Encoded(program, diagnostics, owners, tuple(translations))
