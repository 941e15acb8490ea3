"""Which word is to blame, where the parser goes wrong only behind it.

`assert a mod 2 == 0` reads as two statements, `assert a` and `mod`, and fails at `2`: the word that
is wrong is `mod`. A rule gets the token at which the parser stands and returns the tokens that
are wrong, what is wrong with them and what to write, or None. Rules are asked about wrong programs
only, so none of them changes what is accepted.
"""

from __future__ import annotations

from collections.abc import Callable

from pitviper.syntax import foreign
from pitviper.syntax.parse.complaints import MEMBER_WORDS, STATEMENT_WORDS, misspelt
from pitviper.syntax.parse.mistakes import branches, clauses
from pitviper.syntax.parse.mistakes.choices import CULPRITS as CHOICES
from pitviper.syntax.parse.mistakes.choices import chosen_by_words
from pitviper.syntax.parse.mistakes.comments import comment
from pitviper.syntax.parse.mistakes.look import Culprit, CulpritRule, Look
from pitviper.syntax.parse.mistakes.members.bodies import macro_of_value
from pitviper.syntax.parse.mistakes.objects import method_of_object, several_cases
from pitviper.syntax.parse.mistakes.operands import operand_end, operand_start
from pitviper.syntax.parse.mistakes.signs import foreign_sign
from pitviper.syntax.parse.mistakes.statements import block_of_words
from pitviper.syntax.parse.mistakes.values import elements, numbers
from pitviper.syntax.parse.mistakes.values.kinds import argument_of_plain
from pitviper.syntax.token import INT, NAME, Tokens


def culprit(tokens: Tokens, at: int, expected: str) -> Culprit | None:
    """The word of another language because of which the parser fails at a token."""
    look = Look(tokens)
    return next((found for rule in _RULES if (found := rule(look, at, expected))), None)


_ENDS = (NAME, INT, ")", "]", "true", "false", "null", "result", "none", "write")
"""What an operand ends with."""

_OPENS = (NAME, INT, "true", "false", "null", "result", "none", "write", "old", "!", "acc")
"""What an operand begins with."""

_BLOCKS = ("switch", "match", "for", "foreach", "do", "repeat", "loop", "try", "until")
"""Statements of other languages that have a block."""


def _same_line(look: Look, at: int) -> bool:
    """Whether a token stands in the line of the one in front of it."""
    return at > 0 and look.line(at) == look.line(at - 1)


# ---------------------------------------------------------------- signs


def _comment_sign(look: Look, at: int, _: str) -> Culprit | None:
    """`# a comment`, which goes wrong where its words do."""
    found = comment(look, at)
    return None if found is None else Culprit(*found)


def _foreign_sign(look: Look, at: int, _: str) -> Culprit | None:
    """`x =/= 1`."""
    found = foreign_sign(look, at)
    return None if found is None else Culprit(*found)


def _plain_type(look: Look, at: int, _: str) -> Culprit | None:
    """`x: Ref[Node]`."""
    found = argument_of_plain(look, at)
    return None if found is None else Culprit(*found)


# ---------------------------------------------------------------- expressions


def _method(look: Look, at: int, _: str) -> Culprit | None:
    """`s.contains(1)`."""
    found = method_of_object(look, at)
    if found is None:
        return None
    name = look.text(found.name)
    if found.is_case:
        message = f"there is no `.{name}(...)`"
    elif found.of_collection:
        message = f"there is no `.{name}(...)`: collections have no methods"
    else:
        message = f"there is no `.{name}(...)`: objects have no methods of their own"
    return Culprit(found.name, found.name, message, found.help)


_SIGNS = {"mod": "%", "div": "\\", "is": "==", "equals": "=="}
"""Operators whose operands are short, so that they can be repeated."""


def _operator(look: Look, at: int, _: str) -> Culprit | None:
    """`a mod 2`, and any other word between two operands."""
    first = look.first_of_line(at)
    for word in range(at, max(first, at - 8), -1):
        if look.kind(word) != NAME or look.kind(word - 1) not in _ENDS:
            continue
        known = look.text(word) in foreign.OPERATORS
        if not _same_line(look, word) or not (known or look.kind(word + 1) in _OPENS):
            continue
        if look.kind(word + 1) in (":=", ":", ",", "."):
            continue
        if not known and (look.text(word) in foreign.STATEMENTS or word != at - 1):
            continue  # the parser has to have taken it for a statement
        if not known and misspelt(look.tokens, at, STATEMENT_WORDS) is not None:
            continue
        return Culprit(word, word, f"there is no `{look.text(word)}` here", _written(look, word))
    return None


def _written(look: Look, word: int) -> str | None:
    """What to write for a word between two operands, with these."""
    name, start, end = look.text(word), operand_start(look, word), operand_end(look, word + 1)
    left, right = look.between(start, word), look.between(word + 1, end)
    if name == "not" and look.kind(word + 1) == "in":
        return f"write `!({left} in {look.between(word + 2, operand_end(look, word + 2))})`"
    if name == "then" and (told := block_of_words(look, word, "`{`")) is not None:
        return told
    if name == "then" and (told := chosen_by_words(look, word)) is not None:
        return told
    if not left or not right or "\n" in left + right:
        return foreign.OPERATORS.get(name)
    if name in ("contains", "has"):
        return f"write `{right} in {left}`"
    if name == "notin":
        return f"write `!({left} in {right})`"
    if name in ("is", "instanceof") and look.kind(word + 1) == NAME and right[:1].isupper():
        return f"write `{left}.is{right.removesuffix('()')}`"
    if name in _SIGNS:
        whole = f"`{left} {_SIGNS[name]} {right}`"
        return f"{foreign.OPERATORS[name]}: {whole}"
    if name in foreign.OPERATORS:
        return foreign.OPERATORS[name]
    if look.kind(start - 1) in ("fold", "unfold", "unfolding"):
        amount = look.between(word + 1, max(end, _amount_end(look, word + 1)))
        return f"a part of it is written `{look.text(start - 1)} acc({left}, {amount})`"
    return f"what stands before it is complete: write an operator for `{name}`, or leave it out"


def _amount_end(look: Look, start: int) -> int:
    """The token behind a fraction such as `1/2`."""
    return start + 3 if look.kind(start + 1) == "/" else start + 1


def _range(look: Look, at: int, _: str) -> Culprit | None:
    """`range(0, 5)`."""
    first = look.first_of_line(at)
    for word in range(at, first - 1, -1):
        opened = word + 1
        if look.kind(word) != "range" or look.kind(opened) != "(":
            continue
        if look.kind(word - 1) in MEMBER_WORDS or _is_declared_word(look, "range"):
            message = "`range` is a word of the language: it gives the values of a map"
            help_ = "choose another name, such as `range_of`, here and where it is used"
            return Culprit(word, word, message, help_)
        closing = look.closing(opened)
        comma = look.behind(opened, ",")
        if closing is None or comma is None or comma > closing or look.kind(word - 2) == "for":
            return None
        low, high = look.between(opened + 1, comma), look.between(comma + 1, closing)
        if any(look.text(i) in ("for", "foreach") for i in range(first, word)):
            return None
        message = "`range(...)` gives the values of a map, and takes one argument"
        return Culprit(word, word, message, f"write `[{low}..{high})` for the numbers in between")
    return None


def _is_declared_word(look: Look, word: str) -> bool:
    """Whether the file declares a member by a word of the language."""
    places = range(1, len(look.tokens.kinds))
    return any(look.text(i) == word and look.kind(i - 1) in MEMBER_WORDS for i in places)


_RUST = {
    "assert": "write `assert {}`",
    "prusti_assert": "write `assert {}`",
    "debug_assert": "write `assert {}`",
    "assume": "write `assume {}`",
    "prusti_assume": "write `assume {}`",
    "body_invariant": "an invariant stands between the condition of the loop and its body: "
    "`invariant {}`",
    "panic": "write `assert false` where a run must not come",
    "unreachable": "write `assert false` where a run must not come",
    "println": "leave it out: nothing is printed, the program is proved and not run",
    "print": "leave it out: nothing is printed, the program is proved and not run",
    "vec": "a sequence is written `Seq({})`",
}


def _exclaimed(look: Look, at: int, _: str) -> Culprit | None:
    """`body_invariant!(i <= n)` of Rust, which goes wrong at the `!` or behind it."""
    for sign in range(at, max(at - 5, 0), -1):
        name, opened = sign - 1, sign + 1
        if look.kind(sign) != "!" or not look.is_word(name) or not look.stuck(sign):
            continue
        closing = look.closing(opened) if look.kind(opened) in ("(", "[") else None
        given = "..." if closing is None else look.between(opened + 1, closing) or "..."
        word = look.text(name)
        parts = [part.strip() for part in given.split(",")]
        sign_ = {"assert_eq": "==", "assert_ne": "!="}.get(word.removeprefix("debug_"))
        if sign_ is not None and len(parts) == 2 and given.count("(") == given.count(")"):
            help_ = f"write `assert {parts[0]} {sign_} {parts[1]}`"
            return Culprit(name, sign, f"there is no `{word}!`", help_)
        told = _RUST.get(word, f"leave the `!` out: a macro is used as `{word}({{}})`")
        return Culprit(name, sign, f"there is no `{word}!`", told.format(given))
    return None


def _elif(look: Look, at: int, expected: str) -> Culprit | None:
    """`elif (c) { ... } else { ... }`, which reads as a call and a block, and fails at `else`."""
    if expected != "a statement" or look.kind(at) not in ("else", "elseif"):
        return None
    opened = look.opening(at - 1) if look.kind(at - 1) == "}" else None
    head = look.opening(opened - 1) if opened is not None and look.kind(opened - 1) == ")" else None
    if head is None or look.text(head - 1) not in ("elif", "elsif", "elsei"):
        return None
    word = look.text(head - 1)
    condition = look.between(head, opened or head)
    return Culprit(head - 1, head - 1, f"there is no `{word}`", f"write `elseif {condition}`")


def _of_function(look: Look, at: int, expected: str) -> Culprit | None:
    """`match` and `return` as the body of a function."""
    word = look.text(at - 1)
    if expected != "`}`" or look.kind(at - 1) != NAME or look.kind(at - 2) != "{":
        return None
    if word == "return":
        return Culprit(at - 1, at - 1, "there is no `return`")
    if word in ("match", "case", "switch"):
        return Culprit(at - 1, at - 1, f"there is no `{word}`", several_cases(look, at - 1))
    return None


def _sign(look: Look, at: int, _: str) -> Culprit | None:
    """`a <> b`, `a -> b` and `a <=> b`: two signs that were meant as one."""
    if look.kind(at) != ">" or not look.stuck(at) or look.kind(at - 1) not in ("<", "-", "<="):
        return None
    if look.kind(at - 2) not in _ENDS:
        return None
    sign, told = look.between(at - 1, at + 1), None
    start = operand_start(look, at - 1)
    if sign == "<>" and look.kind(start - 1) not in ("+", "-", "*", "/", "\\", "%", "|"):
        left = look.between(start, at - 1)
        end = operand_end(look, at + 1)
        right = look.between(at + 1, end) if look.kind(at + 1) != "|" else ""
        told = f"write `{left} != {right}`" if left and right and "\n" not in left + right else None
    return Culprit(at - 1, at, f"there is no `{sign}`", told)


def _update(look: Look, at: int, expected: str) -> Culprit | None:
    """`x += 1`, `x.f += 1` and `x++` as a statement; `x /= 3` in an expression."""
    sign = at - 1 if look.text(at) == "=" else at
    if look.text(sign) not in ("+", "-", "*", "/", "%", "++", "--"):
        return None
    doubled = look.text(sign + 1) == look.text(sign) and look.stuck(sign + 1)
    equals = look.text(sign + 1)[:1] == "=" and look.stuck(sign + 1)
    if not (equals or doubled or len(look.text(sign)) == 2) or look.kind(sign - 1) not in _ENDS:
        return None
    start, last = operand_start(look, sign), sign + 1 if equals or doubled else sign
    written = look.between(sign, last + 1)
    target, mark = look.between(start, sign), look.text(sign)[0]
    alone = look.kind(start - 1) in ("{", "}", ";", "") or look.begins_line(start)
    if alone and expected in ("a statement", "`:=`", "`,` or `:=`"):
        value = look.rest(last + 1).rstrip("} ") if equals else "1"
        value = value if look.is_operand(value) else f"({value})"
        told = f"write `{target} := {target} {mark} {value}`"
        missing = written if equals else f"{target}{written}"
        return Culprit(sign, last, f"there is no `{missing}`", told)
    if not equals:
        return None
    if mark == "/":
        right = look.between(last + 1, operand_end(look, last + 1))
        return Culprit(
            sign, last, "there is no `/=`", f"write `{target} != {right}` for `is different from`"
        )
    told = f"an expression changes nothing: write `{target} := {target} {mark} ...` first"
    return Culprit(sign, last, f"there is no `{written}` in an expression", told)


# ---------------------------------------------------------------- statements


def _statement(look: Look, at: int, _: str) -> Culprit | None:
    """A statement of another language begins in the line, in front of the token."""
    first = look.first_of_line(at)
    for word in range(first, at + 1):
        if _begins_foreign(look, word):
            return _blamed(look, word)
    return None


def _begins_foreign(look: Look, word: int) -> bool:
    name, after = look.text(word), look.kind(word + 1)
    if look.kind(word) != NAME or name not in foreign.STATEMENTS:
        return False
    is_value = look.kind(word - 1) == ":=" and name in ("match", "switch")
    begins = look.kind(word - 1) in ("{", "}", ";", ")") or look.begins_line(word)
    if not begins and not is_value:
        return False
    if after in (":=", ",", ".", "[", ":", "::") or look.depth(word) == 0:
        return False
    return not look.is_declared(name)


def _around(look: Look, at: int, _: str) -> Culprit | None:
    """The token stands in the block of a statement of another language."""
    depth = 0
    for back in range(at - 1, -1, -1):
        depth += (look.kind(back) == "}") - (look.kind(back) == "{")
        if depth >= 0:
            continue
        depth = 0
        first = look.first_of_line(back)
        for word in range(back - 1, first - 1, -1):
            if look.kind(word) in ("{", "}", ";"):
                break
            if look.text(word) in _BLOCKS and _begins_foreign(look, word):
                return _blamed(look, word)
    return None


def _let(look: Look, at: int, expected: str) -> Culprit | None:
    """`let x = 1` and `let mut x: Int := 1`, without `in`."""
    first = look.before(at, "let")
    if first is None or expected not in ("`==`", "`(`", "`in`", "an expression"):
        return None
    begins = look.kind(first - 1) in ("{", "}", ";") or look.begins_line(first)
    if not begins or look.line(first) != look.line(at - 1) or " in " in look.rest(first):
        return None
    member = look.before(first, "method", "function", "predicate")
    if member is None or look.kind(member) != "method":
        return None
    return Culprit(first, first, "there is no `let` as a statement")


def _do_loop(look: Look, at: int, expected: str) -> Culprit | None:
    """`do { ... } while (c)`, over several lines."""
    opened = look.opening(at - 1) if look.kind(at - 1) == ")" else None
    if expected != "`{`" or opened is None or look.kind(opened - 1) != "while":
        return None
    brace = look.opening(opened - 2) if look.kind(opened - 2) == "}" else None
    if brace is None or look.text(brace - 1) not in ("do", "repeat"):
        return None
    return _blamed(look, brace - 1)


def _blamed(look: Look, word: int) -> Culprit:
    name = look.text(word)
    told = _SPECIAL[name](look, word) if name in _SPECIAL else None
    return Culprit(word, word, f"there is no `{name}`", told or foreign.STATEMENTS[name])


def _after_do(look: Look, word: int) -> str | None:
    """The body once, then the loop, in the words of the program where they are short."""
    if look.kind(word - 1) == ")":
        return block_of_words(look, word, "`{`") or "leave `do` out"
    closing = look.closing(word + 1) if look.kind(word + 1) == "{" else None
    if closing is None or look.kind(closing + 1) != "while" or look.kind(closing + 2) != "(":
        return None
    end = look.closing(closing + 2)
    body = look.between(word + 2, closing)
    condition = "c" if end is None else look.between(closing + 3, end)
    if not body or "\n" in body or len(body) > _SHORT:
        told = "the body of `do`"
        return f"write {told} once, then `while ({condition}) {{ ... }}` with the same body"
    return f"write the body once, then the loop: `{body}; while ({condition}) {{ {body} }}`"


_SHORT = 40
"""Characters of a text that is repeated in advice."""


def _after_return(look: Look, word: int) -> str | None:
    before = look.tokens.file.text[: look.tokens.starts[word]]
    value = look.rest(word + 1) if look.line(word + 1) == look.line(word) else ""
    if (told := macro_of_value(look, word)) is not None:
        return told
    while value.endswith("}") and value.count("}") > value.count("{"):
        value = value[:-1].strip().rstrip(";")
    return None if "{" in value or ";" in value else foreign.returned(before, value)


def _after_switch(look: Look, word: int) -> str | None:
    member = next((i for i in range(word, -1, -1) if look.kind(i) in MEMBER_WORDS[:3]), word)
    is_value = look.kind(word - 1) == ":=" or look.kind(member) in ("function", "predicate")
    return several_cases(look, word, statement=not is_value)


def _after_for(look: Look, word: int) -> str | None:
    """A loop that counts, with the variable and the bounds that are written."""
    name = word + 2 if look.kind(word + 1) == "(" else word + 1
    while look.text(name) in ("var", "int", "let", "auto"):
        name += 1
    variable = look.text(name)
    first = variable if look.type_of(variable, word) else f"var {variable}: Int"
    brace = look.behind(name, "{")
    if look.kind(name) != NAME or brace is None:
        return None
    head = look.text(name + 1)
    if head == "in" and look.kind(name + 2) == "range" and look.kind(name + 3) == "(":
        closing, comma = look.closing(name + 3), look.behind(name + 3, ",")
        if closing is None:
            return None
        both = comma is not None and comma < closing
        low = look.between(name + 4, comma) if both and comma is not None else "0"
        high = look.between((comma if both and comma is not None else name + 3) + 1, closing)
        return _counting(variable, first, low, high)
    dots = look.behind(name, "..", "{")
    if head == "in" and dots is not None and look.kind(dots) == "..":
        start = name + 3 if look.kind(name + 2) == "[" else name + 2
        last = brace - 1 if look.kind(brace - 1) in (")", "]") else brace
        high = look.between(dots + 1, last)
        return _counting(variable, first, look.between(start, dots), high)
    if head == "in":
        whole = look.text(name + 2)
        return (
            f"count in a loop: `var i: Int := 0`, then `while (i < |{whole}|) {{ ... i := i + 1 }}`"
            f", where `{whole}[i]` is the element of a sequence"
        )
    ended, sign = look.behind(name, ";"), name + 3 if head == ":" else name + 1
    if look.text(sign) in (":=", "=") and ended is not None and ended < brace:
        again = look.behind(ended, ";")
        condition = "" if again is None else look.between(ended + 1, again)
        return _loop(variable, first, look.between(sign + 1, ended), condition)
    return None


def _counting(variable: str, first: str, low: str, high: str) -> str | None:
    """From one number up to another, with an invariant that says so."""
    kept = f"invariant {low} <= {variable} && {variable} <= {high} "
    return _loop(variable, first, low, f"{variable} < {high}", kept)


def _loop(variable: str, first: str, low: str, condition: str, kept: str = "") -> str | None:
    """`first` is the variable with its declaration, where it has none yet."""
    if not condition or not low or "\n" in condition + low:
        return None
    return (
        f"count in a loop: `{first} := {low}`, then "
        f"`while ({condition}) {kept}{{ ... {variable} := {variable} + 1 }}`"
    )


_SPECIAL: dict[str, Callable[[Look, int], str | None]] = {
    "do": _after_do,
    "repeat": _after_do,
    "switch": _after_switch,
    "match": _after_switch,
    "for": _after_for,
    "foreach": _after_for,
    "return": _after_return,
}

_RULES: tuple[CulpritRule, ...] = (
    _comment_sign, *branches.CULPRITS, *CHOICES, _foreign_sign, _plain_type, _exclaimed, _elif,
    _of_function, _let, _do_loop, _around, _statement, _update, _range, _method, _operator,
    *clauses.RULES, *numbers.RULES, *elements.RULES, _sign,
)  # fmt: skip
