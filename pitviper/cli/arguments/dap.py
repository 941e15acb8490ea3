"""The options of `pitviper dap`."""

from __future__ import annotations

from pitviper.cli.arguments import common

EXAMPLES = """\
  pitviper dap                     for an editor that starts it (standard input and output)
  pitviper dap --port 4711         for editors that connect to a port of this machine

A launch names what is walked through, forwards and backwards:
  {"program": "list.vpr", "member": "insert"}              the symbolic states of a member
  {"program": "list.vpr", "line": 12, "proof": 0}          a failed proof, from the failure on
  {"program": "list.vpr", "method": "insert"}              a run that fails, found by exploration
  {"test": "tests/insert-1.json"}                          a test that `explore` kept
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_command(
        commands,
        "dap",
        "debug adapter: walk through symbolic states in an editor",
        "Speaks the debug adapter protocol: steps through a recorded proof or a kept test, in\n"
        "both directions; the console takes commands of the proof debugger.",
        EXAMPLES,
    )
    common.add_time_limit(parser, "for recording a member")
    parser.add_argument(
        "--port",
        type=common.whole,
        metavar="N",
        help="listen there (0: any free port), session after session; the first line says where",
    )
