"""The members of a program with macros, expanded one after the other."""

from __future__ import annotations

from pitviper.checking.macros.complaints import Complaints
from pitviper.checking.macros.expander import Expander
from pitviper.checking.macros.hygiene import Names, global_names
from pitviper.checking.macros.macro_log import MacroLog
from pitviper.checking.macros.macro_scan import Scan
from pitviper.checking.macros.progress import Progress
from pitviper.checking.macros.table import Macros, global_macros, local_macros, member_names
from pitviper.syntax import tree


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
