"""What to say about a token that the parser cannot consume."""

from __future__ import annotations

from pitviper.syntax import foreign
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

STILL_OPEN = "the `{` of line"
"""How the help begins that a brace is missing in front of an `else`."""

CLAUSE_WORDS = ("requires", "ensures", "decreases")

_EXPECTED_HELP = {
    ("an expression", "if"): "write `condition ? e1 : e2`",
    ("an expression", "Int"): "types stand only in declarations, such as `x: Int`",
    ("a statement", ":="): "is the statement before it complete?",
    ("a statement", "|"): "write `||` for a disjunction",
    ("a statement", "else"): "no `if` ends before it: is a `}` missing or superfluous?",
    ("a statement", "elseif"): "no `if` ends before it: is a `}` missing or superfluous?",
    ("a statement", "invariant"): "an invariant stands before the `{` of a loop",
    ("a statement", "requires"): "a contract stands before the `{` of a method; in a body, "
    "`assert` says what has to hold",
    ("a statement", "ensures"): "a contract stands before the `{` of a method; in a body, "
    "`assert` says what has to hold",
    ("a statement", "decreases"): "`decreases` stands before the body of the method or loop",
    ("a statement", "acc"): "write `inhale`, `exhale`, `assert` or `assume` before it",
    ("a statement", "in"): "there is no `for`: write a `while` loop",
    ("a statement", "returns"): "assign to the return variable that `returns (x: T)` declares",
    ("a declaration", "requires"): "a contract stands before the body of its method",
    ("a declaration", "ensures"): "a contract stands before the body of its method",
    ("a declaration", "returns"): "`returns (x: T)` stands between the parameters and the contract",
    ("a declaration", "invariant"): "an invariant stands after the condition of a loop",
    ("a declaration", ":"): "a method names its results: `method m() returns (res: Int)`",
    ("a declaration", "-"): "a method names its results: `method m() returns (res: Int)`",
    ("`(`", "Int"): "name the result: `returns (res: Int)`",
    ("`(`", "Bool"): "name the result: `returns (res: Bool)`",
    ("`(`", "Ref"): "name the result: `returns (res: Ref)`",
    ("`::`", "."): "write `::` between the variables and the body",
}

TYPE_WORDS = ("Int", "Bool", "Ref", "Perm", "Seq", "Set", "Multiset", "Map")

_STUCK_HELP = {
    ("<", ">"): "write `!=` for `is different from`",
    ("<=", ">"): "write `<==>` for an equivalence",
    ("-", ">"): "write `==>` for an implication",
    ("|", "|"): "write `||` for a disjunction",
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
    if kind == NAME and text in foreign.OPERATORS:
        return foreign.OPERATORS[text]
    if at > 0 and stands_behind_word(tokens, at):
        return foreign.OPERATORS[tokens.text(at - 1)]
    if expected == "an expression" and at > 0 and _between(tokens, at - 1).count("\n"):
        last = f"after `{tokens.text(at - 1)}`, the end of line {_line(tokens, at - 1)}"
        return f"an expression is missing {last}"
    found = _stuck(tokens, at) or _EXPECTED_HELP.get((expected, kind))
    if found is not None:
        return found
    if kind == STRING:
        return "strings stand only in annotations, imports and interpretations"
    match expected:
        case "a name" if kind in TYPE_WORDS:
            return f"a variable has a name and a type, as in `res: {text}`"
        case "a name" if _is_word(kind):
            return f"`{text}` is reserved: choose another name, such as `{text}2`"
        case "a declaration":
            return _about_declaration(tokens, at)
        case "a statement":
            found = _update(tokens, at) or misspelt(tokens, at, STATEMENT_WORDS)
            return found or (
                "what stands before it is complete: is an operator missing, or is "
                f"`{text[:_SHOWN]}` too much?"
            )
        case "an expression":
            return _about_expression(tokens, at)
        case "a type":
            return "write a type, such as `Int`, `Ref` or `Seq[Int]`"
        case "`{`":
            return "the body stands in braces: `{ ... }`"
        case _:
            return "write `||` for a disjunction" if kind == "|" else None


def stands_behind_word(tokens: Tokens, at: int) -> bool:
    """Whether a token is the operand of an operator that other languages write as a word."""
    is_word = tokens.kinds[at - 1] == NAME and tokens.text(at - 1) in foreign.OPERATORS
    return is_word and tokens.kinds[at] == NAME and "\n" not in _between(tokens, at - 1)


def is_foreign(tokens: Tokens, at: int) -> bool:
    """Whether a token goes wrong because of a word of another language: all brackets may close."""
    if tokens.kinds[at] == NAME and tokens.text(at) in foreign.OPERATORS:
        return True
    return at > 0 and stands_behind_word(tokens, at)


def parameter_type(tokens: Tokens, name: str, at: int) -> str | None:
    """The type of a parameter of the method around a token, as it is written."""
    kinds, back = tokens.kinds, at
    while back > 0 and kinds[back] != "method":
        back -= 1
    depth = 0
    for here in range(back + 2, at):
        depth += (kinds[here] in ("(", "[")) - (kinds[here] in (")", "]"))
        if depth == 0:
            return None
        if depth == 1 and kinds[here] == ":" and tokens.text(here - 1) == name:
            return _type_behind(tokens, here + 1, at)
    return None


def _type_behind(tokens: Tokens, start: int, end: int) -> str | None:
    """The text of a type, up to the comma or parenthesis behind it."""
    depth = 0
    for here in range(start, end):
        kind = tokens.kinds[here]
        if depth == 0 and kind in (",", ")"):
            return tokens.file.text[tokens.starts[start] : tokens.ends[here - 1]]
        depth += (kind == "[") - (kind == "]")
    return None


def _stuck(tokens: Tokens, at: int) -> str | None:
    """About a token that touches the one in front of it."""
    kinds = tokens.kinds
    if at == 0 or tokens.ends[at - 1] != tokens.starts[at]:
        return None
    if kinds[at] == INT and kinds[at - 1] == ".":
        return "there are no decimal numbers: write a fraction such as 3/2"
    return _STUCK_HELP.get((kinds[at - 1], kinds[at]))


def _between(tokens: Tokens, at: int) -> str:
    """The text between a token and the next one."""
    return tokens.file.text[tokens.ends[at] : tokens.starts[at + 1]]


def _line(tokens: Tokens, at: int) -> int:
    return tokens.file.text.count("\n", 0, tokens.starts[at]) + 1


def _is_a_body(tokens: Tokens, at: int) -> bool:
    """Whether a statement follows the header or the contract of a method."""
    kinds = tokens.kinds
    begins = kinds[at] in STATEMENT_WORDS or (
        kinds[at] == NAME and kinds[at + 1 : at + 2] in ([":="], ["."])
    )
    for back in range(at - 1, -1, -1):
        if not begins or kinds[back] in ("{", "}", *[w for w in MEMBER_WORDS if w != "method"]):
            return False
        if kinds[back] == "method":
            return True
    return False


def _about_declaration(tokens: Tokens, at: int) -> str:
    kind, text = tokens.kinds[at], tokens.text(at)
    if kind == "}":
        return "no `{` is open here"
    if kind in ("var", "axiom") or (kind == NAME and text in foreign.MEMBERS):
        return foreign.MEMBERS[text]
    if _is_a_body(tokens, at):
        return "a body stands in braces: write `{` before this, and `}` after the last line"
    close = misspelt(tokens, at, (*MEMBER_WORDS, *CLAUSE_WORDS))
    if close is None and kind in STATEMENT_WORDS:
        close = "statements stand in the body of a method: is there a `}` too many before it?"
    return close or f"a declaration begins with one of {', '.join(MEMBER_WORDS)}"


def _about_expression(tokens: Tokens, at: int) -> str:
    kind, before = tokens.kinds[at], tokens.kinds[at - 1]
    if kind == "]" and before == "[":
        return "an empty sequence is `Seq[Int]()`, with the type of its elements"
    if kind == "{" and before in (":=", "==") and tokens.kinds[at + 1 : at + 3][1:] == [":"]:
        return f"a map is written `Map({tokens.text(at + 1)} := {tokens.text(at + 3)})`"
    if kind == "{" and before in (":=", "==", "!=", "in", "(", ",", "union"):
        if elements := _elements(tokens, at):
            return f"a set is written `Set({elements})`, a sequence `Seq({elements})`"
        return "a set is written `Set(1, 2)`, a sequence `Seq(1, 2)`, an empty set `Set[Int]()`"
    if kind == "{" and tokens.kinds[at + 1 : at + 2] == ["}"] and before not in (")", NAME):
        return "an empty set is `Set[Int]()`, with the type of its elements"
    if kind == ":" and before in _CLAIMS:
        return f"leave the `:` out: `{before} ...`"
    if before == "++":
        return "`++` joins two sequences: to count up, write `... + 1` as the value"
    return "an operand is missing here"


_CLAIMS = (*CLAUSE_WORDS, "invariant", "assert", "assume", "inhale", "exhale")


def _elements(tokens: Tokens, opened: int) -> str:
    """What stands between braces in one line."""
    text = tokens.file.text[tokens.ends[opened] :].partition("\n")[0]
    return text.partition("}")[0].strip() if "}" in text and len(text) <= _SHOWN else ""


def _update(tokens: Tokens, at: int) -> str | None:
    """About `i += e`, `i++` and their like."""
    kind, after = tokens.kinds[at], tokens.text(at + 1) if at + 1 < len(tokens.kinds) else ""
    if kind not in ("+", "-", "*", "/", "%", "++") or at == 0 or tokens.kinds[at - 1] != NAME:
        return None
    name = tokens.text(at - 1)
    if kind == "++" or after == kind:
        return f"write `{name} := {name} {kind[0]} 1`"
    return f"write `{name} := {name} {kind} ...`" if after.startswith("=") else None


def _is_word(kind: str) -> bool:
    return kind not in (NAME, INT, STRING, END, BAD) and kind[0].isalpha()


def misspelt(tokens: Tokens, at: int, words: tuple[str, ...]) -> str | None:
    """Is one of the names in front of a token, in its line, almost one of these words?

    A misspelt keyword reads as a name, so that the line goes wrong only behind it. It is not
    followed by an operator, as a variable would be. Words of other languages are known as such.
    """
    from difflib import get_close_matches  # for wrong programs only

    line_start = tokens.file.text.rfind("\n", 0, tokens.starts[at]) + 1
    for back in range(at, max(at - _LOOK_BACK, -1), -1):
        if tokens.starts[back] < line_start:
            return None
        if tokens.kinds[back] != NAME:
            continue
        name = tokens.text(back)
        if name in foreign.OPERATORS:
            return foreign.OPERATORS[name]
        if not _followed_by_operand(tokens, back):
            continue
        if name in foreign.STATEMENTS and words is STATEMENT_WORDS:
            return foreign.STATEMENTS[name]
        close = get_close_matches(name, words, n=1, cutoff=0.75) if len(name) < _SHOWN else []
        if close:
            return f"did you mean `{close[0]}`?"
    return None


def _followed_by_operand(tokens: Tokens, at: int) -> bool:
    kind = tokens.kinds[at + 1]
    return kind[0].isalpha() or (kind in "({" and tokens.ends[at] != tokens.starts[at + 1])
