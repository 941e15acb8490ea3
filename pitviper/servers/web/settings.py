"""What whoever starts the workbench has chosen, and the limits that always hold."""

from __future__ import annotations

from pathlib import Path

from pitviper.base.record import record

LARGEST_TEXT = 1_000_000
"""Characters of a program; larger ones are for the command line."""
LARGEST_MESSAGE = 4 * LARGEST_TEXT
"""Bytes of one message of the page."""
LARGEST_ANSWER = 1 << 26
"""Bytes of one line of a worker."""
MOST_PAGES = 8
"""Pages that are open at the same time: each has processes of its own."""
MOST_WAITING = 64
"""Requests of one page that are not answered yet."""
MEMORY = 6 << 30
"""Bytes of address space of a worker; its deep stack takes half a gigabyte of that."""
LOADING = 60.0
"""Seconds that a worker may take until it begins with a request."""
MOST_REQUESTS = 32
"""Requests after which a worker that is idle is let go: its memory grows with what it has seen."""
PORT = 7717
"""Where the workbench is unless another port is asked for; links that hold a program name it."""


@record
class Settings:
    """`token` is what the first request of a browser has to know; `seconds` limits each request."""

    folder: Path
    token: str
    host: str = "127.0.0.1"
    port: int = PORT
    seconds: float = 120.0
    read_only: bool = False

    @property
    def address(self) -> str:
        """Returns the address that a browser of this machine uses."""
        name = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host
        return f"http://{f'[{name}]' if ':' in name else name}:{self.port}"

    @property
    def link(self) -> str:
        """Returns the link to open."""
        return f"{self.address}/?token={self.token}"
