"""The options of `pitviper daemon`."""

from __future__ import annotations

from pitviper.cli.arguments import common

EXAMPLES = """\
  pitviper daemon start
  pitviper daemon status
  pitviper daemon stop
  pitviper verify --daemon list.vpr        starts one if there is none

While a daemon runs, `pitviper verify` lets it do the work: same answers, same output, same exit
codes, without the time to load. It serves one user and one version, and ends after an hour without
work. PITVIPER_DAEMON=off lets a command ignore it.
"""


def add_to(commands: common.Commands) -> None:
    parser = common.add_plain_command(
        commands,
        "daemon",
        "keep everything loaded for quicker verifications",
        "Starts, stops or shows the process that keeps everything loaded.",
        EXAMPLES,
    )
    parser.add_argument(
        "action",
        choices=("start", "stop", "status", "serve"),
        help="serve: be the daemon, in the foreground",
    )
