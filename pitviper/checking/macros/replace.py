"""Replaces the uses of macros by what they stand for."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.checking.macros.macro_scan import Scan, scan
from pitviper.source.diagnostic import Diagnostic
from pitviper.syntax import tree


@record
class Expanded:
    """The members without macros: no definitions, and no uses unless some are wrong."""

    members: tuple[tree.Member, ...]
    diagnostics: tuple[Diagnostic, ...]


def expand_macros(members: tuple[tree.Member, ...]) -> Expanded:
    """Expand the macros of a program whose imports have been spliced.

    Members that no macro concerns stay the same objects.
    """
    scans = [_scan(member) for member in members]
    concerned = any(found.concerns_macros for found in scans if found is not None)
    if not concerned and not any(isinstance(member, tree.Define) for member in members):
        return Expanded(members, ())
    from pitviper.checking.macros.macro_expansion import Expansion  # most programs have no macros

    expansion = Expansion(members)
    expanded = [
        expansion.expand(member, found)
        for member, found in zip(members, scans, strict=True)
        if not isinstance(member, tree.Define)
    ]
    return Expanded(tuple(expanded), tuple(expansion.log.diagnostics))


def _scan(member: tree.Member) -> Scan | None:
    if isinstance(member, tree.Method) and member.body is not None:
        return scan(member.body)
    return None
