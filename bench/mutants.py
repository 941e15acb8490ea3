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

Commands run in forks of this process, which has loaded all that they load (each was run once
before, and told its modules), so that ten thousands can be run. Each fiftieth (`--fresh K`) runs
once more in a process of its own: exit code and output must be the same. `--largest N` takes
programs of at most N characters, `--limit S` gives commands S seconds. Servers are asked by one
client after the other, and a new one is started for each hundred.

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
import time
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, NoReturn

from conversations import KINDS as SERVERS
from conversations import adopt, orphans, processor_time
from faults import Lab, laboratory

LIMIT = 3.0
"""Seconds that a command is given, unless another limit is."""

ALLOWED = 1.0
"""Seconds that it may take beyond that."""

LONGEST = 120.0
"""Seconds after which a run is ended: it hangs."""

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


class Forks:
    """Runs commands in forks of this process, which adopts whatever they leave behind."""

    def __init__(self, lab: Lab, *, limit: float, every: int, known: int) -> None:
        self.folder, self._every = lab.folder, every
        self._environment = {**lab.environment, "PITVIPER_CACHE": "off"}
        self.limit, self._runs, self._known = limit, 0, known
        adopt()
        self._load_all()

    def run(self, words: list[str]) -> Outcome:
        """What a command does; each one of so many is compared with a process of its own."""
        self._runs += 1
        done = self._run(words, fresh=False)
        if self._runs % self._every or done.code == UNDECIDED:
            return done
        told = self._told()
        shutil.copy(self.folder / "mutant.vpr", self.folder / "written.vpr")  # as it was
        anew = self._run(words, fresh=True)
        late = anew.code == UNDECIDED or anew.seconds >= self.limit
        if late or (done.code, told) == (anew.code, self._told()):
            return done
        return done._replace(differs=f"{done.code} and {anew.code}\n{told}\n{self._told()}")

    def _told(self) -> str:
        """The output of the last command without times."""
        return _SECONDS.sub("", (self.folder / "out").read_text(errors="replace"))

    def _run(self, words: list[str], *, fresh: bool) -> Outcome:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        pid = os.fork()
        if not pid:
            self._become(words, fresh=fresh)
        watched = os.pidfd_open(pid)
        try:
            at_limit, code = self._watch(pid, watched, start)
        finally:
            os.close(watched)
        seconds = time.monotonic() - start
        left = orphans({self._known})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        said = (self.folder / "err").read_text(errors="replace")
        return Outcome(code, seconds, 0.0 if at_limit is None else used - at_limit, said, left)

    def _watch(self, pid: int, watched: int, start: float) -> tuple[float | None, int | None]:
        """The processor time that was used when the limit was over, and the exit code."""
        at_limit, ended = None, _readable(watched, self.limit)
        if not ended:
            at_limit = processor_time(pid)
            ended = _readable(watched, LONGEST - (time.monotonic() - start))
        if not ended:
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        return at_limit, os.waitstatus_to_exitcode(status) if ended else None

    def _become(self, words: list[str], *, fresh: bool) -> NoReturn:
        """This process is a command from now on."""
        try:
            os.chdir(self.folder)
            nothing = os.open(os.devnull, os.O_RDONLY)
            os.dup2(nothing, 0)
            for number, name in ((1, "out"), (2, "err")):
                opened = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
                os.dup2(opened, number)
            os.closerange(3, 64)
            if fresh:
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
            far = 900  # beyond what a command closes
            os.dup2(to, far)
            os.close(told)
            end = os._exit

            def tell_and_end(code: int) -> NoReturn:
                if os.getpid() == own:
                    names = [name for name in list(sys.modules) if name.startswith("pitviper.")]
                    os.write(far, " ".join(names).encode())
                end(code)

            own = os.getpid()
            os._exit = tell_and_end
            self._become(words, fresh=False)
        os.close(to)
        with open(told, "rb") as source:
            names = source.read().decode().split()
        os.waitpid(pid, 0)
        orphans({self._known})
        return names


def _words(way: str, limit: float) -> list[str]:
    words = shlex.split(way.format(limit))
    return words if words[-1].endswith(("json", "vpr")) else [*words, "mutant.vpr"]


def _readable(descriptor: int, seconds: float) -> bool:
    return bool(select.select([descriptor], [], [], max(0.0, seconds))[0])


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
