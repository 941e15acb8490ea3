"""What the exit code of every sub-command means."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    FINE = 0
    FINDINGS = 1
    USAGE = 2
    OUR_FAULT = 3
    UNDECIDED = 4
    INTERRUPTED = 130
    BROKEN_PIPE = 141
    TERMINATED = 143


EXPLANATION = """\
exit codes:
  0  fine
  1  findings: the program, or the suite, has errors
  2  wrong usage: an unknown option, a file that cannot be read
  3  our fault: please report it
  4  undecided: nothing is wrong so far, and nothing is proved
"""
