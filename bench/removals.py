"""Takes one protection after the other out of a copy of the package, and runs the tests of each.

    python bench/removals.py [--only WORDS] [--table FILE.md]

A protection is worth what its test says when it is gone: each of these must then fail. A line says
what was removed and what the first failing test said; the exit code is 1 if a removal went
unnoticed, or if the place of a protection was not found.
"""

from __future__ import annotations

import argparse
import compileall
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 400.0
"""Seconds after which tests without their protection are ended: they hang, which is a failure."""
PATIENCE = "100"
"""Seconds for which tests of servers wait for what never comes here; otherwise it is 300."""


class Removal(NamedTuple):
    """`old` in `file` becomes `new`; `tests` then fail. `item` is what the protection is for."""

    item: str
    protection: str
    file: str
    old: str
    new: str
    tests: str


CLI = "tests/unit/cli"
ROUGH = "tests/unit/servers/test_rough.py"
REMOVALS = (
    Removal(
        "1 input: read once", "`Inputs.read` keeps what it read", "source/reading.py",
        "found = self._read.get(path)", "found = None",
        f"{CLI}/test_inputs.py::test_inputs_keep_what_they_read",
    ),
    Removal(
        "1 input: nothing to verify is said", "`reports`", "cli/output/files.py",
        "if report.verdict is Verdict.VERIFIED and not report.members:", "if False:",
        f"{CLI}/test_inputs.py::test_nothing_to_verify_is_said",
    ),
    Removal(
        "1 input: a daemon cannot see our pipes", "`is_ours_alone`", "servers/daemon/place.py",
        "def is_ours_alone(word: str) -> bool:",
        "def is_ours_alone(word: str) -> bool:\n    return False",
        f"{CLI}/test_inputs.py::test_what_a_daemon_cannot_see_is_verified_here",
    ),
    Removal(
        "2 machine: closed standard files", "`_open_standard_files`", "cli/start.py",
        "    _open_standard_files()\n", "",
        f"{CLI}/test_odd_machines.py -k closed",
    ),
    Removal(
        "2 machine: standard error is full", "`tell`", "cli/start.py",
        "    except (OSError, ValueError):\n        return\n", "    finally:\n        pass\n",
        f"{CLI}/test_odd_machines.py -k word_that_nobody_hears",
    ),
    Removal(
        "2 machine: what standard error did not take", "`_tell_errors_at_once`", "cli/start.py",
        "    _tell_errors_at_once()\n", "",
        f"{CLI}/test_odd_machines.py -k word_that_nobody_hears",
    ),
    Removal(
        "2 machine: standard output is full", "`_answer_to`", "cli/main.py",
        "case OSError(errno=number) if number in NO_ROOM:",
        "case OSError(errno=number) if number in ():",
        f"{CLI}/test_odd_machines.py::test_a_full_disk_is_no_bug_of_ours",
    ),
    Removal(
        "2 machine: a help that cannot be written", "`_Parser.exit`", "cli/main.py",
        "        sys.stdout.flush()\n        super().exit(status, message)\n",
        "        super().exit(status, message)\n",
        f"{CLI}/test_odd_machines.py -k help_that_cannot",
    ),
    Removal(
        "2 machine: no room for temporary files", "`room_for_files`", "base/scratch.py",
        "    except OSError as error:\n        reason",
        "    except ZeroDivisionError as error:\n        reason",
        f"{CLI}/test_odd_machines.py -k temporary_files",
    ),
    Removal(
        "2 machine: a report in 512 MB", "`report_html`", "servers/web/report.py",
        "run_deep(lambda: _made(path, text, explored=explored))",
        "_made(path, text, explored=explored)",
        f"{CLI}/test_odd_machines.py -k '512 and report'",
    ),
    Removal(
        "2 machine: no stack is granted", "`_start_with`", "base/deep_stack.py",
        "            raise MemoryError(", "            raise RuntimeError(",
        "tests/unit/base/test_deep_stack.py -k grants_no_stack",
    ),
    Removal(
        "2 machine: no current folder", "`absolute`", "base/place.py",
        "return os.path.normpath(path)", "raise",
        f"{CLI}/test_odd_machines.py -k folder_that_is_gone",
    ),
    Removal(
        "2 machine: no descriptors", "`_granted`", "driver/work/process.py",
        'raise UsageError(f"cannot start a process: {error.strerror}") from error', "raise",
        f"{CLI}/test_odd_machines.py -k 'descriptors and wizard'",
    ),
    Removal(
        "2 machine: no home", "`own_folder`", "driver/cache/folder.py",
        'return Path(home) / usual / "pitviper" if os.path.isabs(home) else None',
        'return Path(home) / usual / "pitviper"',
        f"{CLI}/test_odd_machines.py::test_a_user_without_home_has_no_cache",
    ),
    Removal(
        "2 machine: names that are no text, files", "`write_file`", "base/file.py",
        'content.encode("utf-8", "backslashreplace")', 'content.encode("utf-8")',
        f"{CLI}/test_odd_machines.py::test_files_about_names_that_are_no_text",
    ),
    Removal(
        "2 machine: names that are no text, SARIF", "`_uri`", "views/sarif.py",
        "quote(os.fsencode(shown))", "quote(shown)",
        f"{CLI}/test_odd_machines.py::test_names_that_are_no_text",
    ),
    Removal(
        "2 machine: names that are no text, screen", "`_prepare_streams`", "cli/main.py",
        'stream.reconfigure(errors="backslashreplace")', "pass",
        f"{CLI}/test_main.py::test_characters_that_the_terminal_cannot_show",
    ),
    Removal(
        "2 machine: names that are no text, crash report", "`_kept`", "cli/crash.py",
        'errors="backslashreplace",', 'errors="strict",',
        f"{CLI}/test_odd_machines.py::test_a_crash_report_about_names_that_are_no_text",
    ),
    Removal(
        "2 machine: very long import names", "`read_import`", "source/reading.py",
        "    except (OSError, ValueError) as error:\n        return _reason(error)",
        "    except FileNotFoundError as error:\n        return _reason(error)",
        f"{CLI}/test_odd_machines.py::test_a_very_long_import_is_the_mistake_of_its_author",
    ),
    Removal(
        "2 machine: 512 MB of address space", "`_fitting`", "base/deep_stack.py",
        "if size <= room // 4", "if True",
        "tests/unit/base/test_deep_stack.py -k address_space",
    ),
    Removal(
        "3 cache: the key is in the digest", "`_digest`", "driver/cache/folder.py",
        'blake2b(key.encode() + b"\\n" + body, digest_size=16)', "blake2b(body, digest_size=16)",
        "tests/unit/driver/cache/test_folder.py::test_an_entry_under_another_key_is_absence",
    ),
    Removal(
        "3 cache: damage", "`CacheFolder.read`", "driver/cache/folder.py",
        "if digest != _digest(key, body):", "if False:",
        "tests/unit/driver/cache/test_folder.py::test_damage_is_absence",
    ),
    Removal(
        "3 cache: others can write", "`_is_private`", "driver/cache/folder.py",
        "return found.st_uid == os.getuid() and not found.st_mode & 0o022",
        "return found.st_uid == os.getuid()",
        "tests/unit/driver/cache/test_folder.py -k others_can_write",
    ),
    Removal(
        "3 cache: other owners", "`_is_private`", "driver/cache/folder.py",
        "return found.st_uid == os.getuid() and not", "return not",
        "tests/unit/driver/cache/test_folder.py::test_what_belongs_to_another_user_is_absence",
    ),
    Removal(
        "3 cache: links and pipes", "`_own_bytes`", "driver/cache/folder.py",
        "os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK", "os.O_RDONLY | os.O_NONBLOCK",
        "tests/unit/driver/cache/test_folder.py::test_a_link_or_a_pipe_is_absence",
    ),
    Removal(
        "3 cache: deep JSON", "`read_json`", "base/json_text.py",
        "if depth > DEEPEST:", "if False:",
        "tests/unit/driver/cache/test_serialise.py tests/unit/driver/explore/test_tests.py",
    ),
    Removal(
        "3 cache: cleared while others write", "`CacheFolder.write`", "driver/cache/folder.py",
        "            except FileNotFoundError:  # somebody has cleared the cache in this moment\n"
        "                self._write(self._path(key), data)\n",
        "            finally:\n                pass\n",
        "tests/unit/driver/cache/test_folder.py -k cleared_in_the_middle",
    ),
    Removal(
        "3 cache: full disk", "`CacheFolder.write`", "driver/cache/folder.py",
        '        except OSError as error:\n            self._complain("write to", error)\n',
        "        finally:\n            pass\n",
        "tests/unit/driver/cache/test_folder.py::test_a_full_disk_is_told_once_and_leaves_nothing",
    ),
    Removal(
        "4 time: a solver that does not heed an interrupt", "`_Box`", "base/time_box.py",
        "        self._timer.start()\n", "",
        f"{CLI}/test_time.py -k 'input_that_nobody_writes and verify'",
    ),
    Removal(
        "4 time: begins with the process", "`_age`", "base/time_box.py",
        "left = max(0.0, seconds - _age())", "left = seconds",
        f"{CLI}/test_time.py::test_the_time_of_a_command_has_begun_with_its_process",
    ),
    Removal(
        "4 time: what was found is flushed", "`_flush`", "base/time_box.py",
        "    flushing.start()\n    flushing.join(FLUSHING)\n", "",
        f"{CLI}/test_time.py::test_what_was_found_before_is_told",
    ),
    Removal(
        "4 time: searches share the time of a method", "`time_left`", "driver/explore/explore.py",
        "max(0.0, seconds - done.seconds)", "seconds",
        "tests/unit/driver/explore/test_time_of_methods.py",
    ),
    Removal(
        "4 time: a run of explore that never ends", "`Host._end_late`", "driver/explore/host.py",
        "if self._until is not None and time.monotonic() > self._until + GRACE:", "if False:",
        "tests/unit/driver/explore/test_worker_deaths.py -k prolong",
    ),
    Removal(
        "4 time: over is no success", "`run`", "cli/commands/debug.py",
        "if session.crashed or session.late:", "if session.crashed:",
        f"{CLI}/test_mistakes.py::test_time_that_is_over_is_no_success",
    ),
    Removal(
        "4 memory: of the solver", "`_limit`", "solver/z3/library.py",
        "        loaded.global_param_set(name, str(size).encode())\n", "        pass\n",
        "tests/unit/solver/z3/test_memory.py",
    ),
    Removal(
        "4 memory: a solver that had none", "`_search`", "solver/z3/engine.py",
        " and not self.z3.starved", "",
        "tests/unit/solver/z3/test_memory.py -k had_no_memory",
    ),
    Removal(
        "4 memory: of a worker is its own", "`ChildProcess.memory`", "driver/work/process.py",
        "_memory_of(self.pid) - self._inherited", "_memory_of(self.pid)",
        "tests/unit/driver/work/test_pool.py -k inherits",
    ),
    Removal(
        "4 time: a late word is no work", "`Worker._may_go_on`", "driver/explore/worker.py",
        "self._work is RESTING\n            or not self._left", "not self._left",
        "tests/unit/driver/explore/test_workers.py -k too_late",
    ),
    Removal(
        "4 time: no search keeps others back", "`_Part.is_paused`", "driver/explore/worker.py",
        "slice_ is not None and used >= slice_ and bool(len(self))", "False and bool(used)",
        "tests/unit/driver/explore/test_early_failures.py -k keeps_no_failure",
    ),
    Removal(
        "5 files: written beside and renamed", "`_replace`", "base/file.py",
        "            _replace(target, before, data)\n",
        "            with target.open('wb') as file:\n                os.fsync(file.fileno())\n"
        "                file.write(data)\n",
        "tests/unit/base/test_file.py",
    ),
    Removal(
        "5 files: rights and owner", "`_keep`", "base/file.py",
        "                _keep(file.fileno(), before)\n", "                pass\n",
        "tests/unit/base/test_file.py",
    ),
    Removal(
        "5 files: read-only", "`_replace`", "base/file.py",
        "if before is not None and not (before.st_mode & 0o222 and os.access(path, os.W_OK)):",
        "if False:",
        "tests/unit/base/test_file.py",
    ),
    Removal(
        "6 daemon: a silent or dripping client", "`_Daemon._answer`", "servers/daemon/server.py",
        "        connection.settimeout(REQUEST)\n        try:\n"
        "            message, files = wire.receive(connection, FILES, REQUEST)",
        "        try:\n            message, files = wire.receive(connection, FILES, None)",
        "tests/unit/servers/daemon/test_daemon.py -k silent",
    ),
    Removal(
        "6 daemon: a daemon that does not answer", "`run_by_daemon`", "servers/daemon/client.py",
        "            connection.settimeout(ANSWER)\n"
        "            wire.send(connection, request, [0, 1, 2])\n"
        "            wire.receive(connection, seconds=ANSWER)\n",
        "            wire.send(connection, request, [0, 1, 2])\n"
        "            wire.receive(connection)\n",
        "tests/unit/servers/daemon/test_daemon.py -k does_not_answer",
    ),
    Removal(
        "6 daemon: nothing is told twice", "`_answer`", "servers/daemon/client.py",
        "            told = True\n", "            pass\n",
        "tests/unit/servers/daemon/test_daemon.py -k 'dies_tells_nothing_twice and text'",
    ),
    Removal(
        "6 daemon: descriptors", "`receive`", "servers/daemon/socket.py",
        "        for file in files:\n            os.close(file)\n        raise", "        raise",
        "tests/unit/servers/daemon/test_daemon.py -k silent",
    ),
    Removal(
        "6 daemon: folders of others", "`socket_path`", "servers/daemon/place.py",
        "0o077", "0o000",
        "tests/unit/servers/daemon/test_daemon.py -k folder_of_others",
    ),
    Removal(
        "7 signals: Ctrl-C while modules load", "`interrupts_end_at_once`", "cli/start.py",
        "    interrupts_end_at_once()\n", "",
        f"{CLI}/test_main.py::test_a_real_interrupt_at_any_moment",
    ),
    Removal(
        "7 signals: Ctrl-C in a command", "`main`", "cli/main.py",
        "    except (KeyboardInterrupt, Terminated) as ended:\n",
        "    except ZeroDivisionError as ended:\n",
        f"{CLI}/test_main.py::test_an_interrupt_is_no_trace",
    ),
    Removal(
        "7 signals: Ctrl-C while a class is made", "`_interrupt_behind`", "cli/main.py",
        "        behind = _interrupt_behind(error)\n", "        behind = None\n",
        f"{CLI}/test_main.py -k class_is_made",
    ),
    Removal(
        "7 signals: Ctrl-C before anything is loaded", "imports", "cli/start.py",
        "import _signal as signal\n", "import signal\n",
        f"{CLI}/test_main.py -k nothing_is_loaded",
    ),
    Removal(
        "7 signals: SIGTERM tidies up", "`_interruptible`", "cli/main.py",
        "        signal.signal(signal.SIGTERM, _terminate)\n", "",
        f"{CLI}/test_main.py::test_a_termination_ends_in_order",
    ),
    Removal(
        "7 signals: explore tells what it found", "`Stop.listening`", "driver/work/stop.py",
        "HEARD = (signal.SIGINT, signal.SIGTERM)", "HEARD: tuple[signal.Signals, ...] = ()",
        "tests/unit/engines/explore/test_bad_input.py -k signal",
    ),
    Removal(
        "7 signals: fuzz tells what it found", "`run`", "cli/commands/fuzz.py",
        "    finally:  # also where somebody has interrupted it\n",
        "    except ZeroDivisionError:\n        raise\n    else:\n",
        f"{CLI}/test_fuzz.py -k ended",
    ),
    Removal(
        "8 mistakes: numbers of tests", "`_scalar`", "results/testcase.py",
        "if _FRACTION.fullmatch(value) is None:", "if len(value) > 9000:",
        f"{CLI}/test_mistakes.py -k '0x10 or 1_0 or nan'",
    ),
    Removal(
        "8 mistakes: NUL bytes", "`decode`", "source/reading.py",
        'at = text.find("\\0")', "at = -1",
        "tests/unit/source/test_reading.py",
    ),
    Removal(
        "8 mistakes: a folder of --library that is none", "`library_folders`", "cli/options.py",
        "for folder in folders:\n        if not folder.is_dir():",
        "for folder in folders:\n        if False:",
        f"{CLI}/test_check.py::test_library_folders",
    ),
    Removal(
        "9 costs: many annotations", "`notes`", "checking/lower/statements.py",
        "values.setdefault(note.key, []).extend(note.values)",
        "values[note.key] = values.get(note.key, []) + list(note.values)",
        "tests/unit/checking/lower/test_statements.py -k linear",
    ),
    Removal(
        "10 boundaries: imports stay below --import-root", "`_Splicing._is_outside`",
        "checking/imports.py",
        "real = os.path.realpath(place.path)", "real = os.path.abspath(place.path)",
        "tests/unit/checking/test_import_root.py::test_links_lead_out",
    ),
    Removal(
        "10 boundaries: imports of services", "`read_import`", "source/reading.py",
        "if _allowed is not None and", "if False and",
        "tests/unit/servers/web tests/unit/source --ignore=tests/unit/servers/web/test_browser.py",
    ),
    Removal(
        "10 boundaries: escape sequences", "`visible`", "views/terminal/style.py",
        "    if text.isascii() and text.isprintable():\n        return text\n",
        "    return text\n",
        f"{CLI}/test_mistakes.py tests/unit/views/test_style.py",
    ),
    Removal(
        "12 servers: signals end them", "`ends_with_signals`", "servers/ending.py",
        "            signal.signal(number, end)\n", "            pass\n",
        f"{ROUGH} -k 'signal and (lsp or mcp)'",
    ),
    Removal(
        "12 servers: an editor that is gone (dap)", "`ends_with_client`", "servers/ending.py",
        "    threading.Thread(target=_watch, args=(source, sink, heard), daemon=True).start()\n",
        "    pass\n",
        f"{ROUGH} -k whose_editor_is_gone",
    ),
    Removal(
        "12 servers: an agent that is gone (mcp)", "`serve`", "servers/mcp/server.py",
        "    except* ConnectionError:", "    except* ZeroDivisionError:",
        "tests/unit/servers/test_rough.py -k agent_that_is_gone",
    ),
    Removal(
        "12 servers: nonsense (lsp)", "`Messages._next`", "servers/lsp/stream.py",
        "            if not is_message(data):", "            if False:",
        f"{ROUGH} -k 'nonsense_is_left_out and lsp'",
    ),
    Removal(
        "12 servers: nonsense (mcp)", "`_Messages._next`", "servers/mcp/server.py",
        "elif _is_message(line):", "elif True:",
        f"{ROUGH} -k 'nonsense_is_left_out and mcp'",
    ),
    Removal(
        "12 servers: nonsense (server)", "`_Server._language_client`", "servers/viper/server.py",
        "if reader.has_spoken and not self._clients:", "if not self._clients:",
        f"{ROUGH} -k 'keep_nobody_waiting and server'",
    ),
    Removal(
        "12 servers: silent clients (dap)", "`_session`", "servers/dap/stream.py",
        "    return ChildProcess(lambda *_: _converse(make(), connection), others)\n",
        "    _converse(make(), connection)\n"
        "    return ChildProcess(lambda *_: None, others)\n",
        f"{ROUGH} -k 'keep_nobody_waiting and dap'",
    ),
    Removal(
        "12 servers: closed standard input", "`standard_streams`", "servers/ending.py",
        "if sys.stdin is None or sys.stdout is None or sys.__stdout__ is None:", "if False:",
        f"{ROUGH} -k without_input",
    ),
)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="WORDS", help="items that match it")
    parser.add_argument("--table", type=Path, metavar="FILE", help="what was seen, in Markdown")
    arguments = parser.parse_args()
    rows, unnoticed = [], 0
    with tempfile.TemporaryDirectory(prefix="pitviper-removals-") as folder:
        copy = Path(folder)
        for name in ("pitviper", "tests", "examples", "bench", "docs"):
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", copy)
        compileall.compile_dir(copy / "pitviper", quiet=1)
        for removal in REMOVALS:
            if re.search(arguments.only, removal.item):
                said = tried(removal, copy)
                unnoticed += said is None
                print(f"{removal.item}: {said or 'NOT NOTICED'}", flush=True)
                rows.append(row(removal, said))
    if arguments.table is not None:
        arguments.table.write_text("\n".join(rows) + "\n")
    print(f"{len(rows)} removals, {unnoticed} not noticed")
    return 1 if unnoticed else 0


def tried(removal: Removal, copy: Path) -> str | None:
    """What the tests say without the protection; None if they are content, or it is not there."""
    file = copy / "pitviper" / removal.file
    text = file.read_text()
    if removal.old not in text:
        print(f"{removal.item}: the protection is not in {removal.file}")
        return None
    file.write_text(text.replace(removal.old, removal.new))
    try:
        return failure(removal.tests, copy)
    finally:
        file.write_text(text)


def failure(tests: str, copy: Path) -> str | None:
    own = {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "", "PITVIPER_ROUGH": PATIENCE}
    environment = {**os.environ, **own}
    command = f"{sys.executable} -m pytest -x -q -p no:cacheprovider -p no:xdist {tests}"
    began = time.monotonic()
    process = subprocess.Popen(
        ["sh", "-c", f"exec {command}"], cwd=copy, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    try:
        said, _ = process.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        return f"no end within {time.monotonic() - began:.0f} s"
    if process.returncode not in (1, 2):
        return None
    own = said.partition("= FAILURES =")[2] or said  # before it is what a fixture found at the end
    lines = [line for line in own.splitlines() if re.match(r"E  +\S", line)]
    return lines[0][1:].strip() if lines else said.splitlines()[-1]


def row(removal: Removal, said: str | None) -> str:
    shown = (said or "nothing").replace("|", "\\|")[:110]
    where = f"{removal.protection} in `{removal.file}`"
    return f"| {removal.item} | {where} | `{removal.tests}` | `{shown}` |"


if __name__ == "__main__":
    sys.exit(main())
