"""Applies the language plugins in their order."""

from __future__ import annotations

from collections.abc import Mapping

from pitviper.base.record import record
from pitviper.plugins.names import Names
from pitviper.plugins.on_demand import check_termination, encode_adts, encode_refutes
from pitviper.plugins.options import PluginOptions
from pitviper.plugins.predicate_instance import encode_predicate_instances
from pitviper.plugins.step import Findings, Members, Plugin, PluginContext, Translate
from pitviper.plugins.verified_under import assume_verified
from pitviper.program.member import Program
from pitviper.source.diagnostic import Diagnostic

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
