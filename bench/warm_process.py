"""A process that answers one line for each line it is sent, with the processor time it took."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

SETTLE = 0.03
"""Seconds in which a Java process notices that its solvers have ended."""

TIMEOUT = "timeout"
CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class Timing:
    """One program: wall-clock seconds by the process itself, and processor seconds of all in it."""

    seconds: float
    cpu_seconds: float
    verdict: str
    details: str = ""


class WarmProcess:
    """Started when first asked; ended and started anew, with a warm-up, after a time-out."""

    def __init__(
        self,
        command: list[str],
        warm_up: list[str],
        timeout: float,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._command = command
        self._environment = environment
        self._warm_up = warm_up
        self._timeout = timeout
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, line: str) -> Timing:
        if self._process is None:
            self._process = self._start()
            for known in self._warm_up:
                self._ask(self._process, known, 10 * self._timeout)
        answer = self._ask(self._process, line, self._timeout)
        if answer.verdict == TIMEOUT or self._process.poll() is not None:
            self.close()
        return answer

    def close(self) -> None:
        """End the process and whatever it started; all are in a group of their own."""
        if self._process is not None:
            if self._process.poll() is None:
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def __enter__(self) -> WarmProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=tempfile.gettempdir(),
            bufsize=0,
            env=self._environment,
            start_new_session=True,
        )

    def _ask(self, process: subprocess.Popen[bytes], line: str, timeout: float) -> Timing:
        assert process.stdin is not None
        if process.poll() is not None:
            return Timing(0.0, 0.0, CRASHED, f"the process ended with {process.returncode}")
        before = cpu_seconds(process.pid)
        with contextlib.suppress(BrokenPipeError):  # then there is no answer, either
            process.stdin.write(line.encode() + b"\n")
        text = _read_line(process, time.monotonic() + timeout)
        if text is None:
            return Timing(timeout, timeout, TIMEOUT)
        time.sleep(SETTLE)
        seconds, verdict, *details = text.split("\t")
        cpu = cpu_seconds(process.pid) - before
        return Timing(float(seconds), cpu, verdict, " ".join(details).strip())


def _read_line(process: subprocess.Popen[bytes], deadline: float) -> str | None:
    """The next line of output; None if it does not come in time."""
    assert process.stdout is not None
    text = b""
    while not text.endswith(b"\n"):
        ready, _, _ = select.select([process.stdout], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return None
        part = process.stdout.read(4096)
        if not part:
            return f"0\t{CRASHED}\tthe process ended with {process.wait()}"
        text += part
    return text.decode().rstrip("\n")


def cpu_seconds(process: int) -> float:
    """Processor time of a process and its ended children; 0 where there is no /proc."""
    stat = Path(f"/proc/{process}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
