"""`pitviper tour`: what the tool is for, in six steps that are really run."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pitviper.base.file import write_file
from pitviper.base.record import record
from pitviper.base.scratch import scratch_folder
from pitviper.base.usage_error import UsageError
from pitviper.cli.main import main
from pitviper.cli.output import stdout
from pitviper.results.exit_code import ExitCode

ACCOUNT = """\
field balance: Int

method deposit(account: Ref, amount: Int)
  requires acc(account.balance)
  ensures  acc(account.balance)
  ensures  account.balance == old(account.balance) + amount
{
  account.balance := account.balance + amount
}

method withdraw(account: Ref, amount: Int)
  requires acc(account.balance) && amount <= account.balance
  ensures  acc(account.balance)
  ensures  account.balance == old(account.balance) - amount
{
  account.balance := account.balance - amount
}
"""

TRANSFER = """\
import "account.vpr"

method transfer(source: Ref, target: Ref, amount: Int)
  requires acc(source.balance) && acc(target.balance)
  ensures  acc(source.balance) && acc(target.balance)
  ensures  source.balance + target.balance == old(source.balance + target.balance)
{
  withdraw(source, amount)
  deposit(target, amount)
}
"""

FIXED = TRANSFER.replace(
    "  requires acc(source.balance) && acc(target.balance)\n",
    "  requires acc(source.balance) && acc(target.balance)\n  requires amount <= source.balance\n",
)

PROGRAMS = {"account.vpr": ACCOUNT, "transfer.vpr": TRANSFER, "fixed.vpr": FIXED}


@record
class Step:
    """`before` is told, then the program is shown if there is one, the command run, `after` told.

    `script` is what is typed into the command.
    """

    title: str
    before: str
    command: tuple[str, ...]
    after: str
    program: str | None = None
    script: str | None = None


STEPS = (
    Step(
        "A proof",
        "In Viper, a method may touch a field only with permission to it:\n"
        "`acc(account.balance)`. Its contract says what it needs (`requires`) and what it\n"
        "promises (`ensures`). `verify` proves that every execution keeps the promises,\n"
        "whatever the inputs are.",
        ("verify", "account.vpr"),
        "Nothing was run or tested: both methods are proved for all accounts and amounts.",
        "account.vpr",
    ),
    Step(
        "A failed proof",
        "Now a method that calls the two. Something is wrong with it.",
        ("verify", "transfer.vpr"),
        "The message names the condition that fails, where it comes from, and what to do.\n"
        "What stands in brackets can be looked up: `pitviper explain call.precondition`.",
        "transfer.vpr",
    ),
    Step(
        "A counterexample",
        "In which state does it fail? `counterexample` finds a small one, and checks it\n"
        "by running the method from there. `--svg FILE` would draw it.",
        ("counterexample", "transfer.vpr"),
        "One more than there is: the balance of the source is 0, the amount 1.",
    ),
    Step(
        "Inside the proof",
        "`debug` opens a session at the failed check: what is known there, what is\n"
        "missing, and what would help. Here three commands are typed for you.",
        ("debug", "--commands", "-", "transfer.vpr"),
        "With that assumption the check is proved: it is what the method has to ask for.",
        script="show goal\nsuggest\nassume amount <= source.balance\n",
    ),
    Step(
        "Inputs that fail",
        "`explore` needs no contracts of yours to be complete: it runs methods on inputs\n"
        "that a solver chooses, path by path, and shows those that fail.",
        ("explore", "--method", "transfer", "transfer.vpr"),
        "`--save-tests DIR` keeps such inputs as tests, `--html FILE` writes a report.",
    ),
    Step(
        "The cure",
        "The method asks its caller for what `withdraw` needs: its second\n`requires` is new.",
        ("verify", "fixed.vpr"),
        "Where to go on: `pitviper tour --write tour` writes these programs into a folder\n"
        "to play with; the tutorial begins with `acc(x.f)` and ends with magic wands\n"
        "(docs/tutorial).",
        "fixed.vpr",
    ),
)


def run(arguments: argparse.Namespace) -> ExitCode:
    if arguments.write is not None:
        return _write(arguments.write)
    chosen = _chosen(arguments.step)
    waits = not arguments.no_wait and stdout.is_read_from_terminal() and sys.stdout.isatty()
    with _programs():
        for place, number in enumerate(chosen):
            _show(number, STEPS[number - 1])
            if waits and place < len(chosen) - 1:
                stdout.flush()
                try:
                    input("\n-- Enter for the next step, Ctrl-D to end --")
                except EOFError:
                    stdout.write("\n")
                    break
    return ExitCode.FINE


def _chosen(step: int | None) -> list[int]:
    if step is None:
        return list(range(1, len(STEPS) + 1))
    if not 1 <= step <= len(STEPS):
        raise UsageError(f"there is no step {step}: the tour has steps 1 to {len(STEPS)}")
    return [step]


def _write(folder: Path) -> ExitCode:
    """Files that are there are somebody's work: they stay."""
    there = [name for name in PROGRAMS if (folder / name).exists()]
    if there:
        raise UsageError(f"{folder / there[0]} is there already: name another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror}") from error
    for name, text in PROGRAMS.items():
        write_file(folder / name, text)
        stdout.write_line(f"wrote {folder / name}")
    return ExitCode.FINE


@contextmanager
def _programs() -> Iterator[None]:
    """In a folder with the programs, which is gone afterwards."""
    before = os.getcwd()
    with scratch_folder("tour") as folder:
        for name, text in PROGRAMS.items():
            write_file(folder / name, text)
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def _show(number: int, step: Step) -> None:
    title = f"{number}. {step.title}"
    stdout.write(f"\n{title}\n{'=' * len(title)}\n\n{step.before}\n\n")
    if step.program is not None:
        lines = PROGRAMS[step.program].splitlines()
        stdout.write("".join([f"    {line}".rstrip() + "\n" for line in lines]) + "\n")
    stdout.write_line(f"$ pitviper {' '.join(step.command)}")
    stdout.flush()
    _run(step)
    stdout.write(f"\n{step.after}\n")


def _run(step: Step) -> None:
    """As if it had been typed; the answer is shown, whatever the exit code says."""
    words = list(step.command)
    if step.script is not None:
        script = Path("commands.txt")
        write_file(script, step.script)
        words[words.index("-")] = str(script)
    if step.command[0] == "verify":
        words[1:1] = ["--cache", "off", "--jobs", "1"]
    main(words)
