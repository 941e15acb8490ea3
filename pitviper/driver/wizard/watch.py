"""Who looks on while the wizard works."""

from __future__ import annotations

from typing import Protocol

from pitviper.results.member import MemberOutcome


class WizardWatch(Protocol):
    """Is told how both sides go on, from several threads, one at a time for each side."""

    def started(self, member: str, done: int, total: int) -> None: ...

    def finished(self, outcome: MemberOutcome) -> None: ...

    def turn(self, number: int, methods: int) -> None: ...

    def exploring(self, method: str, attempts: int) -> None: ...

    def explored(self, method: str) -> None: ...


class NobodyWatches:
    """Looks away."""

    def started(self, member: str, done: int, total: int) -> None:
        return

    def finished(self, outcome: MemberOutcome) -> None:
        return

    def turn(self, number: int, methods: int) -> None:
        return

    def exploring(self, method: str, attempts: int) -> None:
        return

    def explored(self, method: str) -> None:
        return
