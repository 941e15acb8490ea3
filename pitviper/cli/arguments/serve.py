"""The options of `pitviper serve`."""

from __future__ import annotations

from pitviper.cli.arguments import common

EXAMPLES = """\
  pitviper serve                   the workbench for the programs in this folder
  pitviper serve list.vpr          ... and open this one
  pitviper serve --no-browser      print the link only
  pitviper serve --port 0          on any free port

Needs the extra `web`: pip install 'pitviper[web]'. docs/workbench.md shows what can be seen there.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "serve",
        "workbench in the browser",
        "Opens a page in which programs are written, verified and looked into: failed checks with\n"
        "their path, states, heap graphs, the proof debugger, exploration and tests.",
        EXAMPLES,
    )
    parser.add_argument(
        "folder", nargs="?", default=".", metavar="FOLDER", help="with the programs, or one program"
    )
    parser.add_argument("--port", type=int, metavar="N", help="port of this machine (default 7717)")
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="to listen on; all others than 127.0.0.1 can be reached by other machines",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    parser.add_argument("--read-only", action="store_true", help="nothing is saved")
    parser.add_argument(
        "--timeout",
        type=common.seconds,
        default=120.0,
        metavar="SECONDS",
        help="for each request of a page (default 120)",
    )
