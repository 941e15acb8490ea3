"""The options of `pitviper lsp`."""

from __future__ import annotations

from pitviper.cli.arguments import common

EXAMPLES = """\
  pitviper lsp                     for an editor that starts it (standard input and output)
  pitviper lsp --port 7654         for editors that connect to this machine
  pitviper lsp --pause off         verify when a file is saved, not after a pause

Needs the extra `editor`: pip install 'pitviper[editor]'. docs/editors.md has settings of editors.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "lsp",
        "language server for editors",
        "Speaks the language server protocol: diagnostics while you type, verification after a\n"
        "pause, navigation, completion, formatting, cures.",
        EXAMPLES,
    )
    parser.add_argument(
        "--port",
        type=int,
        metavar="N",
        help="listen on this port of loopback (0: a free one, which is told)",
    )
    parser.add_argument(
        "--backend", choices=("symbolic", "vcg", "both"), default="symbolic", help="the engine"
    )
    common.add_time_limit(parser, "for one verification")
    parser.add_argument(
        "--pause",
        default="0.6",
        metavar="SECONDS",
        help="pause in typing after which a text is verified; off: on save only (default 0.6)",
    )
    parser.add_argument("--cache", metavar="DIR", help="folder of known answers, or off")
