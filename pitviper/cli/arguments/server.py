"""The options of `pitviper server`."""

from __future__ import annotations

from pitviper.cli.arguments import common

EXAMPLES = """\
  pitviper server --viper                 a free port, told on standard output
  pitviper server --viper --port 8080     clients of ViperServer find it there

Both protocols of ViperServer are spoken on the same port: HTTP (POST /verify, GET /verify/N ...)
and that of the Viper extension for editors. Needs the extra `editor`: docs/editors.md.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "server",
        "a server that clients of ViperServer can use",
        "Answers the requests of ViperServer, on a port of this machine only. It ends when the\n"
        "last editor goes, or with GET /exit.",
        EXAMPLES,
    )
    parser.add_argument(
        "--viper", action="store_true", required=True, help="speak as ViperServer does"
    )
    parser.add_argument(
        "--port", "-p", type=int, default=0, metavar="N", help="port to listen on (0: a free one)"
    )
    common.add_time_limit(parser, "for one verification")
    parser.add_argument("--jobs", type=int, metavar="N", help="verifications at the same time")
    parser.add_argument("--serverMode", metavar="MODE", help="LSP or HTTP: both are spoken anyway")
    parser.add_argument(
        "--singleClient", action="store_true", help="end with the only client, as without it"
    )
