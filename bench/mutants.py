"""Mutated programs through every sub-command, each with a time limit.

    python bench/mutants.py --mutants 5000 --seed 3 tests/programs [FOLDER ...]

A mutant is a program with tokens left out, doubled, exchanged, taken from another program, or
replaced by one of their kind, so that many are programs still. No command may crash, leave a
process, or take more than a second beyond its time limit.

Commands run in forks of this process, which has loaded them, so that ten thousands can be run:
what a start takes is not counted (`--fresh` starts a process for each). A run is late by the clock
if it ends more than a second after its limit. On a busy machine that says little, so it is counted
beside that how many have used more than a second of processor time after their limit, all
processes of theirs together: these are late on any machine.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import random
import re
import resource
import select
import shlex
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, NoReturn

from faults import Lab, children, laboratory

LIMIT = 3.0
"""Seconds that a command is given."""

ALLOWED = 1.0
"""Seconds that it may take beyond that."""

LONGEST = 120.0
"""Seconds after which a run is ended: it hangs."""

COMMANDS = (
    "check", "format --check", "verify --timeout {}", "verify --backend vcg --timeout {}",
    "verify --jobs 2 --timeout {}", "counterexample --timeout {}", "explore --timeout {}",
    "wizard --timeout {}", "debug --timeout {}", "suite --timeout {}",
)  # fmt: skip
"""Those that take a program; what has no time limit is given the same time."""

_TOKENS = re.compile(r"\w+|\s+|[<>=!&|+*-]+|.", re.DOTALL)

KINDS = (
    ("<=", "<", ">=", ">", "==", "!="), ("+", "-", "*", "\\", "%"), ("&&", "||", "==>", "<==>"),
    ("true", "false"), ("write", "none", "wildcard", "1/2"), ("requires", "ensures", "invariant"),
    ("inhale", "exhale", "assert", "assume"), ("fold", "unfold"), ("forall", "exists"),
    ("Int", "Ref", "Bool", "Perm"), ("0", "1", "2", "3", "1000000", "99999999999999999999"),
)  # fmt: skip
"""Words that may stand for each other and leave a program a program."""

LIKE = {word: kind for kind in KINDS for word in kind}


def mutant(texts: list[str], choose: random.Random) -> str:
    tokens = _TOKENS.findall(choose.choice(texts))
    others = _TOKENS.findall(choose.choice(texts))
    for _ in range(choose.randint(1, 4)):
        at, other = choose.randrange(len(tokens)), choose.randrange(len(tokens))
        alike = [place for place, token in enumerate(tokens) if token in LIKE]
        match choose.randrange(12):
            case 0:
                tokens[at] = ""
            case 1:
                tokens[at] *= 2
            case 2:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 3:
                tokens[at] = choose.choice(others)
            case _ if alike:
                place = choose.choice(alike)
                tokens[place] = choose.choice(LIKE[tokens[place]])
            case _:
                pass
    return "".join(tokens)


class Outcome(NamedTuple):
    """The exit code (None: had to be killed), seconds, and processor seconds after the limit."""

    code: int | None
    seconds: float
    worked_on: float
    said: str
    left: list[int]


class Forks:
    """Runs commands in forks of this process, which adopts whatever they leave behind."""

    def __init__(self, lab: Lab, *, fresh: bool) -> None:
        self._folder, self._environment, self._fresh = lab.folder, lab.environment, fresh
        adopt = 36  # PR_SET_CHILD_SUBREAPER
        ctypes.CDLL(None).prctl(adopt, 1, 0, 0, 0)
        if not fresh:
            _load_all()

    def run(self, words: list[str]) -> Outcome:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        pid = os.fork()
        if not pid:
            self._become(words)
        watched = os.pidfd_open(pid)
        try:
            at_limit, code = self._watch(pid, watched, start)
        finally:
            os.close(watched)
        seconds = time.monotonic() - start
        left = _orphans()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        said = (self._folder / "err").read_text(errors="replace")
        return Outcome(code, seconds, 0.0 if at_limit is None else used - at_limit, said, left)

    def _watch(self, pid: int, watched: int, start: float) -> tuple[float | None, int | None]:
        """The processor time that was used when the limit was over, and the exit code."""
        at_limit, ended = None, bool(_readable(watched, LIMIT))
        if not ended:
            at_limit = _processor_time(pid)
            ended = _readable(watched, LONGEST - (time.monotonic() - start))
        if not ended:
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        return at_limit, os.waitstatus_to_exitcode(status) if ended else None

    def _become(self, words: list[str]) -> NoReturn:
        """This process is a command from now on."""
        try:
            os.chdir(self._folder)
            nothing = os.open(os.devnull, os.O_RDONLY)
            os.dup2(nothing, 0)
            for number, name in ((1, "out"), (2, "err")):
                opened = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
                os.dup2(opened, number)
            os.closerange(3, 64)
            if self._fresh:
                command = [sys.executable, "-m", "pitviper", *words]
                os.execve(sys.executable, command, self._environment)
            os.environ.update(self._environment)
            sys.argv = ["pitviper", *words]
            from pitviper.cli.start import command as pitviper_command

            pitviper_command()
        except SystemExit as ended:
            sys.stdout.flush()
            os._exit(ended.code if isinstance(ended.code, int) else 1)
        finally:
            os._exit(97)


def _load_all() -> None:
    """The modules of the commands, as far as they are known before a command runs."""
    from pitviper.driver.work.process import load_solver

    for command in COMMANDS:
        name = command.split()[0]
        import_module(f"pitviper.cli.arguments.{name}")
        import_module(f"pitviper.cli.commands.{name}")
    for name in ("cli.main", "cli.start", "driver.verify.verify", "driver.explore.host"):
        import_module(f"pitviper.{name}")
    for path in (Path(__file__).parent.parent / "pitviper" / "engines").rglob("[a-z]*.py"):
        inside = path.relative_to(Path(__file__).parent.parent).with_suffix("")
        import_module(".".join(inside.parts))
    load_solver()


def _readable(descriptor: int, seconds: float) -> bool:
    return bool(select.select([descriptor], [], [], max(0.0, seconds))[0])


def _descendants(pid: int) -> Iterator[int]:
    yield pid
    for child in children(pid):
        yield from _descendants(child)


def _processor_time(pid: int) -> float:
    """Seconds that a process, its descendants and those that they have waited for have used."""
    ticks = 0
    for one in _descendants(pid):
        try:
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _orphans() -> list[int]:
    """Processes that a command left to us, after some patience; they are ended."""
    deadline = time.monotonic() + 5.0
    while children(os.getpid()) and time.monotonic() < deadline:
        _reap()
        time.sleep(0.01)
    left = children(os.getpid())
    for pid in left:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return left


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--mutants", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="end after so long")
    parser.add_argument("--fresh", action="store_true", help="a new process for each command")
    parser.add_argument("--keep", type=Path, default=Path(), help="where mutants are kept")
    arguments = parser.parse_args()
    files = sorted([path for folder in arguments.folders for path in folder.rglob("*.vpr")])
    texts = [text for path in files if (text := path.read_text(errors="replace"))]
    began, codes, count = time.monotonic(), Counter[str](), Counter[str]()
    with laboratory(arguments.seed) as lab:
        forks = Forks(lab, fresh=arguments.fresh)
        while count["mutants"] < arguments.mutants:
            if time.monotonic() - began > arguments.seconds:
                break
            count["mutants"] += 1
            text = mutant(texts, lab.choose)
            (lab.folder / "mutant.vpr").write_text(text)
            for command in COMMANDS:
                done = forks.run([*shlex.split(command.format(LIMIT)), "mutant.vpr"])
                codes[f"{command.split()[0]} {done.code}"] += 1
                for problem in problems(done):
                    count[problem] += 1
                    kept = arguments.keep / f"mutant-{arguments.seed}-{count['mutants']}.vpr"
                    kept.write_text(text)
                    print(f"{problem}: {command}: exit {done.code}, {done.seconds:.1f} s,", end=" ")
                    print(f"{done.worked_on:.1f} s of them worked after the limit: {kept}")
                    print("".join(f"    {line}\n" for line in done.said.splitlines()[-5:]), end="")
                    sys.stdout.flush()
            if count["mutants"] % 100 == 0:
                print(f"... {count['mutants']} after {time.monotonic() - began:.0f} s", flush=True)
    print(f"{count.pop('mutants')} mutants, {codes.total()} runs, seed {arguments.seed}", end=", ")
    print(f"{time.monotonic() - began:.0f} s, load {os.getloadavg()[1]:.1f}")
    print(f"exit codes: {', '.join(f'{name}: {n}' for name, n in sorted(codes.items()))}")
    for problem in ("crash", "hang", "orphan", "late by the clock", "late by work"):
        print(f"{count[problem]} {problem}")


def problems(done: Outcome) -> Iterator[str]:
    if done.code is None:
        yield "hang"
    elif done.code not in (0, 1, 2, 4) or "Traceback" in done.said:
        yield "crash"
    if done.left:
        yield "orphan"
    if done.seconds > LIMIT + ALLOWED:
        yield "late by the clock"
    if done.worked_on > ALLOWED:
        yield "late by work"


if __name__ == "__main__":
    main()
