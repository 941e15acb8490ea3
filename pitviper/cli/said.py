"""What `verify` has said about the same files before, said again: little is loaded for that.

NOTE(said). What is printed depends on the words of the command, the folder it stands in, its
environment, where it writes to, our own files and those of the solver, and the programs. All but
the last are in the key; the bytes of the programs are compared. Kept is only what the cache of
files would answer (NOTE(file-cache)), as it would be told: answers without open questions, about
programs that import nothing, of commands that do nothing but tell them on standard output.
"""

from __future__ import annotations

import io
import os
import sys
import time
from pathlib import Path

from pitviper.base.digest import blake2b
from pitviper.driver.cache.folder import CacheFolder, default_folder
from pitviper.driver.cache.stamp import stamp

PLAIN = ("--cache", "--jobs", "--color", "--backend", "--quiet")
"""Options with which a command does nothing but tell answers."""

TIME = "\0"
"""Stands in a kept text for the seconds that a command has taken."""


def say_again(words: list[str]) -> int | None:
    """The exit code of `verify` with these words, which has been said; None if nothing is known."""
    began = time.perf_counter()
    folder = folder_for(words)
    if folder is None:
        return None
    known = CacheFolder(folder).read(key_of(words))
    if known is None:
        return None
    head, _, text = known.partition("\n\n")
    code, *files = head.split("\n")
    if not all(_is_unchanged(*line.split(" ", 1)) for line in files):
        return None
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        sys.stdout.write(text.replace(TIME, f"{time.perf_counter() - began:.2f}"))
        sys.stdout.flush()
    except OSError as error:
        from pitviper.cli.main import answer_to

        return answer_to(error, debug=False)
    return int(code)


def entry(code: int, files: dict[str, bytes], text: str) -> str:
    """What is kept: an exit code, the files with their bytes, and what is printed."""
    return "\n".join([str(code), *[f"{_digest(data)} {n}" for n, data in files.items()], "", text])


def folder_for(words: list[str]) -> Path | None:
    """Where it is kept what `verify` says to these words; None where nothing is.

    An option may be shortened: then another folder is looked into, where there is nothing.
    """
    options = [word.partition("=")[0] for word in words if word.startswith("-")]
    if not all(option in PLAIN for option in options) or any("\n" in word for word in words):
        return None
    chosen = os.environ.get("PITVIPER_CACHE", "")
    for at, word in enumerate(words):
        name, given, value = word.partition("=")
        if name == "--cache":
            chosen = value if given else "".join(words[at + 1 : at + 2])
    if chosen == "off":
        return None
    return Path(chosen) if chosen else default_folder()


def key_of(words: list[str]) -> str:
    """The digest of all that decides upon what is printed, but for the programs."""
    seen = [stamp(), _folder_we_stand_in(), *words, ""]
    seen += [f"{name}={value}" for name, value in sorted(os.environ.items())]
    seen += [_described(stream) for stream in (sys.stdout, sys.stderr)]
    digest = blake2b(digest_size=24)
    for text in ("said", *seen):
        data = text.encode("utf-8", "surrogateescape")
        digest.update(b"%d " % len(data) + data)
    return digest.hexdigest()


def _folder_we_stand_in() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return ""


def _described(stream: object) -> str:
    """Where text goes: whether to a terminal, how wide it is, and which letters it has."""
    if not isinstance(stream, io.TextIOWrapper):
        return "closed"
    columns = ""
    if stream.isatty():
        try:
            columns = f"{os.get_terminal_size(stream.fileno())}"
        except OSError:
            columns = "unknown"
    return f"{stream.encoding} {columns}"


def _is_unchanged(digest: str, name: str) -> bool:
    if not os.path.isfile(name):
        return False
    try:
        with open(name, "rb") as file:
            return _digest(file.read()) == digest
    except OSError:
        return False


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=24).hexdigest()
