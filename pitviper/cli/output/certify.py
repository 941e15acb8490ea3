"""`pitviper verify --certify`: what speaks for each member, from judges that share no rule."""

from __future__ import annotations

import argparse
from pathlib import Path

from pitviper.base.usage_error import UsageError
from pitviper.cli.options import library_folders, verify_options
from pitviper.cli.output import stdout
from pitviper.driver.verify.certification import certify_file
from pitviper.results.certificate import Certification
from pitviper.results.exit_code import ExitCode
from pitviper.source.reading import named, require_readable
from pitviper.views.json.certificate import certificate_objects
from pitviper.views.json.lines import json_line
from pitviper.views.terminal.certificate import certificate_line, closing_line


def run(arguments: argparse.Namespace) -> ExitCode:
    if arguments.output == "sarif":
        raise UsageError("a certificate has no SARIF form: use --format json")
    if arguments.infer_ghost or arguments.suggest or arguments.fix:
        raise UsageError("--certify takes programs as they are: without inferred statements")
    paths = [named(name) for name in arguments.files]
    require_readable(paths)
    done = [_one(path, arguments) for path in paths]
    if arguments.output == "text":
        stdout.write_line(closing_line(done))
    if any(one.refuted for one in done):
        return ExitCode.FINDINGS
    complete = all(one.certified == len(one.members) for one in done)
    return ExitCode.FINE if complete else ExitCode.UNDECIDED


def _one(path: Path, arguments: argparse.Namespace) -> Certification:
    options, library = verify_options(arguments), library_folders(arguments)
    if arguments.output == "json":
        done = certify_file(path, options, library)
        for one in certificate_objects(done):
            stdout.write_line(json_line(one))
        return done
    stdout.write_line(str(path))
    done = certify_file(
        path, options, library, lambda member: stdout.write(certificate_line(member))
    )
    for message in done.rejected:
        stdout.write_line(f"  rejected: {message}")
    return done
