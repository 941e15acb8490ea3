"""What to say about a token that the parser cannot consume."""

from __future__ import annotations

from pitviper.syntax.token import BAD, END, INT, NAME, STRING, Tokens

_SHOWN = 40
"""Longer tokens are shortened in messages."""

_LOOK_BACK = 20
"""How many tokens of a line are compared with keywords."""

STATEMENT_WORDS = tuple(
    """
    assert assume inhale exhale refute fold unfold package apply var if elseif else while goto
    label quasihavoc quasihavocall define
    """.split()
)
MEMBER_WORDS = ("method", "function", "predicate", "domain", "field", "import", "define", "adt")

_FOUND_HELP = {
    "and": "write `&&` for a conjunction",
    "or": "write `||` for a disjunction",
    "not": "write `!` for a negation",
    "implies": "write `==>` for an implication",
    "iff": "write `<==>` for an equivalence",
    "|": "write `||` for a disjunction",
    "elif": "write `elseif`",
    "elsif": "write `elseif`",
}

_FOREIGN_HELP = {
    "return": "assign to the return variable, and `goto` a label at the end to leave early",
    "for": "write a `while` loop",
    "havoc": "assign from a method without postcondition, or use `quasihavoc`",
}
"""Statements of other languages, which read as names here."""

_EXPECTED_HELP = {
    ("an expression", "if"): "write `condition ? e1 : e2`",
    ("a statement", "++"): "write `x := x + 1`",
    ("a statement", ":="): "is the statement in front of it complete?",
}

_STUCK_HELP = {
    ("<", ">"): "write `!=` for different",
    ("<=", ">"): "write `<==>` for an equivalence",
    ("-", ">"): "write `==>` for an implication",
}
"""Two tokens without space between them that were meant as one."""


def describe(tokens: Tokens, at: int) -> str:
    """A token as the end of "expected ..., found ..."."""
    kind, text = tokens.kinds[at], tokens.text(at)
    if kind == END:
        return "the end of the file"
    if kind == STRING:
        return "a string"
    shown = f"`{text}`" if len(text) <= _SHOWN else f"`{text[:_SHOWN]}...`"
    return f"the keyword {shown}" if kind == text and kind[0].isalpha() else shown


def advise(tokens: Tokens, at: int, expected: str) -> str | None:
    """What to do about it, where that is obvious."""
    kinds = tokens.kinds
    kind, text = kinds[at], tokens.text(at)
    if at > 0 and kind == "if" and kinds[at - 1] == "else":
        return "write `elseif`"
    if text in _FOUND_HELP or (expected, kind) in _EXPECTED_HELP:
        return _FOUND_HELP.get(text) or _EXPECTED_HELP[expected, kind]
    if at > 0 and tokens.ends[at - 1] == tokens.starts[at]:
        if (kinds[at - 1], kind) in _STUCK_HELP:
            return _STUCK_HELP[kinds[at - 1], kind]
        if kind == INT and kinds[at - 1] == ".":
            return "there are no decimal numbers: write a fraction such as 3/2"
    if kind == STRING:
        return "strings stand only in annotations, imports and interpretations"
    if expected == "a name" and _is_word(kind):
        return f"`{text}` is reserved: choose another name"
    if expected == "a declaration":
        return misspelt(tokens, at, MEMBER_WORDS) or _outside(kind)
    return misspelt(tokens, at, STATEMENT_WORDS) if expected == "a statement" else None


def _outside(kind: str) -> str:
    if kind == "}":
        return "no `{` is open here"
    return f"a declaration begins with one of {', '.join(MEMBER_WORDS)}"


def _is_word(kind: str) -> bool:
    return kind not in (NAME, INT, STRING, END, BAD) and kind[0].isalpha()


def misspelt(tokens: Tokens, at: int, words: tuple[str, ...]) -> str | None:
    """Is one of the names in front of a token, in its line, almost one of these words?

    A misspelt keyword reads as a name, so that the line goes wrong only behind it. It is not
    followed by an operator, as a variable would be.
    """
    from difflib import get_close_matches  # for wrong programs only

    line_start = tokens.file.text.rfind("\n", 0, tokens.starts[at]) + 1
    for back in range(at, max(at - _LOOK_BACK, -1), -1):
        if tokens.starts[back] < line_start:
            return None
        kinds = tokens.kinds[back : back + 2]
        if kinds[0] != NAME or not kinds[1][0].isalpha():
            continue
        name = tokens.text(back)
        if name in _FOREIGN_HELP:
            return _FOREIGN_HELP[name]
        close = get_close_matches(name, words, n=1, cutoff=0.75) if len(name) < _SHOWN else []
        if close:
            return f"did you mean `{close[0]}`?"
    return None
