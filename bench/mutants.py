"""Mutated programs through every sub-command and every server, each with a time limit.

    python bench/mutants.py --mutants 5000 --seed 3 --state FILE tests/programs [FOLDER ...]

A mutant is a program with tokens left out, doubled, exchanged, taken from another program, or
replaced by one of their kind, so that many are programs still. It depends on the seed and its
number alone. No command may crash, leave a process, or take more than a second beyond its limit;
no server may answer with an internal error, or not in time.

The campaign goes in rounds: in each, every mutant goes through one of the ways, the next one in the
next round, so that all have been through all ways after the last round and each way is tried evenly
from the first on. `--state FILE` keeps the figures after each mutant: the same command goes on
where it was ended.

Commands run one after the other in a fork of this process, which has loaded all that they load
(each was run once before, and told its modules), so that ten thousands can be run: a fork of its
own for each costs 7,000 pages to be copied, several times of what most commands do. A fork ends
with a command that ends it (its time was over, or a signal), with one that left a process or a
thread, and after some hundred. Each fiftieth command (`--fresh K`) runs once more in a process of
its own: exit code and output must be the same. `--largest N` takes programs of at most N
characters, `--limit S` gives commands S seconds. Servers are asked by one client after the other,
and a new one is started now and then.

A run is late by the clock if it ends more than a second after its limit. On a busy machine that
says little, so it is counted beside that how many have used more than a second of processor time
after their limit, all processes of theirs together: these are late on any machine.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import re
import resource
import select
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, NoReturn

from conversations import KINDS as SERVERS
from conversations import adopt, orphans, processor_time
from faults import Lab, laboratory, rough

LIMIT = 3.0
"""Seconds that a command is given, unless another limit is."""

ALLOWED = 1.0
"""Seconds that it may take beyond that."""

LONGEST = 120.0
"""Seconds after which a run is ended: it hangs."""

IN_A_ROW = 280
"""Commands that a fork runs, twenty of each kind."""

PATIENCE = 10.0
"""Seconds in which a fork ends that was told to."""

HEARD, SAID = 900, 901
"""Descriptors of a runner, beyond those that a command closes."""

COMMANDS = (
    "check --timeout {}", "format --check --timeout {}", "format --timeout {} written.vpr",
    "verify --timeout {}", "verify --backend vcg --timeout {}", "verify --jobs 2 --timeout {}",
    "verify --counterexample --timeout {}", "counterexample --timeout {}",
    "explore --timeout {}", "wizard --timeout {}", "debug --timeout {}", "suite --timeout {}",
    "report --html page.html --timeout {}", "replay --timeout {} test.json",
)  # fmt: skip
"""Those that take a program, or a test about one."""

WAYS = (*COMMANDS, *SERVERS)

UNDECIDED = 4
"""The exit code of a command whose time is over, among others."""

_SECONDS = re.compile(r"\d+(\.\d+)? ?(ms|s)\b|\d+\.\d+|-{5,}")

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
    differs: str = ""


class Runner:
    """A fork of this process that runs commands, each as `pitviper` does, until it is told to end.

    NOTE(in a row). The end of a command is not that of its process here, so `os._exit` in its main
    thread is taken for the end of the command, and its time begins when it is told. All the rest is
    the command's own: a process that ends in any other way has ended by what the command did.
    """

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        (heard, self._to), (self._from, said) = os.pipe(), os.pipe()
        self.commands = 0
        self.pid = os.fork()
        if not self.pid:
            _stand_alone(folder, (heard, said))
            os.environ.update(environment)
            _obey()
        os.close(heard)
        os.close(said)
        self.ended = os.pidfd_open(self.pid)

    def tell(self, words: list[str]) -> None:
        self.commands += 1
        os.write(self._to, json.dumps(words).encode() + b"\n")

    def wait(self, seconds: float) -> bool:
        """Whether the command is done, or the process has ended."""
        return _readable([self._from, self.ended], seconds)

    def code(self) -> int | None:
        """The exit code of a command that is done; None where the process has ended with it."""
        heard = os.read(self._from, 64) if _readable([self._from], 0.0) else b""
        return int(heard) if heard else None

    def end(self) -> int:
        """Ends the process, unless it has ended by itself; its exit code."""
        with suppress(BrokenPipeError):
            os.write(self._to, b"\n")
        if not _readable([self.ended], PATIENCE):
            os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        for opened in (self._to, self._from, self.ended):
            os.close(opened)
        return os.waitstatus_to_exitcode(status)


def _stand_alone(folder: Path, pipes: tuple[int, int]) -> None:
    """No file of this process is open any more but the pipes, far from where commands open any."""
    os.chdir(folder)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for at, pipe in zip((HEARD, SAID), pipes, strict=True):
        os.dup2(pipe, at, inheritable=False)
    _begin_output()
    os.closerange(3, 64)


def _begin_output() -> None:
    for number, name in ((1, "out"), (2, "err")):
        opened = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(opened, number)
        os.close(opened)


def _obey() -> NoReturn:
    """The life of a runner."""
    own, really_end, began = os.getpid(), os._exit, [0.0]

    def end(code: int) -> NoReturn:
        if os.getpid() == own and threading.current_thread() is threading.main_thread():
            raise SystemExit(code)
        really_end(code)

    time_box = import_module("pitviper.base.time_box")
    deep_stack = import_module("pitviper.base.deep_stack")
    time_box._age = lambda: time.monotonic() - began[0]
    start = import_module("pitviper.cli.start")
    os._exit = end
    told = os.fdopen(HEARD)
    code = 97
    try:
        while words := json.loads(told.readline().strip() or "null"):
            began[0] = time.monotonic()
            _begin_output()
            sys.argv = ["pitviper", *words]
            try:
                start.command()
            except SystemExit as ended:
                code = ended.code if isinstance(ended.code, int) else 1
            sys.stdout.flush()
            if deep_stack.is_work_left_behind():
                really_end(code)
            os.write(SAID, b"%d" % code)
        code = 0
    except BaseException:  # what a process would end with
        os.write(2, traceback.format_exc().encode())
        code = 97
    finally:
        really_end(code)


class Forks:
    """Runs commands in forks of this process, which adopts whatever they leave behind."""

    def __init__(self, lab: Lab, *, limit: float, every: int, known: int) -> None:
        self.folder, self._every = lab.folder, every
        self._environment = {**lab.environment, "PITVIPER_CACHE": "off"}
        self.limit, self._runs, self._known = limit, 0, known
        self._runner: Runner | None = None
        adopt()
        self._load_all()

    def run(self, words: list[str]) -> Outcome:
        """What a command does; each one of so many is compared with a process of its own."""
        self._runs += 1
        done = self._in_a_row(words)
        if self._runs % self._every or done.code == UNDECIDED:
            return done
        told = self._told()
        shutil.copy(self.folder / "mutant.vpr", self.folder / "written.vpr")  # as it was
        code, seconds = self._alone(words)
        late = code == UNDECIDED or seconds >= self.limit
        if late or (done.code, told) == (code, self._told()):
            return done
        return done._replace(differs=f"{done.code} and {code}\n{told}\n{self._told()}")

    def _told(self) -> str:
        """The output of the last command without times."""
        return _SECONDS.sub("", (self.folder / "out").read_text(errors="replace"))

    def _alone(self, words: list[str]) -> tuple[int, float]:
        """The exit code and the seconds of a process that runs nothing but a command."""
        began = time.monotonic()
        with (self.folder / "out").open("wb") as out, (self.folder / "err").open("wb") as err:
            done = subprocess.run(
                [sys.executable, "-m", "pitviper", *words], cwd=self.folder, check=False,
                env=self._environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            )  # fmt: skip
        return done.returncode, time.monotonic() - began

    def _in_a_row(self, words: list[str]) -> Outcome:
        runner = self._runner or Runner(self.folder, self._environment)
        before = _waited_for()
        start, at_limit = time.monotonic(), None
        runner.tell(words)
        if not runner.wait(self.limit):
            at_limit = processor_time(runner.pid)
        hangs = at_limit is not None and not runner.wait(LONGEST - self.limit)
        seconds = time.monotonic() - start
        code = None if hangs else runner.code()
        leaves = rough.children(runner.pid)
        goes_on = code is not None and runner.commands < IN_A_ROW and not leaves
        used = processor_time(runner.pid)
        left: list[int] = []
        if hangs:
            os.kill(runner.pid, signal.SIGKILL)
        if not goes_on:
            last = runner.end()
            code = last if code is None and not hangs else code
            left = orphans({self._known})
            used = max(used, _waited_for() - before)
        self._runner = runner if goes_on else None
        said = (self.folder / "err").read_text(errors="replace")
        return Outcome(code, seconds, 0.0 if at_limit is None else used - at_limit, said, left)

    def end(self) -> list[int]:
        """Ends the fork that is there; the processes that it left."""
        if self._runner is not None:
            self._runner.end()
            self._runner = None
        return orphans({self._known})

    def _load_all(self) -> None:
        """Loads what commands load: each runs once in a fork, which tells its modules."""
        from pitviper.driver.work.process import load_solver

        import_module("pitviper.cli.start")
        load_solver()
        for name, text in (("mutant.vpr", SAMPLE), ("test.json", json.dumps(TEST))):
            (self.folder / name).write_text(text)
        for way in COMMANDS:
            (self.folder / "written.vpr").write_text(SAMPLE)
            for name in reversed(self._modules_of(_words(way, LONGEST))):
                import_module(name)
        gc.collect()
        gc.freeze()  # what is there stays where it is: a fork need not copy it to look at it

    def _modules_of(self, words: list[str]) -> list[str]:
        """The modules that a command has loaded, each after those that it has loaded itself."""
        told, to = os.pipe()
        pid = os.fork()
        if not pid:
            _stand_alone(self.folder, (to, to))
            os.environ.update(self._environment)
            sys.argv = ["pitviper", *words]
            end, own = os._exit, os.getpid()

            def tell_and_end(code: int) -> NoReturn:
                if os.getpid() == own:
                    names = [name for name in list(sys.modules) if name.startswith("pitviper.")]
                    os.write(SAID, " ".join(names).encode())
                end(code)

            os._exit = tell_and_end
            try:
                import_module("pitviper.cli.start").command()
            finally:
                os._exit(0)
        os.close(to)
        with open(told, "rb") as source:
            names = source.read().decode().split()
        os.waitpid(pid, 0)
        orphans({self._known})
        return names


def _waited_for() -> float:
    """Processor seconds of all processes that have ended below this one."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _words(way: str, limit: float) -> list[str]:
    words = shlex.split(way.format(limit))
    return words if words[-1].endswith(("json", "vpr")) else [*words, "mutant.vpr"]


def _readable(descriptors: list[int], seconds: float) -> bool:
    return bool(select.select(descriptors, [], [], max(0.0, seconds))[0])


class Servers:
    """Asks servers, in a process of its own: forks of this one must have no thread of a client."""

    def __init__(self, lab: Lab, limit: float) -> None:
        words = [sys.executable, str(Path(__file__).with_name("conversations.py")), str(limit)]
        environment = {**lab.environment, "PITVIPER_CACHE": "off"}
        self._process = subprocess.Popen(
            words, cwd=lab.folder, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        self.pid = self._process.pid

    def run(self, name: str, text: str) -> Outcome:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"name": name, "text": text}) + "\n")
        self._process.stdin.flush()
        return Outcome(**json.loads(self._process.stdout.readline()))

    def end(self) -> None:
        self._process.communicate()


SAMPLE = """field f: Int
method m(x: Ref, n: Int) requires acc(x.f) ensures x.f == n { x.f := n }
method wrong(x: Ref) requires acc(x.f) ensures x.f > 3 { x.f := 2 }
"""

TEST = {
    "pitviper-test": 1, "program": "mutant.vpr", "digest": "0520bdd85a0c61f5", "method": "m",
    "loops": "unroll", "calls": "inline", "exact-amounts": False, "limits": [2000, 60, 6],
    "expect": {"status": "failed", "finding": "assert.failed:assertion.false", "line": 3},
    "inputs": {"x": "object1", "n": "3", "object1.f": "0"},
    "values": {"x": 0, "n": 3, "object1.f": 0}, "tables": {},
}  # fmt: skip


def a_test(text: str, choose: random.Random) -> str:
    """A test of a method of a program, in half of the cases with mutated tokens, too."""
    found = re.search(r"\bmethod\s+(\w+)\s*\(([^)]*)", text)
    names = re.findall(r"(\w+)\s*:", found[2]) if found else []
    values = {name: choose.randint(-3, 3) for name in names}
    inputs = {name: str(value) for name, value in values.items()}
    chosen = {"method": found[1] if found else "m", "values": values, "inputs": inputs}
    made = json.dumps({**TEST, **chosen}, indent=1)
    return mutant([made], choose) if choose.random() < 0.5 else made


class Campaign:
    """Where a campaign is, and what was seen so far; kept in a file, if there is one."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self.done, self.seconds = 0, 0.0
        self.codes, self.seen = Counter[str](), Counter[str]()
        if file is not None and file.exists():
            kept = json.loads(file.read_text())
            self.done, self.seconds = kept["done"], kept["seconds"]
            self.codes.update(kept["codes"])
            self.seen.update(kept["seen"])

    def keep(self) -> None:
        if self._file is not None:
            beside = self._file.with_suffix(".new")
            beside.write_text(json.dumps(vars(self), default=str, indent=1))
            beside.rename(self._file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--mutants", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=len(WAYS), help="default: all ways for each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="end after so long")
    parser.add_argument("--fresh", type=int, default=50, metavar="K", help="compare each K-th run")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for a command")
    parser.add_argument("--largest", type=int, default=1 << 20, metavar="N", help="characters")
    parser.add_argument("--keep", type=Path, default=Path(), help="where mutants are kept")
    parser.add_argument("--state", type=Path, metavar="FILE", help="go on, and keep the figures")
    arguments = parser.parse_args()
    files = sorted([path for folder in arguments.folders for path in folder.rglob("*.vpr")])
    texts = [path.read_text(errors="replace") for path in files]
    texts = [text for text in texts if 0 < len(text) <= arguments.largest]
    campaign, began = Campaign(arguments.state), time.monotonic()
    before = campaign.seconds
    with laboratory(arguments.seed) as lab:
        servers = Servers(lab, arguments.limit)
        forks = Forks(lab, limit=arguments.limit, every=arguments.fresh, known=servers.pid)
        while campaign.done < arguments.mutants * arguments.rounds:
            if time.monotonic() - began > arguments.seconds:
                break
            turn, number = divmod(campaign.done, arguments.mutants)
            choose = random.Random(f"{arguments.seed} {number}")
            text, way = mutant(texts, choose), WAYS[(number + turn) % len(WAYS)]
            done = through(way, text, forks, servers, choose)
            campaign.codes[f"{way.split()[0]} {done.code}"] += 1
            for problem in problems(done, arguments.limit):
                campaign.seen[problem] += 1
                kept = arguments.keep / f"mutant-{arguments.seed}-{number}.vpr"
                kept.write_text(text)
                print(f"{problem}: {way}: exit {done.code}, {done.seconds:.1f} s,", end=" ")
                print(f"{done.worked_on:.1f} s of them worked after the limit: {kept}")
                print(
                    "".join(
                        f"    {line}\n" for line in (done.differs or done.said).splitlines()[-8:]
                    ),
                    end="",
                )
                sys.stdout.flush()
            campaign.done += 1
            campaign.seconds = before + time.monotonic() - began
            campaign.keep()
            if campaign.done % 500 == 0:
                print(f"... {campaign.done} runs after {campaign.seconds:.0f} s", flush=True)
        servers.end()
        forks.end()
    tell(campaign, arguments)


def through(way: str, text: str, forks: Forks, servers: Servers, choose: random.Random) -> Outcome:
    (forks.folder / "mutant.vpr").write_text(text)
    if way in SERVERS:
        return servers.run(way, text)
    (forks.folder / "written.vpr").write_text(text)
    (forks.folder / "test.json").write_text(a_test(text, choose))
    return forks.run(_words(way, forks.limit))


def tell(campaign: Campaign, arguments: argparse.Namespace) -> None:
    rounds, more = divmod(campaign.done, arguments.mutants)
    print(f"{campaign.done} runs: {arguments.mutants} mutants through {rounds} of", end=" ")
    print(f"{len(WAYS)} ways, {more} through one more, seed {arguments.seed}", end=", ")
    print(f"{campaign.seconds:.0f} s, load {os.getloadavg()[1]:.1f}")
    codes = sorted(campaign.codes.items())
    print(f"exit codes: {', '.join(f'{name}: {n}' for name, n in codes)}")
    for problem in ("crash", "hang", "orphan", "other", "late by the clock", "late by work"):
        print(f"{campaign.seen[problem]} {problem}")


def problems(done: Outcome, limit: float) -> Iterator[str]:
    if done.code is None:
        yield "hang"
    elif done.code not in (0, 1, 2, 4) or "Traceback" in done.said:
        yield "crash"
    if done.left:
        yield "orphan"
    if done.differs:
        yield "other"
    if done.seconds > limit + ALLOWED:
        yield "late by the clock"
    if done.worked_on > ALLOWED:
        yield "late by work"


if __name__ == "__main__":
    main()
