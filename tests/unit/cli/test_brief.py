"""The first glance at help fits a screen, and says nothing that is not so."""

from __future__ import annotations

import pytest

from pitviper.cli.arguments import common
from pitviper.cli.brief import BRIEFS, COLUMNS, FIRST, LINES
from pitviper.cli.main import COMMANDS, full_parser, main, sub_parsers

PARSERS = sub_parsers(full_parser())


def shown(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_a_screen(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown([*command.split(), "--help"], capsys)
    lines = text.split("\n")
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= COLUMNS
    assert "examples:\n  " in text
    assert "exit codes: 0 fine, " in text
    assert "--help-all" in text


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_shown_is_there(command: str) -> None:
    full = PARSERS[command].format_help()
    for name, _ in BRIEFS[command].options:
        assert name.split()[0] in full


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_all_of_the_help_is_one_word_away(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown([*command.split(), "--help-all"], capsys)
    parser = PARSERS[command] if command else full_parser()
    for action in parser._actions:
        if action.help != "==SUPPRESS==":
            assert all(option in text for option in action.option_strings)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_no_line_of_the_whole_help_is_broken_by_the_terminal(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal breaks what is too wide inside of words."""
    monkeypatch.setattr(common, "_help_width", lambda: COLUMNS - 2)
    parser = PARSERS[command] if command else full_parser()
    assert [line for line in parser.format_help().splitlines() if len(line) > COLUMNS] == []


def test_prose_is_filled_and_examples_keep_their_lines() -> None:
    text = "Words that are\nmany.\n\nexamples:\n  run it   so\n  run another   otherwise\n"
    assert common.fitted(text, 16) == [
        "Words that are",
        "many.",
        "",
        "examples:",
        "  run it   so",
        "  run another",
        "      otherwise",
    ]
    assert common.fitted("one two three\nfour", 9) == ["one two", "three", "four"]
    assert common.fitted("  run it && run another", 14) == [  # a shell reads it as one line
        "  run it && \\",
        "      run \\",
        "      another",
    ]


def test_every_command_is_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(["--help"], capsys)
    assert set(dict(FIRST)) <= set(COMMANDS)
    assert set(BRIEFS) == set(COMMANDS)
    assert [name for name in COMMANDS if name not in text] == []


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["verify", "--errors", "foo", "a.vpr"], "a number from 1 on or all is expected, not foo"),
        (["verify", "--timeout", "soon", "a.vpr"], "a number of seconds is expected, not soon"),
        (["verify", "--jobs", "x", "a.vpr"], "a whole number is expected, not x"),
        (["verify", "--memory", "x", "a.vpr"], "a whole number is expected, not x"),
        (["verify", "--assertTimeout", "x", "a.vpr"], "a whole number is expected, not x"),
        (["explore", "--runs", "many", "a.vpr"], "a whole number is expected, not many"),
        (["counterexample", "--at", "x", "a.vpr"], "a whole number is expected, not x"),
    ],
)
def test_a_wrong_value_says_what_is_wanted(
    arguments: list[str], wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    said = capsys.readouterr().err
    assert wanted in said
    assert said.count("\n") == 1


def test_options_are_announced_only_where_some_are_listed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for command in COMMANDS:
        text = shown([command, "--help"], capsys)
        assert ("[options]" in text) == ("\noptions:\n" in text), command


@pytest.mark.parametrize("command", ["check", "verify", "explore", "report", "counterexample"])
def test_what_a_file_may_be_is_told(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown([command, "--help"], capsys)
    assert "\nFILE: a program, a folder of programs, or - for standard input\n" in text


def test_other_commands_have_a_word_each(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(shown(["--help"], capsys).split())
    for name in COMMANDS:
        assert name in dict(FIRST) or f"{name} (" in text


def test_help_of_a_report_names_what_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert "usage: pitviper report [options] FILE --html OUT\n" in shown(
        ["report", "--help"], capsys
    )
