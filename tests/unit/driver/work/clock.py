"""A clock that a test puts forward: whoever waits for the end of a time need not wait for it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

import pytest

from pitviper.driver.work import pool

T = TypeVar("T")
LONG = 3600.0
"""Seconds that nothing takes on any machine; the limit of tasks that are ended at it."""


class Clock:
    """Stands for the module `time`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._ahead = 0.0
        monkeypatch.setattr(pool, "time", self)

    def monotonic(self) -> float:
        return time.monotonic() + self._ahead

    def forward_after(self, count: int, items: Iterable[T]) -> Iterator[T]:
        """The items; when so many have come, the time of those that are left is over."""
        for number, item in enumerate(items, 1):
            yield item
            if number == count:
                self._ahead += 2 * LONG
