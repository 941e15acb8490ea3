"""What the debugger costs: opening it, an answer in a session, a long trace.

    python bench/debugger.py [FILE...]

Without files: failing programs of our own, and the largest traces of the public suite if it is
beside the project. Prints the ratio of opening to plain verification (goal: at most 1.3), the time
of a new goal and of a new assumption, and for traces the number of steps and states, the time to
show them (goal: at most 2 s) and the memory of the process (goal: at most 500 MB).
"""

from __future__ import annotations

import os
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pitviper.driver.debug.debugging import DebugSession, open_debugger
from pitviper.driver.verify.verify import open_verifier
from pitviper.results.debugging import StepsReply
from pitviper.views.terminal.debugger import DebuggerView
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.style import plain

HERE = Path(__file__).parents[1]
SUITE = Path(os.environ.get("PITVIPER_SUITE", HERE.parent.parent / "shared" / "suite")) / "silver"
OWN = sorted((HERE / "examples" / "debugger").glob("*.vpr"))
ROUNDS = 7

T = TypeVar("T")


def timed(action: Callable[[], T]) -> tuple[float, T]:
    """Seconds of processor time: other work on the machine does not count."""
    began = time.process_time()
    result = action()
    return time.process_time() - began, result


def verified(path: Path) -> None:
    with open_verifier() as verifier:
        verifier.verify(verifier.read(path))


def opening(path: Path) -> tuple[float, float]:
    """Medians of plain verification, and of opening up to the first obligation on the screen."""
    verified(path)
    plain_times, debug_times = [], []
    for _ in range(ROUNDS):
        plain_times.append(timed(lambda: verified(path))[0])
        debug_times.append(timed(lambda: opened(path))[0])
    return statistics.median(plain_times), statistics.median(debug_times)


def opened(path: Path) -> DebugSession:
    session = open_debugger(path)
    if session.debugger is not None and session.debugger.obligations:
        view = DebuggerView(Page(plain))
        for reply in session.execute("choose 0"):
            view.text(reply)
    return session


def memory() -> int:
    """Megabytes that the process had at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def show_opening(paths: list[Path]) -> None:
    print(
        f"{'opening':<44}{'verify ms':>11}{'debug ms':>11}{'ratio':>8}{'goal ms':>9}{'assume':>8}"
    )
    for path in paths:
        alone, debug = opening(path)
        session = opened(path)
        goal = timed(lambda s=session: s.execute("assert true != false"))[0]
        added = timed(lambda s=session: s.execute("assume 1 < 2"))[0]
        row = f"{alone * 1000:>11.1f}{debug * 1000:>11.1f}{debug / alone:>8.2f}"
        print(f"{path.name:<44}{row}{goal * 1000:>9.1f}{added * 1000:>8.1f}")


def show_walk() -> None:
    """All steps of a failing run as text, by the debugger."""
    path = write_many_steps()
    verify_time = timed(lambda: verified(path))[0]
    open_time, session = timed(lambda: opened(path))
    view = DebuggerView(Page(plain))
    list_time, replies = timed(lambda: session.execute("path all"))
    text_time, texts = timed(lambda: [view.text(reply) for reply in replies])
    states_time = timed(lambda: session.execute("diff 1 2500"))[0]
    steps = replies[0]
    assert isinstance(steps, StepsReply)
    print(f"\nmany steps: {len(steps.steps)} steps, {sum(map(len, texts))} characters")
    print(
        f"  verify {verify_time:.2f} s, open {open_time:.2f} s, ratio {open_time / verify_time:.2f}"
    )
    print(f"  list {list_time:.2f} s, as text {text_time:.2f} s, one diff {states_time:.3f} s")
    write_time = timed(lambda: session.execute("export trace"))[0]
    print(f"  whole trace with states as JSON {write_time:.2f} s, memory {memory()} MB")


def write_many_steps() -> Path:
    """A method with many branches and assertions, unmerged by different permissions."""
    lines = ["field f: Int", "method m(x: Ref, n: Int)", "  requires acc(x.f)", "{"]
    for i in range(400):
        lines.append(f"  if (n > {i}) {{ x.f := x.f + {i} }} else {{ x.f := x.f - n }}")
        lines.append(f"  assert n > {i} ==> n >= {i}")
    lines += ["  assert x.f == 0", "}"]
    path = Path(os.environ.get("TMPDIR", "/tmp")) / "pitviper_many_steps.vpr"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


if __name__ == "__main__":
    show_opening([Path(name) for name in sys.argv[1:]] or OWN)
    show_walk()
