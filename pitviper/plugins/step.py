"""What one plugin makes of a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pitviper.base.record import field, record
from pitviper.plugins.names import Names
from pitviper.plugins.options import PluginOptions
from pitviper.program.member import Program
from pitviper.results.finding import Finding
from pitviper.source.diagnostic import Diagnostic

Findings: TypeAlias = tuple[Finding, ...]
Members: TypeAlias = frozenset[str] | None
"""The members of the source program that an engine has looked at; None stands for all."""

Translate: TypeAlias = Callable[[Findings, Members], Findings]


def unchanged(findings: Findings, _: Members) -> Findings:
    return findings


@record
class Step:
    """The rewritten program, and how findings about it are told in terms of the program before.

    `owners` names the source member for each generated method and function.
    """

    program: Program
    diagnostics: tuple[Diagnostic, ...] = ()
    translate: Translate = unchanged
    owners: Mapping[str, str] = field(default_factory=dict)


@record
class PluginContext:
    """What the plugins of one run share."""

    names: Names
    options: PluginOptions


Plugin: TypeAlias = Callable[[Program, PluginContext], Step]
