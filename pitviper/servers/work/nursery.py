"""A process with everything loaded, which forks a worker for each request of its server.

A byte on standard input, which is a socket, comes with two files: where the requests of the worker
come from, and where its lines go. A worker has a process group of its own, says its number first,
and does for each request what the named module does with standard input and output; a line says
that a request is over. It ends when no request will come. No worker outlives the server: when the
socket ends, all are killed, and none outlives this process, whatever ends it.
"""

from __future__ import annotations

import gc
import importlib
import io
import json
import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress

from pitviper.driver.work.process import die_with


def main(module: str) -> None:
    """Forks workers that do what a module does, until the server is gone."""
    work: Callable[[], None] = importlib.import_module(module).main
    from pitviper.driver.work.warm_up import warm_up

    warm_up()
    gc.collect()
    gc.freeze()
    workers: set[int] = set()
    here = os.getpid()
    with socket.socket(fileno=os.dup(0)) as asking:
        while True:
            asked, files, _, _ = socket.recv_fds(asking, 1, 2)
            if not asked or len(files) < 2:
                break
            pid = os.fork()
            if pid == 0:
                asking.close()
                _work(work, files, here)
            for file in files:
                os.close(file)
            workers = {pid, *[known for known in workers if _goes_on(known)]}
    for pid in workers:
        if _goes_on(pid):
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)


def _goes_on(pid: int) -> bool:
    """Whether a worker has not ended yet; one that has is forgotten by the system, too."""
    return os.waitpid(pid, os.WNOHANG)[0] == 0


def _work(work: Callable[[], None], files: list[int], parent: int) -> None:
    """In the worker: never returns. What it has not said when it ends was not found out."""
    code = 1
    try:
        die_with(parent)
        os.setsid()
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        sys.stdin = io.TextIOWrapper(io.FileIO(0, "r", closefd=False), encoding="utf-8")
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(io.FileIO(1, "w", closefd=False)), encoding="utf-8"
        )
        _say({"process": os.getpid()})
        home = os.getcwd()
        while line := sys.stdin.readline():
            os.chdir(json.loads(line)["folder"] or home)
            work()
            _say({"over": True})
        code = 0
    except BaseException:  # whatever it is: the worker ends, and its server hears no last word
        traceback.print_exc()
    finally:
        os._exit(code)


def _say(data: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(data) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
