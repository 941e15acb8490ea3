"""Replaces the uses of macros by what they stand for."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.checking.macros.complaints import Complaints
from pitviper.checking.macros.expander import Expander, Progress
from pitviper.checking.macros.names import Names, Scan, global_names, scan
from pitviper.checking.macros.table import (
    MacroLog,
    Macros,
    global_macros,
    local_macros,
    member_names,
)
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


class Expansion:
    """What the members of a program share while they are expanded."""

    def __init__(self, members: tuple[tree.Member, ...]) -> None:
        self.log = MacroLog()
        self._complaints = Complaints(self.log)
        self._progress = Progress(self.log)
        self._macros = global_macros(members, self.log)
        self._misdefined = self.log.failed
        self._member_names = member_names(members)
        self._global_names = global_names(members)

    def expand(self, member: tree.Member, found: Scan | None) -> tree.Member:
        """Uses of wrongly defined macros would give errors that only follow from the first."""
        macros: Macros = self._macros
        misdefined = self._misdefined
        if found is not None and found.concerns_macros:
            own = MacroLog()
            macros = local_macros(found, macros, self._member_names, own)
            self.log.add(own)
            misdefined = misdefined or own.failed
        elif not macros:
            return member
        if misdefined:
            return member
        names = Names(member, self._global_names)
        return Expander(macros, names, self._complaints, self._progress).expand(member)
