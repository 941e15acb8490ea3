"""Tests remember nothing from one to the next, leave nothing, and use no server of others."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from multiprocessing import resource_tracker
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

for _name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"):
    os.environ.pop(_name, None)  # how wide and how bright the terminal of a test run is
os.environ["PITVIPER_CACHE"] = "off"
os.environ["PITVIPER_DAEMON"] = "off"

settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")
"""A property holds or not; how quick the machine is shall not matter."""

signal.signal(signal.SIGINT, signal.default_int_handler)
"""A run that was started in the background ignores SIGINT, and so would all that it starts."""

MARK = f"PITVIPER_TEST_RUN={os.getpid()}"
os.environ["PITVIPER_TEST_RUN"] = str(os.getpid())
PATIENCE = 300.0
"""Seconds that a process may take to end when its test is over."""


def _processes() -> set[int]:
    return {int(name) for name in os.listdir("/proc") if name.isdigit()}


def _is_of_this_run(pid: int) -> bool:
    """Whether we have forked it, or it is a descendant of a command that we have started."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        environment = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
    state, parent = status[0], int(status[1])
    ours = parent == os.getpid() or MARK.encode() in environment.split(b"\0")
    return ours and state != "Z" and pid != os.getpid()


def _words(pid: int) -> str:
    try:
        return (
            Path(f"/proc/{pid}/cmdline")
            .read_bytes()
            .replace(b"\0", b" ")
            .decode("utf-8", "replace")
        )
    except OSError:
        return "?"


@pytest.fixture(autouse=True, scope="module")
def no_process_is_left() -> Iterator[None]:
    """The tests of a file end the processes that they have started, and those that these start."""
    if not os.path.isdir("/proc/self"):
        yield
        return
    resource_tracker.ensure_running()  # Python ends it when the test run ends, not a test
    before = _processes()
    yield
    deadline = time.monotonic() + PATIENCE
    left = [pid for pid in _processes() - before if _is_of_this_run(pid)]
    while left and time.monotonic() < deadline:
        time.sleep(0.05)
        left = [pid for pid in left if _is_of_this_run(pid)]
    assert not left, f"left after: {[f'{pid} {_words(pid)}' for pid in left]}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The last lines name what was not tested, and why."""
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        terminalreporter.write_line(f"not tested: {report.nodeid}: {reason}")
