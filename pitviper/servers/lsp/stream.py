"""Standard input and output of the language server: messages go through, and their end is heard.

The library that reads messages shows a trace for one that is none, or that comes before it was
told who the client is; it asks for as much memory as a client says that it needs, waits for
verifications whose editor is gone, and shows a trace where it cannot write to it.
"""

from __future__ import annotations

import io
import json
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, cast

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
        self._is_begun = False

    def _next(self) -> bytes:
        while (length := self._length()) is not None:
            data = self._source.read(length)
            if len(data) < length:
                break
            if not is_message(data):
                _tell(b"pitviper: a message that is none is left out\n")
            elif not self._begins(data):
                _tell(b"pitviper: a message before `initialize` is left out\n")
            else:
                return b"Content-Length: %d\r\n\r\n" % length + data
        self._at_end()
        return b""

    def _begins(self, data: bytes) -> bool:
        """Whether the session has begun, or does so now, or ends before that."""
        if not self._is_begun:
            method = json.loads(data).get("method")
            self._is_begun = method == "initialize"
            return method in ("initialize", "exit")
        return True

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


class Answers(io.RawIOBase):
    """Messages to a client; `at_end` is called when it is found out that nobody reads them."""

    def __init__(self, sink: BinaryIO, at_end: Callable[[], None]) -> None:
        self._sink, self._at_end = sink, at_end
        self._is_heard = True

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        if self._is_heard:
            try:
                self._sink.write(data)
                self._sink.flush()
            except (OSError, ValueError):
                self._is_heard = False
                self._at_end()
        return len(data)


def is_message(data: bytes) -> bool:
    """Whether it is an object of JSON, of a depth that a reader can bear."""
    try:
        return isinstance(read_json(data.decode()), dict)
    except ValueError:
        return False


def streams_of(
    source: BinaryIO, sink: BinaryIO, tidy_up: Callable[[], None]
) -> tuple[BinaryIO, BinaryIO]:
    """Returns both streams of messages; when one ends, so does the process, after `tidy_up`."""

    def at_end() -> None:
        tidy_up()
        late = threading.Timer(GRACE, os._exit, (0,))
        late.daemon = True
        late.start()

    answers = cast("BinaryIO", Answers(sink, at_end))
    return io.BufferedReader(Framed(source, at_end)), answers


def _tell(text: bytes) -> None:
    with suppress(OSError):
        os.write(2, text)
