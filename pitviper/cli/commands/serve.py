"""`pitviper serve`: the workbench in the browser."""

from __future__ import annotations

import argparse
import secrets
import socket
import webbrowser
from pathlib import Path
from urllib.parse import quote

from pitviper.base.usage_error import UsageError
from pitviper.cli.extras import needs
from pitviper.cli.output import stdout
from pitviper.cli.start import tell
from pitviper.results.exit_code import ExitCode
from pitviper.servers.web.settings import PORT, Settings
from pitviper.views.json.lines import json_line


def run(arguments: argparse.Namespace) -> ExitCode:
    with needs("web", "the workbench needs {}"):
        from pitviper.servers.web.app import server_for
    folder, opened = _place(Path(arguments.folder))
    with _listening(arguments.host, PORT if arguments.port is None else arguments.port) as bound:
        settings = Settings(
            folder,
            secrets.token_urlsafe(24),
            arguments.host,
            bound.getsockname()[1],
            arguments.timeout,
            arguments.read_only,
        )
        link = settings.link + (f"#open={quote(opened)}" if opened else "")
        _announce(link, settings, arguments)
        server_for(settings).run(sockets=[bound])
    return ExitCode.FINE


def _place(given: Path) -> tuple[Path, str]:
    """Returns the folder, and the name of the program to open in it."""
    if given.is_dir():
        return given, ""
    if given.is_file():
        return given.parent, given.name
    raise UsageError(f"there is no folder {given}")


def _listening(host: str, port: int) -> socket.socket:
    """Returns a socket on which somebody listens; UsageError where that cannot be."""
    if not 0 <= port < 65536:
        raise UsageError(f"{port} is no port: one from 0 to 65535 is needed")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen()  # who is quicker than the server waits
    except OSError as error:
        bound.close()
        help_ = "--port 0 takes any that is free"
        raise UsageError(f"cannot listen on {host}:{port}: {error.strerror} ({help_})") from error
    return bound


def _announce(link: str, settings: Settings, arguments: argparse.Namespace) -> None:
    if arguments.output == "json":
        stdout.write_line(json_line({"kind": "workbench", "link": link}))
    else:
        stdout.write_line(f"The workbench is open at {link} (Ctrl-C ends it).")
    stdout.flush()
    if settings.host not in ("127.0.0.1", "::1", "localhost"):
        tell(
            "pitviper: other machines can reach the workbench: whoever has the link reads and "
            "writes the programs of the folder\n"
        )
    if not arguments.no_browser:
        webbrowser.open(link)
