"""Standard input of the language server: what is a message goes through, and its end is heard.

The library that reads messages shows a trace for one that is none, asks for as much memory as a
client says that it needs, and waits for verifications whose editor is gone.
"""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

from pitviper.base.json_text import read_json
from pitviper.servers.ending import Messages

LONGEST = 64 << 20
"""Bytes of a message: a text of a program is in one."""

GRACE = 5.0
"""Seconds that the server has to end by itself when its input has ended."""


class Framed(Messages):
    """The messages of a stream, with their headers; `at_end` is called when no more will come."""

    def __init__(self, source: BinaryIO, at_end: Callable[[], None]) -> None:
        self._source, self._at_end = source, at_end

    def _next(self) -> bytes:
        while (length := self._length()) is not None:
            data = self._source.read(length)
            if len(data) < length:
                break
            if is_message(data):
                return b"Content-Length: %d\r\n\r\n" % length + data
            _tell(b"pitviper: a message that is none is left out\n")
        self._at_end()
        return b""

    def _length(self) -> int | None:
        """Reads a header; None where nobody knows where a message begins, or none comes."""
        length = None
        while line := self._source.readline(LONGEST):
            if not line.strip() and length is not None:
                return length
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length":
                if not value.strip().isdigit() or int(value) > LONGEST:
                    _tell(b"pitviper: a message has no usable length: this is the end\n")
                    return None
                length = int(value)
        return None


def is_message(data: bytes) -> bool:
    """Whether it is an object of JSON, of a depth that a reader can bear."""
    try:
        return isinstance(read_json(data.decode()), dict)
    except ValueError:
        return False


def messages_of(source: BinaryIO, tidy_up: Callable[[], None]) -> BinaryIO:
    """Returns the stream of messages; when it ends, so does the process, after `tidy_up`."""

    def at_end() -> None:
        tidy_up()
        late = threading.Timer(GRACE, os._exit, (0,))
        late.daemon = True
        late.start()

    return io.BufferedReader(Framed(source, at_end))


def _tell(text: bytes) -> None:
    with suppress(OSError):
        os.write(2, text)
