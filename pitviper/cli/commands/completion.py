"""`pitviper completion`: a script that lets a shell complete what is typed."""

from __future__ import annotations

import argparse
import shlex

from pitviper.base.record import record
from pitviper.cli.main import full_parser, sub_parsers
from pitviper.cli.output import stdout
from pitviper.results.exit_code import ExitCode


def run(arguments: argparse.Namespace) -> ExitCode:
    commands = [_command(name, parser) for name, parser in sub_parsers(full_parser()).items()]
    match arguments.shell:
        case "fish":
            stdout.write(_fish(commands))
        case "zsh":
            stdout.write(f"autoload -U +X bashcompinit && bashcompinit\n{_bash(commands)}")
        case _:
            stdout.write(_bash(commands))
    return ExitCode.FINE


@record
class _Option:
    """`values` are those that can be chosen from; `takes` says whether a value follows at all."""

    name: str
    help: str
    values: tuple[str, ...]
    takes: bool


@record
class _Command:
    name: str
    options: tuple[_Option, ...]
    words: tuple[str, ...]
    """What may stand there without a dash, apart from files."""


def _command(name: str, parser: argparse.ArgumentParser) -> _Command:
    options, words = list[_Option](), list[str]()
    for action in parser._actions:
        values = tuple([str(choice) for choice in action.choices or ()])
        words += () if action.option_strings else values
        takes = action.nargs != 0
        help_text = " ".join((action.help or "").split())
        if action.help != argparse.SUPPRESS:
            options += [
                _Option(option, help_text, values, takes)
                for option in action.option_strings
                if option.startswith("--")
            ]
    return _Command(name, tuple(options), tuple(words))


def _bash(commands: list[_Command]) -> str:
    names = " ".join(command.name for command in commands)
    values = [
        f"    {command.name}:{option.name}) words={shlex.quote(' '.join(option.values))};;"
        for command in commands
        for option in command.options
        if option.values
    ]
    options = [
        f"      {command.name}) words={shlex.quote(' '.join(o.name for o in command.options))};;"
        for command in commands
    ]
    words = [
        f"      {command.name}) words={shlex.quote(' '.join(command.words))};;"
        for command in commands
        if command.words
    ]
    return "\n".join(
        [
            "_pitviper() {",
            "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}",
            "  local command=${COMP_WORDS[1]} words=",
            '  if [ "$COMP_CWORD" -eq 1 ]; then',
            f'    COMPREPLY=($(compgen -W "{names} --help --help-all --version" -- "$current"))',
            "    return",
            "  fi",
            '  case "$command:$before" in',
            *values,
            "  esac",
            '  if [ -z "$words" ] && [[ $current == -* ]]; then',
            '    case "$command" in',
            *options,
            "    esac",
            '  elif [ -z "$words" ]; then',
            '    case "$command" in',
            *words,
            "    esac",
            "  fi",
            '  if [ -n "$words" ]; then',
            '    COMPREPLY=($(compgen -W "$words" -- "$current"))',
            "  else",
            '    COMPREPLY=($(compgen -d -- "$current")',
            '      $(compgen -f -X "!*.@(vpr|cool|sil|json|txt)" -- "$current"))',
            "  fi",
            "}",
            "shopt -s extglob 2>/dev/null",
            "complete -o filenames -F _pitviper pitviper",
            "",
        ]
    )


def _fish(commands: list[_Command]) -> str:
    lines = ["complete -c pitviper -n __fish_use_subcommand -f"]
    for command in commands:
        lines.append(f"complete -c pitviper -n __fish_use_subcommand -a {command.name}")
        seen = f"-n '__fish_seen_subcommand_from {command.name}'"
        if command.words:
            lines.append(f"complete -c pitviper {seen} -f -a {_quoted(' '.join(command.words))}")
        for option in command.options:
            value = f" -x -a {_quoted(' '.join(option.values))}" if option.values else ""
            taken = value or (" -r" if option.takes else "")
            name = option.name.removeprefix("--")
            lines.append(f"complete -c pitviper {seen} -l {name}{taken} -d {_quoted(option.help)}")
    return "\n".join([*lines, ""])


def _quoted(text: str) -> str:
    """For fish, which knows two escapes between single quotes."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
