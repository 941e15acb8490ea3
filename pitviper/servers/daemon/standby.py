"""The next worker of a daemon: it is forked before anybody asks for it.

NOTE(standby). A new process shares all pages with the one that forked it until it writes to them,
and whatever looks at a Python object writes its reference count: a verification copies thousands of
pages, one by one, and forking takes some milliseconds as well. So a worker is forked while nobody
waits, and tries everything once, bit by bit; a request ends that. It knows nothing of any request
but the one that it gets, and it serves one: answers are those of a worker that was forked for it.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
from collections.abc import Callable, Iterable
from typing import NoReturn

from pitviper.servers.daemon import socket as wire

Work = Callable[[socket.socket, wire.Message, list[int]], NoReturn]
"""What a worker does: a connection, the request that came by it, the files of its client."""

PAUSE = 0.5
"""Seconds without a request before things are tried: one that comes at once would wait for them."""

FILES = 3
"""Standard files of a client; the connection to it goes before them."""


class Standby:
    """A worker that waits for its request; it ends when this process does.

    It begins to try things when the worker `before` it is no more, so as not to be in its way.
    """

    def __init__(
        self,
        work: Work,
        trials: Iterable[Callable[[], object]],
        listener: socket.socket,
        before: Standby | None,
    ) -> None:
        self._channel, inner = socket.socketpair()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                self._channel.close()
                listener.close()
                _wait(inner, work, trials, None if before is None else before._channel)
            finally:
                os._exit(0)
        inner.close()
        if before is not None:
            before._channel.close()

    def give(self, connection: socket.socket, message: wire.Message, files: list[int]) -> bool:
        """Hands a request over, unless the worker is no more."""
        try:
            wire.send(self._channel, message, [connection.fileno(), *files])
        except wire.Hangup:
            return False
        return True

    def end(self) -> None:
        """It has nothing to tidy up; one that works goes on."""
        self._channel.close()


def _wait(
    channel: socket.socket,
    work: Work,
    trials: Iterable[Callable[[], object]],
    before: socket.socket | None,
) -> None:
    """In the worker: try things as long as nobody asks, then do what is asked."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if before is not None:
        select.select([channel, before], [], [])
        before.close()
    pause = PAUSE
    for trial in trials:
        if select.select([channel], [], [], pause)[0]:
            break
        trial()
        pause = 0.0
    with contextlib.suppress(wire.Hangup):
        message, files = wire.receive(channel, 1 + FILES)
        if len(files) == 1 + FILES:
            work(socket.socket(fileno=files[0]), message, files[1:])
