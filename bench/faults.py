"""Faults at random: signals, killed workers, damaged caches, full disks, closed files.

    python bench/faults.py --trials 1000 --seed 7 --state FILE   the same command goes on
    python bench/faults.py --trials 300 --seed 7 --servers 1     servers alone

A trial runs a sub-command on a program whose answer is known, and one fault happens to it. After
each trial no process of it may be left, its output must hold no traceback, it must end in time, and
its exit code must be the one without fault, or one that claims nothing. A part of the trials is
about servers (lsp, dap, mcp, serve, server): nonsense, half messages, signals, killed processes, a
client that goes; one that listens must still answer after that.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

RIGHT = """field next: Ref  field value: Int
predicate list(x: Ref) { acc(x.next) && acc(x.value) && (x.next != null ==> list(x.next)) }
function sum(x: Ref): Int requires list(x)
{ unfolding list(x) in x.value + (x.next == null ? 0 : sum(x.next)) }
method increase(x: Ref) requires list(x) ensures list(x) && sum(x) == old(sum(x)) + 1
{ unfold list(x); x.value := x.value + 1; fold list(x) }
method bounded(n: Int) returns (r: Int) requires 0 <= n && n <= 3 ensures r == 2 * n
{ r := 0; var i: Int := 0
  while (i < n) invariant 0 <= i && i <= n && r == 2 * i { r := r + 2; i := i + 1 } }
"""
WRONG = RIGHT.replace("r == 2 * n\n", "r == 2 * n + 1\n")
COMMANDS = (
    "check", "format --check", "verify --jobs 1", "verify --jobs 2", "verify --backend vcg",
    "verify --format json", "verify --counterexample", "explore --runs 40", "counterexample",
    "explore --workers 2 --runs 40", "wizard --runs 40", "debug", "suite --jobs 2",
    "format", "report --html page.html", "wizard --mark --runs 40",
    "explore --runs 40 --save-tests kept",
)  # fmt: skip
ALONE = (
    "replay {}.json", "explain assert.failed:assertion.false", "doctor", "completion bash",
    "cache info", "tour 2", "fuzz --minutes 0.01 --seed 1",
)  # fmt: skip
"""Sub-commands that take no program, or none but that of a test; servers are tried apart."""

LONGEST = 600.0
"""Seconds after which a trial counts as a hang: on a busy machine a minute is too short."""

PATIENCE = 30.0
"""Seconds that processes may take to end after their command."""

UNDECIDED, USAGE, BROKEN_PIPE = 4, 2, 141

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests.unit.servers import rough  # noqa: E402


def _test(program: str) -> str:
    kept = {
        "pitviper-test": 1, "program": program, "digest": "", "method": "bounded",
        "loops": "unroll", "calls": "inline", "exact-amounts": False, "limits": [20000, 60, 6],
        "expect": {"status": "passed", "finding": "", "line": 0},
        "inputs": {"n": "3"}, "values": {"n": 3}, "tables": {},
    }  # fmt: skip
    return json.dumps(kept)


def _essence(text: str) -> str:
    """A program without layout and marks."""
    return re.sub(r'\s+|@verified_under\("true"\)', "", text)


class Trial(NamedTuple):
    """A process with a fault: the codes that claim nothing, and what was said on standard error."""

    code: int | None
    harmless: frozenset[int]
    said: str


class Lab:
    """A folder with programs and caches; everything that is started here carries a mark."""

    def __init__(self, folder: Path, choose: random.Random) -> None:
        self.folder = folder
        self.choose = choose
        self.mark = f"PITVIPER_FAULTS={os.getpid()}"
        root = str(Path(__file__).resolve().parent.parent)
        usual = {name: os.environ[name] for name in os.environ if name != "PYTHONUNBUFFERED"}
        self.environment = {
            **usual, "PITVIPER_FAULTS": str(os.getpid()), "PITVIPER_DAEMON": "off",
            "PITVIPER_CACHE": str(folder / "cache"), "PYTHONPATH": root,
        }  # fmt: skip
        self.lay_out()

    def lay_out(self) -> None:
        """The programs as they were before somebody has laid out or marked them, and tests."""
        for name, text in (("right", RIGHT), ("wrong", WRONG)):
            (self.folder / f"{name}.vpr").write_text(text)
            (self.folder / f"{name}.json").write_text(_test(f"{name}.vpr"))

    def damaged(self) -> list[str]:
        """Programs that are neither what they were nor what a command makes of them."""
        found = []
        for name, text in (("right", RIGHT), ("wrong", WRONG)):
            now = (self.folder / f"{name}.vpr").read_text(errors="replace")
            if _essence(now) != _essence(text):
                found.append(f"{name}.vpr")
        return found

    def start(
        self, words: list[str], shell: str = "", before: Sequence[str] = ()
    ) -> subprocess.Popen[bytes]:
        command = [*(before or (sys.executable, "-m", "pitviper")), *words]
        if shell:
            command = ["sh", "-c", f'exec "$@" {shell}', "sh", *command]
        return subprocess.Popen(
            command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=(self.folder / "out").open("wb"), stderr=(self.folder / "err").open("wb"),
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )  # fmt: skip

    def end(self, process: subprocess.Popen[bytes], harmless: frozenset[int]) -> Trial:
        try:
            code: int | None = process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            code = None
        return Trial(code, harmless, (self.folder / "err").read_text(errors="replace"))

    def left(self) -> list[int]:
        """Processes of a trial that is over, after some patience; they are ended."""
        deadline = time.monotonic() + PATIENCE
        found = self._marked()
        while found and time.monotonic() < deadline:
            time.sleep(0.05)
            found = self._marked()
        for pid in found:
            os.kill(pid, signal.SIGKILL)
        return found

    def _marked(self) -> list[int]:
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                environment = Path(f"/proc/{name}/environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if self.mark.encode() in environment:
                found.append(int(name))
        return found


def signalled(number: signal.Signals) -> Callable[[Lab, list[str], float], Trial]:
    def fault(lab: Lab, words: list[str], usual: float) -> Trial:
        process = lab.start(words)
        time.sleep(lab.choose.uniform(0.0, 1.2 * usual))
        process.send_signal(number)
        return lab.end(process, frozenset([-number, 128 + number]))

    return fault


def killed_worker(lab: Lab, words: list[str], usual: float) -> Trial:
    process = lab.start(words)
    deadline = time.monotonic() + 1.2 * usual
    after = time.monotonic() + lab.choose.uniform(0.0, usual)
    while process.poll() is None and time.monotonic() < deadline:
        workers = rough.children(process.pid)
        if workers and time.monotonic() > after:
            os.kill(lab.choose.choice(workers), signal.SIGKILL)
            break
        time.sleep(0.005)
    return lab.end(process, frozenset([UNDECIDED]))


def damaged_cache(lab: Lab, words: list[str], usual: float) -> Trial:
    entries = [path for path in (lab.folder / "cache").rglob("*") if path.is_file()]
    for path in entries:
        data = path.read_bytes()
        match lab.choose.randrange(4):
            case 0:
                path.write_bytes(data[: lab.choose.randrange(len(data) + 1)])
            case 1:
                at = lab.choose.randrange(len(data) or 1)
                path.write_bytes(data[:at] + bytes([lab.choose.randrange(256)]) + data[at + 1 :])
            case 2:
                path.write_bytes(lab.choose.choice(entries).read_bytes())
            case _:
                path.write_bytes(b"[" * 10_000)
    return lab.end(lab.start(words), frozenset())


def redirected(*ways: str) -> Callable[[Lab, list[str], float], Trial]:
    def fault(lab: Lab, words: list[str], usual: float) -> Trial:
        way = lab.choose.choice(ways)
        harmless = frozenset([USAGE]) if "full" in way else frozenset[int]()
        return lab.end(lab.start(words, way), harmless)

    return fault


def limited(lab: Lab, words: list[str], usual: float) -> Trial:
    """No file may become longer than so many kilobytes: as on a disk that is full."""
    size = lab.choose.choice([0, 1, 2, 8])
    command = ["sh", "-c", f'ulimit -f {size}; exec "$@"', "sh", sys.executable, "-m", "pitviper"]
    return lab.end(lab.start(words, before=command), frozenset([USAGE]))


FAULTS = {
    "interrupt": signalled(signal.SIGINT),
    "termination": signalled(signal.SIGTERM),
    "kill": signalled(signal.SIGKILL),
    "killed worker": killed_worker,
    "damaged cache": damaged_cache,
    "full disk": redirected(">/dev/full", "2>/dev/full", ">/dev/full 2>/dev/full"),
    "full folder": limited,
    "closed files": redirected("<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"),
}


def server_trial(lab: Lab, name: str, fault: str) -> Trial:
    """A server with a client that treats it badly; AssertionError where it does not answer."""

    def start(words: list[str], **more: Any) -> subprocess.Popen[bytes]:
        # A background job of a shell has SIGINT ignored, and so would all that it starts.
        how = lambda: signal.signal(signal.SIGINT, signal.default_int_handler)  # noqa: E731
        return subprocess.Popen(words, env=lab.environment, preexec_fn=how, **more)

    with rough.running(name, lab.folder, start) as server:
        connections = [server.talk(*server.kind.greeting)] if name == LEAVES else []
        for editor in filter(None, connections):
            assert editor.recv(1), "no answer"
        if lab.choose.random() < 0.8:
            server.greet()
        if lab.choose.random() < 0.7:
            connections.append(server.talk(*server.kind.work))
        time.sleep(lab.choose.uniform(0.0, 1.0))
        ending = lab.choose.choice([signal.SIGINT, signal.SIGTERM])
        match fault:
            case "nonsense":
                some = lab.choose.sample(list(rough.BAD.values()), 3)
                halves = [bad[: lab.choose.randrange(len(bad))] for bad in some]
                connections += [server.talk(half, seconds=2.0) for half in halves]
            case "killed worker":
                for pid in rough.descendants(server.process.pid)[:1]:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
            case _:
                pass
        if server.port and fault != "signal":
            server.greet()
        for connection in connections:
            if connection is not None:
                connection.close()
        gone = fault == "client goes" and not server.port
        code = server.leave() if gone else server.end(ending)
        early = "KeyboardInterrupt" in server.said and "pitviper/" not in server.said
        said = "" if early else server.said
    harmless = [0, -ending, 128 + ending, *([BROKEN_PIPE] if gone else []), *([1] if early else [])]
    return Trial(code, frozenset(harmless), said)


PROBLEMS = ("wrong verdict", "wrong exit code", "orphan", "hang", "traceback", "damaged file")
LEAVES = "lsp --port"
"""A server that ends when its last client goes: one stays while others come and go."""
SERVER_FAULTS = ("signal", "nonsense", "killed worker", "client goes")


def server_problems(lab: Lab, name: str, fault: str) -> tuple[Trial, list[str]]:
    try:
        trial = server_trial(lab, name, fault)
    except (AssertionError, subprocess.TimeoutExpired, OSError) as error:
        said = f"{type(error).__name__}: {error}"
        lab.left()
        return Trial(None, frozenset(), said), ["hang"]
    return trial, list(judge(trial, 0, lab.left()))


def judge(trial: Trial, expected: int, left: list[int]) -> Iterator[str]:
    """What went wrong; nothing for most trials.

    Python shows a trace and exits with 1 where Ctrl-C comes before it has begun with our code.
    """
    early = "KeyboardInterrupt" in trial.said and "pitviper/cli" not in trial.said
    if early and "Traceback" in trial.said:
        yield "interrupt before our first line"
        return
    if trial.code is None:
        yield "hang"
    elif trial.code != expected and trial.code not in trial.harmless:
        yield "wrong verdict" if trial.code in (0, 1) else "wrong exit code"
    if left:
        yield "orphan"
    if "Traceback" in trial.said or "internal error" in trial.said:
        yield "traceback"


@contextmanager
def laboratory(seed: int) -> Iterator[Lab]:
    folder = Path(tempfile.mkdtemp(prefix="pitviper-faults-"))
    try:
        yield Lab(folder, random.Random(seed))
    finally:
        shutil.rmtree(folder)


def command_trial(
    lab: Lab, known: dict[tuple[str, str], tuple[int, float]]
) -> tuple[str, str, Trial, int]:
    """Returns a command, a fault, what became of it, and the exit code without the fault."""
    command = lab.choose.choice(COMMANDS + ALONE)
    file = lab.choose.choice(["right", "wrong"])
    words = command.format(file).split()
    words += [] if command in ALONE else [f"{file}.vpr"]
    lab.lay_out()
    if (command, file) not in known:
        start = time.monotonic()
        usual = lab.end(lab.start(words), frozenset())
        known[command, file] = usual.code or 0, time.monotonic() - start
        lab.lay_out()
    expected, seconds = known[command, file]
    fault = lab.choose.choice(list(FAULTS))
    return f"{command} {file}", fault, FAULTS[fault](lab, words, seconds), expected


class Campaign:
    """How many trials are done, and what was seen; kept in a file, if there is one."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self.seconds, self.done, self.wrong = 0.0, Counter[str](), Counter[str]()
        if file is not None and file.exists():
            kept = json.loads(file.read_text())
            self.seconds = kept["seconds"]
            self.done.update(kept["done"])
            self.wrong.update(kept["wrong"])

    def keep(self) -> None:
        if self._file is not None:
            beside = self._file.with_suffix(".new")
            beside.write_text(json.dumps(vars(self), default=str, indent=1))
            beside.rename(self._file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--servers", type=float, default=0.2, help="part of the trials")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="end after so long")
    parser.add_argument("--state", type=Path, metavar="FILE", help="go on, and keep the figures")
    arguments = parser.parse_args()
    began, campaign = time.monotonic(), Campaign(arguments.state)
    before, done = campaign.seconds, campaign.done
    with laboratory(arguments.seed) as lab, suppress(KeyboardInterrupt):
        known: dict[tuple[str, str], tuple[int, float]] = {}
        while done.total() < arguments.trials and time.monotonic() - began < arguments.seconds:
            lab.choose = random.Random(f"{arguments.seed} {done.total()}")
            if lab.choose.random() < arguments.servers:
                name, fault = lab.choose.choice(list(rough.KINDS)), lab.choose.choice(SERVER_FAULTS)
                trial, problems = server_problems(lab, name, fault)
                what, expected, kind = name, 0, f"server: {fault}"
            else:
                what, fault, trial, expected = command_trial(lab, known)
                problems, kind = list(judge(trial, expected, lab.left())), fault
                problems += ["damaged file" for _ in lab.damaged()]
            for problem in problems:
                campaign.wrong[problem] += 1
                print(f"{problem}: trial {done.total()}: {kind}: {what}:", end=" ")
                print(f"{trial.code}, not {expected}")
                print("".join(f"    {line}\n" for line in trial.said.splitlines()[-12:]), end="")
                sys.stdout.flush()
            done[kind] += 1
            campaign.seconds = before + time.monotonic() - began
            campaign.keep()
            if done.total() % 50 == 0:
                print(f"... {done.total()} after {campaign.seconds:.0f} s", flush=True)
    print(f"{done.total()} trials, seed {arguments.seed}, {campaign.seconds:.0f} s")
    print(", ".join(f"{count} {name}" for name, count in sorted(done.items())))
    for problem in PROBLEMS:
        print(f"{campaign.wrong.pop(problem, 0)} {problem}")
    for problem, count in campaign.wrong.items():
        print(f"{count} {problem}")


if __name__ == "__main__":
    main()
