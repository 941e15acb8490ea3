"""What people write who come from other languages: shapes of tokens, with what to write instead.

A rule gets the token at which the parser stands and what the parser expected there; it returns
what to write, made of the program's own words where these are short, or None where the shape is
another one. Rules are asked about wrong programs only, so none of them changes what is accepted.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from pitviper.syntax import foreign
from pitviper.syntax.parse.complaints import MEMBER_WORDS, TYPE_WORDS
from pitviper.syntax.token import INT, NAME, STRING, Tokens

_FAR = 60
"""Tokens that are looked at in front of a place, and behind it."""

_OPERANDS = (NAME, INT, ")", "]", "true", "false", "null", "result")


def slip(tokens: Tokens, at: int, expected: str) -> str | None:
    """What to write instead, where the shape of the tokens tells what was meant."""
    look = _Look(tokens)
    return next((said for rule in _RULES if (said := rule(look, at, expected)) is not None), None)


def is_closed(tokens: Tokens, opened: int) -> bool:
    """Whether the bracket of a token has its partner: what goes wrong inside is something else.

    A partner that belongs to a later statement or member is none.
    """
    kind = tokens.kinds[opened]
    partner = {"(": ")", "[": "]", "{": "}"}.get(kind)
    if partner is None:
        return False
    depth = 0
    for at in range(opened, len(tokens.kinds)):
        here = tokens.kinds[at]
        if kind != "{" and (here in ("{", "}", ":=") or here in _BEGINNINGS) and depth <= 1:
            return here == ":=" and _partner_in_line(tokens, opened, partner)
        depth += (here == kind) - (here == partner)
        if depth == 0:
            return True
    return False


_BEGINNINGS = (
    *MEMBER_WORDS[:5], "requires", "ensures", "invariant", "assert", "assume", "inhale", "exhale",
    "fold", "unfold", "var", "while", "goto", "label",
)  # fmt: skip


def _partner_in_line(tokens: Tokens, opened: int, partner: str) -> bool:
    end = tokens.file.text.find("\n", tokens.starts[opened])
    line = tokens.file.text[tokens.starts[opened] : None if end < 0 else end]
    return line.count(partner) >= line.count(tokens.kinds[opened])


class _Look:
    """Tokens by their index; beyond the ends there is nothing."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self._last = len(tokens.kinds) - 1

    def kind(self, at: int) -> str:
        return self.tokens.kinds[at] if 0 <= at <= self._last else ""

    def text(self, at: int) -> str:
        return self.tokens.text(at) if 0 <= at <= self._last else ""

    def stuck(self, at: int) -> bool:
        """Whether a token touches the one in front of it."""
        return 0 < at <= self._last and self.tokens.ends[at - 1] == self.tokens.starts[at]

    def line(self, at: int) -> int:
        """The offset at which the line of a token begins."""
        return self.tokens.file.text.rfind("\n", 0, self.tokens.starts[at]) + 1

    def begins_line(self, at: int) -> bool:
        return not self.tokens.file.text[self.line(at) : self.tokens.starts[at]].strip()

    def ends_line(self, at: int) -> bool:
        behind = self.tokens.file.text[self.tokens.ends[at] :]
        return not behind.partition("\n")[0].strip()

    def rest(self, at: int) -> str:
        """The text from a token to the end of its line."""
        start = self.tokens.starts[min(at, self._last)]
        text = self.tokens.file.text[start:].partition("\n")[0]
        return text.partition("//")[0].strip().rstrip(";")

    def between(self, first: int, end: int) -> str:
        """The text from one token to the one in front of another."""
        if not 0 <= first < end <= self._last:
            return ""
        return self.tokens.file.text[self.tokens.starts[first] : self.tokens.ends[end - 1]]

    def before(self, at: int, *kinds: str) -> int | None:
        """The last token of these kinds in front of a place, not far from it."""
        for back in range(at - 1, max(at - _FAR, -1), -1):
            if self.kind(back) in kinds:
                return back
        return None

    def behind(self, at: int, *kinds: str) -> int | None:
        """The first token of these kinds behind a place, not far from it."""
        for here in range(at + 1, min(at + _FAR, self._last + 1)):
            if self.kind(here) in kinds:
                return here
        return None

    def partner(self, opened: int) -> int | None:
        """The parenthesis that closes the one of a token, not far from it."""
        depth = 0
        for here in range(opened, min(opened + _FAR, self._last + 1)):
            depth += (self.kind(here) == "(") - (self.kind(here) == ")")
            if depth == 0:
                return here
        return None

    def first_of_line(self, at: int) -> int:
        """The first token of the line of a token."""
        start = self.line(at)
        while at > 0 and self.tokens.starts[at - 1] >= start:
            at -= 1
        return at

    def is_word(self, at: int) -> bool:
        return self.kind(at)[:1].isalpha()


# ---------------------------------------------------------------- types and declarations


def _type_first(look: _Look, at: int, expected: str) -> str | None:
    if look.kind(at) not in TYPE_WORDS or expected not in ("a name", "a statement"):
        return None
    end = at + 1
    if look.kind(end) == "[":
        closing = look.behind(end, "]")
        end = end if closing is None else closing + 1
    if look.kind(end) != NAME:
        return None
    binding = f"{look.text(end)}: {look.between(at, end)}"
    if expected == "a name":
        return f"a name stands in front of its type: write `{binding}`"
    value = f" := {look.rest(end + 2)}" if look.kind(end + 1) == ":=" else ""
    return f"a variable is declared with `var`, its name in front: `var {binding}{value}`"


def _unnamed_result(look: _Look, at: int, expected: str) -> str | None:
    if expected == "a name" and look.kind(at - 2) == "returns" and look.is_word(at):
        return f"name the result: `returns (res: {look.text(at)})`"
    return None


def _comma_between_parameters(look: _Look, at: int, expected: str) -> str | None:
    if expected == "`,` or `)`" and look.kind(at) == NAME and look.kind(at + 1) == ":":
        return f"a comma is missing: write `, {look.text(at)}`"
    return None


def _array(look: _Look, at: int, _: str) -> str | None:
    if look.kind(at) == "]" and look.kind(at - 1) == "[":
        at -= 1
    if look.kind(at) != "[" or look.kind(at + 1) != "]" or look.kind(at - 2) != ":":
        return None
    element = foreign.TYPES.get(look.text(at - 1), look.text(at - 1))
    return f"there are no arrays: write `Seq[{element}]` for a sequence"


def _optional(look: _Look, at: int, _: str) -> str | None:
    if look.kind(at) == "?" and look.kind(at - 2) == ":" and look.is_word(at - 1):
        return f"there are no optional types: leave `?` out; every `Ref` may be `null`: {_NULL}"
    return None


_NULL = "say `x != null` where it is not"


def _angle_brackets(look: _Look, at: int, _: str) -> str | None:
    if look.kind(at) != "<" or look.kind(at - 2) not in (":", "domain", "adt", ",", "["):
        return None
    closing = look.behind(at, ">")
    name = look.text(at - 1)
    if closing is None or not look.is_word(at - 1):
        return None
    if name in foreign.TYPE_HELP:
        return foreign.TYPE_HELP[name]
    return f"types in brackets: write `{name}[{look.between(at + 1, closing)}]`"


def _several_names(look: _Look, at: int, expected: str) -> str | None:
    """`var x, y: Int`."""
    var = look.before(at, "var", "(", "forall", "exists", "field")
    if expected != "`:`" or look.kind(at) != "," or var is None:
        return None
    colon = look.behind(at, ":", ")", "}", "::")
    if colon is None or look.kind(colon) != ":":
        return None
    inner = range(var + 1, colon)
    if any(look.kind(i) not in (NAME, ",") for i in inner) or not look.is_word(colon + 1):
        return None
    type_ = look.text(colon + 1)
    each = ", ".join([f"{look.text(i)}: {type_}" for i in inner if look.kind(i) == NAME])
    word = "" if look.kind(var) == "(" else f"{look.text(var)} "
    return f"each of them has a type: write `{word}{each}`"


def _such_that(look: _Look, at: int, _: str) -> str | None:
    if look.kind(at) == ":" and look.kind(at + 1) == "|" and look.stuck(at + 1):
        fact = look.rest(at + 2).rstrip("} ")
        return f"declare it, and say in a statement of its own what is known: `assume {fact}`"
    return None


def _comment(look: _Look, at: int, _: str) -> str | None:
    first = look.first_of_line(at)
    if look.kind(first) == "-" and look.kind(first + 1) == "-" and look.stuck(first + 1):
        return "a comment begins with `//`"
    if look.kind(first) != "#" or at > first + 2:
        return None
    if look.text(first + 1) == "define":
        return f"write `{look.rest(first + 1)}`, without `#`"
    if look.text(first + 1) == "include":
        return foreign.MEMBERS["include"]
    return None if look.kind(first + 2) == "(" else "a comment begins with `//`"


def _body_behind_equals(look: _Look, at: int, _: str) -> str | None:
    """`function f(): Int = e`, `define N = 3`, `adt T = ...`, `const N: Int = 3`."""
    first = look.first_of_line(at)
    braces = any(look.kind(i) == "{" for i in range(first, at))
    if look.text(at) not in ("=", ":=") or braces:
        return None
    match look.kind(first):
        case "function" | "predicate":
            return f"the body stands in braces: `{{ {look.rest(at + 1)} }}`"
        case "define" if look.text(at) == ":=":
            return f"statements stand in braces: `define {look.text(first + 1)} {{ ... }}`"
        case "define":
            return f"leave `=` out: `{look.between(first, at)} {look.rest(at + 1)}`"
        case "adt":
            return f"constructors stand in braces: `{look.between(first, at)} {{ C(x: Int) }}`"
        case "field":
            return (
                "a field has no first value: assign it where the object is made, "
                f"`x.{look.text(first + 1)} := {look.rest(at + 1)}`"
            )
    return None


def _constant(look: _Look, at: int, expected: str) -> str | None:
    if expected != "a declaration" or look.text(at) not in ("const", "let", "val", "final"):
        return None
    equals = next((i for i in range(at, at + 8) if look.text(i) in ("=", ":=")), None)
    if equals is None or look.kind(at + 1) != NAME:
        return None
    return f"write a macro: `define {look.text(at + 1)} ({look.rest(equals + 1)})`"


def _type_of_predicate(look: _Look, at: int, expected: str) -> str | None:
    first = look.first_of_line(at)
    if expected == "a declaration" and look.kind(at) == ":" and look.kind(first) == "predicate":
        return f"a predicate has no type: leave `: {look.text(at + 1)}` out"
    return None


def _returns_of_function(look: _Look, at: int, expected: str) -> str | None:
    if expected != "`:`" or look.kind(at) != "returns" or look.kind(at + 3) != ":":
        return None
    closing = look.behind(at, ")")
    if closing is None:
        return None
    return (
        f"a function has a type: write `: {look.between(at + 4, closing)}` for "
        f"`{look.between(at, closing + 1)}`; its contract calls the value `result`"
    )


def _body_in_domain(look: _Look, at: int, expected: str) -> str | None:
    if not expected.startswith("`function`, `unique`") or look.kind(at) != "{":
        return None
    function = look.before(at, "function")
    name = "f" if function is None else look.text(function + 1)
    return (
        "a function of a domain has no body: say what it is in an axiom, "
        f"`axiom {{ forall x: Int :: {name}(x) == ... }}`"
    )


def _between_constructors(look: _Look, at: int, expected: str) -> str | None:
    if expected == "a constructor or `}`" and look.kind(at) in (",", "|"):
        return f"constructors stand one behind the other: leave `{look.text(at)}` out"
    return None


def _member_inside(look: _Look, at: int, expected: str) -> str | None:
    if expected != "a statement or `}`" or look.kind(at) not in MEMBER_WORDS:
        return None
    opened, depth = at, 1
    while depth > 0 and opened > 0:
        opened -= 1
        depth += (look.kind(opened) == "}") - (look.kind(opened) == "{")
    if depth > 0 or not is_closed(look.tokens, opened):
        return None
    return f"a {look.text(at)} is declared outside of methods: move it out"


def _imported(look: _Look, at: int, expected: str) -> str | None:
    if expected == "a declaration" and look.text(at) == "from":
        return 'write `import "file.vpr"`: all of the file is imported'
    if expected != "a string" or look.kind(at - 1) != "import":
        return None
    name = (look.rest(at).split() or ["file"])[0].strip("'\"")
    return f'write the name of the file between quotes: `import "{name.removesuffix(".vpr")}.vpr"`'


# ---------------------------------------------------------------- expressions


def _method_of_object(look: _Look, at: int, _: str) -> str | None:
    """`x.m(e)`, in the line of the place."""
    first = look.first_of_line(at)
    for dot in range(first + 1, at + 1):
        name, opened = dot + 1, dot + 2
        if look.kind(dot) != "." or look.kind(opened) != "(" or not look.is_word(name):
            continue
        if not look.stuck(opened) or not look.is_word(dot - 1):
            continue
        word, receiver = look.text(name), look.text(dot - 1)
        closing = look.partner(opened)
        args = "" if closing is None else look.between(opened + 1, closing)
        if word in ("union", "intersection", "setminus", "subset"):
            return f"write `{receiver} {word} {args}`"
        if look.kind(name) != NAME:
            continue
        if word in foreign.COLLECTION_SIZES:
            return f"write `|{receiver}|` for the size of a collection"
        if word in ("contains", "has", "containsKey", "includes"):
            where = f"domain({receiver})" if word == "containsKey" else receiver
            return f"write `{args or 'x'} in {where}`"
        if word in ("get", "at", "nth", "charAt", "elementAt"):
            return f"write `{receiver}[{args or 'i'}]`"
        if word in ("append", "push", "push_back", "add", "put", "insert"):
            return (
                f"a collection is a value, which a new one replaces: `{receiver} := {receiver} ++ "
                f"Seq({args or 'x'})` for a sequence, `{receiver} union Set({args or 'x'})` for a "
                "set"
            )
        given = f"{receiver}, {args}" if args else receiver
        return f"objects have no methods of their own: write `{word}({given})`"
    return None


def _arrow(look: _Look, at: int, _: str) -> str | None:
    if look.kind(at) != ">" or look.kind(at - 1) != "-" or not look.stuck(at):
        return None
    opened = look.before(at, "Map", ";", "{", "}")
    if opened is not None and look.kind(opened) == "Map":
        return f"an entry is written `{look.text(at - 2)} := {look.text(at + 1)}`"
    if look.stuck(at - 1) and look.stuck(at + 1) and look.kind(at - 2) == NAME:
        return f"write `{look.text(at - 2)}.{look.text(at + 1)}`, with a dot"
    return None


def _points_to(look: _Look, at: int, _: str) -> str | None:
    if [look.text(i) for i in range(at, at + 3)] != ["|", "-", ">"] or not look.stuck(at + 2):
        return None
    place = look.between(at - 3, at) if look.kind(at - 2) == "." else look.text(at - 1)
    value = look.text(at + 3)
    fact = "" if value in ("_", "") else f" && {place} == {value}"
    return f"write `acc({place}){fact}`"


def _wand_sign(look: _Look, at: int, _: str) -> str | None:
    if look.kind(at) == "*" and look.kind(at - 1) == "-" and look.stuck(at):
        return "write `--*` for a magic wand"
    return None


def _two_stars(look: _Look, at: int, _: str) -> str | None:
    if look.kind(at) != "*" or look.kind(at - 1) != "*" or not look.stuck(at):
        return None
    first = look.first_of_line(at)
    if "acc" in [look.kind(i) for i in range(first, at + 2)]:
        return "write `&&` between permissions: each side has its own"
    base = look.text(at - 2)
    return f"there is no power: write `{base} * {base}`, or declare a recursive function"


def _pointer(look: _Look, at: int, expected: str) -> str | None:
    if expected == "a statement" and look.kind(at) == "*":
        name = look.text(at + 1) or "x"
        return f"there are no pointers: an object holds its values in fields, `{name}.f := ...`"
    return None


def _backslash(look: _Look, at: int, _: str) -> str | None:
    signs = (look.text(at - 1), look.text(at))
    if look.stuck(at) and signs in (("/", "\\"), ("\\", "/")):
        return f"write `{'&&' if signs[0] == '/' else '||'}`"
    if look.kind(at) != "\\" or not look.stuck(at + 1) or not look.is_word(at + 1):
        return None
    if look.text(at + 1) != "result":
        return f"write `{look.text(at + 1)}`, without `\\`"
    returns = look.before(at, "returns", "function")
    if returns is not None and look.kind(returns) == "returns":
        return f"a method names its results: write `{look.text(returns + 2)}`"
    return "write `result`, without `\\`"


def _cast(look: _Look, at: int, expected: str) -> str | None:
    around = (look.kind(at - 1), look.kind(at + 1))
    if expected == "an expression" and look.kind(at) in TYPE_WORDS and around == ("(", ")"):
        return f"there are no casts: leave `({look.text(at)})` out"
    return None


def _slice(look: _Look, at: int, expected: str) -> str | None:
    opened, closing = look.before(at, "["), look.behind(at, "]")
    if expected != "`]`" or look.kind(at) != ":" or opened is None or closing is None:
        return None
    low, base = look.between(opened + 1, at), look.text(opened - 1)
    high = look.between(at + 1, closing) if closing > at + 1 else ""
    return f"a part of a sequence is written `{base}[{low}..{high}]`"


def _conditional(look: _Look, at: int, _: str) -> str | None:
    """`a if c else b`."""
    word = at if look.kind(at) == "if" else at - 1
    if look.kind(word) != "if" or look.kind(word - 1) not in _OPERANDS or look.begins_line(word):
        return None
    if look.kind(at + 1) == "else" and look.kind(at) in _OPERANDS:
        parts = look.text(at), look.text(word - 1), look.text(at + 2)
        return "write `{} ? {} : {}`".format(*parts)
    return "write `condition ? e1 : e2`"


def _decimal(look: _Look, at: int, _: str) -> str | None:
    if look.kind(at) != INT or look.kind(at - 1) != "." or look.kind(at - 2) != INT:
        return None
    if not look.stuck(at) or not look.stuck(at - 1):
        return None
    value = Fraction(f"{look.text(at - 2)}.{look.text(at)}")
    fraction = f"{value.numerator}/{value.denominator}"
    return f"there are no decimal numbers, but fractions: write `{fraction}`"


def _in_acc(look: _Look, at: int, expected: str) -> str | None:
    """`acc(x.f && y.f)`."""
    opened = look.before(at, "(")
    if expected != "`)`" or look.kind(at) != "&&" or opened is None:
        return None
    if look.kind(opened - 1) != "acc":
        return None
    closing = look.behind(at, ")")
    left = look.between(opened + 1, at)
    right = "y.f" if closing is None else look.between(at + 1, closing)
    return f"each has its own `acc`: write `acc({left}) && acc({right})`"


def _not_in(look: _Look, at: int, _: str) -> str | None:
    if look.kind(at) != "in" or look.text(at - 1) not in ("!", "not"):
        return None
    return f"write `!({look.text(at - 2)} in {look.text(at + 1)})`"


def _contains(look: _Look, at: int, _: str) -> str | None:
    word = at if look.text(at) == "contains" else at - 1
    if look.text(word) == "contains" and look.kind(word - 1) == NAME:
        return f"write `{look.text(word + 1)} in {look.text(word - 1)}`"
    return None


def _is_constructor(look: _Look, at: int, _: str) -> str | None:
    word = at if look.text(at) in ("is", "instanceof") else at - 1
    name = look.text(word + 1)
    if look.text(word) not in ("is", "instanceof") or look.kind(word + 1) != NAME:
        return None
    return f"write `{look.text(word - 1)}.is{name}`" if name[:1].isupper() else None


def _cons(look: _Look, at: int, expected: str) -> str | None:
    if expected == "a statement" and look.kind(at) == "::":
        return f"write `Seq({look.text(at - 1)}) ++ {look.text(at + 1)}`"
    return None


def _array_of_new(look: _Look, at: int, expected: str) -> str | None:
    if expected == "`(`" and look.kind(at - 1) == "new" and look.kind(at + 1) == "[":
        return f"there are no arrays: `Seq(0, 0)` is a sequence, of type `Seq[{look.text(at)}]`"
    return None


def _values_of_new(look: _Look, at: int, expected: str) -> str | None:
    opened = look.before(at, "(")
    if expected != "`,` or `)`" or look.text(at) not in (":=", "=", ":") or opened is None:
        return None
    if look.kind(opened - 1) != "new":
        return None
    field = look.text(at - 1)
    return f"`new` only names fields: write `new({field})`, then `x.{field} := {look.text(at + 1)}`"


def _statement_in_expression(look: _Look, at: int, expected: str) -> str | None:
    if expected != "an expression":
        return None
    match look.kind(at):
        case "unfold":
            return "in an expression write `unfolding P(x) in ...`"
        case "fold":
            return "a `fold` is a statement of its own: put it in front"
        case "var" | "assert" | "assume" | "while" if look.kind(at - 1) == "{":
            return (
                "a body of a function or predicate has no statements, it is one expression: name "
                "a part of it by `let y == (e) in ...`"
            )
    return None


def _value_of_function(look: _Look, at: int, expected: str) -> str | None:
    """`return e`, `result := e` and `match` as the body of a function."""
    if expected != "`}`":
        return None
    if look.text(at - 1) == "return":
        return "the body of a function is its value: leave `return` out"
    if look.kind(at) == ":=":
        return f"the body of a function is its value: leave `{look.text(at - 1)} :=` out"
    if look.text(at - 1) in ("match", "case", "switch"):
        return f"test the constructors: `{look.text(at)}.isC ? ... : ...`"
    if look.kind(at) == ";":
        return "no `;` stands behind the body: leave it out"
    return None


def _two_conditions(look: _Look, at: int, expected: str) -> str | None:
    """`forall i: Int | c :: e` and `forall i in s :: e`."""
    binder = look.before(at, "forall", "exists")
    if binder is None:
        return None
    kind, joined = look.text(binder), "==>" if look.kind(binder) == "forall" else "&&"
    if expected == "`::`" and look.text(at) in ("such", "holds", "we"):
        return f"write `{kind} {look.between(binder + 1, at)} :: ...`"
    if expected == "`::`" and look.kind(at) == "in" and look.kind(binder + 1) == NAME:
        bound, name = look.between(binder + 1, at), look.text(binder + 1)
        return f"write `{kind} {bound} :: {name} in {look.text(at + 1)} {joined} ...`"
    if expected == "`::`" and look.text(at) in ("|", "where", "with", "in", ";"):
        bound = look.between(binder + 1, at)
        return f"a condition goes into the body: `{kind} {bound} :: c {joined} e`"
    if expected == "`:`" and look.kind(at) == "in":
        name, where = look.text(at - 1), look.text(at + 1)
        return f"write `{kind} {name}: Int :: {name} in {where} {joined} ...`"
    if expected == "`:`" and look.kind(at - 2) == ",":
        bound, body = look.between(binder + 1, at - 2), look.rest(at - 1).rstrip("} ")
        return f"`::` stands in front of the body: `{kind} {bound} :: {body}`"
    if expected == "a name" and look.kind(at) == "(" and binder == at - 1:
        closing = look.behind(at, ")")
        bound = "x: Int" if closing is None else look.between(at + 1, closing)
        return f"no parentheses: write `{kind} {bound} :: ...`"
    return None


# ---------------------------------------------------------------- statements


def _do_loop(look: _Look, at: int, expected: str) -> str | None:
    word = look.before(at, NAME)
    while word is not None and not (look.text(word) == "do" and look.kind(word + 1) == "{"):
        word = look.before(word, NAME)
    if expected == "`{`" and look.kind(at) in ("}", ";") and word is not None:
        return "the condition stands in front: write `while (c) { ... }`"
    return None


def _message(look: _Look, at: int, expected: str) -> str | None:
    if expected == "a statement" and look.kind(at) in (",", ":") and look.kind(at + 1) == STRING:
        return f"leave `{look.text(at)} {look.text(at + 1)}` out: an `assert` has no message"
    return None


def _block(look: _Look, at: int, expected: str) -> str | None:
    if expected == "`{`" and look.kind(at) == ":" and look.kind(at + 1) == "{":
        return "leave the `:` out"
    if expected == "`{`" and look.kind(at) == ":" and look.kind(at - 2) == "axiom":
        return f"the axiom stands in braces: `axiom {look.text(at - 1)} {{ ... }}`"
    if expected == "`{`" and look.kind(at) == ";":
        return "leave the `;` out: the body belongs to what stands in front"
    if look.kind(at) != ":" or not (expected == "`{`" or look.ends_line(at)):
        return None
    if expected in ("`{`", "a declaration", "a statement") and not _is_label(look, at):
        return "a block stands in braces: write `{` here, and `}` where it ends"
    return None


def _is_label(look: _Look, at: int) -> bool:
    return look.kind(at - 1) == NAME and look.kind(at - 2) in ("{", "}", ";", "")


def _label(look: _Look, at: int, expected: str) -> str | None:
    if expected != "a statement" or look.kind(at) != ":" or look.kind(at - 1) != NAME:
        return None
    alone = _is_label(look, at) or look.begins_line(at - 1)
    return f"write `label {look.text(at - 1)}`" if alone else None


def _bare_condition(look: _Look, at: int, expected: str) -> str | None:
    """`while i < 3 { ... }`, in the words of the program."""
    word = look.kind(at - 1)
    if expected != "`(`" or word not in ("if", "elseif", "while"):
        return None
    end = look.behind(at, "{", "invariant", ":", ";")
    text = "" if end is None else look.between(at, end).removesuffix(" then")
    if not text or "\n" in text or len(text) > _FAR:
        return None
    return f"a condition stands in parentheses: `{word} ({text})`"


def _of_loop(look: _Look, at: int, expected: str) -> str | None:
    if expected != "`{`" or look.before(at, "while") is None:
        return None
    word = look.text(at)
    if word in ("ensures", "requires", "maintaining", "maintains", "preserves", "inv"):
        return f"a loop has invariants: write `invariant` for `{word}`"
    return f"write `invariant` for `{word}`" if "invariant" in word.lower() else None


def _in_a_clause(look: _Look, at: int, expected: str) -> str | None:
    """`requires a, b`, `requires x := 3` and `requires write(x.f)`."""
    if expected not in ("a declaration", "`{`"):
        return None
    clause = look.before(at, "requires", "ensures", "invariant", *MEMBER_WORDS)
    if clause is None or look.kind(clause) in MEMBER_WORDS:
        return None
    word = look.text(clause)
    if look.kind(at) == ",":
        return f"join conditions by `&&`, or write another `{word}`"
    if look.kind(at) == ":=":
        return "write `==` to compare"
    closing = look.behind(at, ")")
    if look.kind(at) == "(" and look.kind(at - 1) in ("write", "wildcard") and closing is not None:
        amount = ", wildcard" if look.kind(at - 1) == "wildcard" else ""
        return f"write `acc({look.between(at + 1, closing)}{amount})`"
    return None


def _updated_field(look: _Look, at: int, expected: str) -> str | None:
    """`x.f += e` and `x.f++`."""
    sign, after = look.text(at), look.text(at + 1)
    if expected != "a statement" or sign not in ("+", "-", "*", "/", "++", "--"):
        return None
    first = at - 1
    while look.kind(first - 1) == "." and look.kind(first - 2) == NAME:
        first -= 2
    target = look.between(first, at)
    if first == at - 1 or not target or not (after == "=" or after == sign or len(sign) == 2):
        return None
    value = look.text(at + 2) if after == "=" else "1"
    return f"write `{target} := {target} {sign[0]} {value}`"


def _compared_alone(look: _Look, at: int, expected: str) -> str | None:
    """`x == 3` as a statement."""
    if expected != "a statement" or look.kind(at) != "==" or look.kind(at - 1) != NAME:
        return None
    if look.kind(at - 2) not in ("{", "}", ";") and not look.begins_line(at - 1):
        return None
    return f"write `{look.text(at - 1)} := {look.text(at + 1)}` to assign, or `assert` in front"


def _of_a_range(look: _Look, at: int, expected: str) -> str | None:
    """`range(0, 5)` and `0..5`."""
    if expected == "`)`" and look.kind(at) == "," and look.kind(at - 3) == "range":
        return f"write `[{look.text(at - 1)}..{look.text(at + 1)})` for the numbers in between"
    if expected == "a statement" and look.kind(at) == "..":
        return f"write `[{look.text(at - 1)}..{look.text(at + 1)})` for the numbers in between"
    return None


def _several_values(look: _Look, at: int, expected: str) -> str | None:
    if expected != "a statement" or look.kind(at) != ",":
        return None
    assigned = look.before(at, ":=", "{", "}", ";")
    if assigned is None or look.kind(assigned) != ":=":
        return None
    return "write one assignment each; several targets take the results of one call: `a, b := m()`"


def _assigned_in_assertion(look: _Look, at: int, expected: str) -> str | None:
    first = look.first_of_line(at)
    words = ("inhale", "assume", "assert", "exhale")
    found = [i for i in range(first, at) if look.kind(i) in words]
    if expected != "a statement" or look.kind(at) != ":=" or not found:
        return None
    word = look.text(found[-1])
    return f"`{word}` takes a condition: write `==` to compare, or leave `{word}` out to assign"


def _superfluous(look: _Look, at: int, expected: str) -> str | None:
    if expected == "a statement" and look.kind(at) in (")", "]"):
        return f"no bracket is open that it closes: leave `{look.text(at)}` out"
    if expected == "a declaration" and look.kind(at) == ";":
        return "leave the `;` out"
    if expected == "a field name" and look.kind(at) == "*":
        return "name the fields one by one, as in `acc(x.f) && acc(x.g)`"
    if look.kind(at) in (")", "]", "}") and look.kind(at - 1) == ",":
        return "leave the comma in front of it out"
    if expected == "a field name":
        return "write the name of a field behind the dot, as in `x.f`"
    return None


_Rule = Callable[[_Look, int, str], str | None]

_RULES: tuple[_Rule, ...] = (
    _comment, _type_first, _unnamed_result, _comma_between_parameters, _array, _optional,
    _angle_brackets,
    _several_names, _such_that, _body_behind_equals, _constant, _type_of_predicate,
    _returns_of_function, _body_in_domain, _between_constructors, _member_inside, _imported,
    _method_of_object, _arrow, _points_to, _wand_sign, _two_stars, _pointer, _backslash, _cast,
    _slice, _conditional, _decimal, _in_acc, _not_in, _contains, _is_constructor, _cons,
    _values_of_new, _array_of_new, _in_a_clause, _updated_field, _compared_alone, _of_a_range,
    _statement_in_expression, _value_of_function, _two_conditions, _do_loop, _message, _label,
    _block, _bare_condition, _of_loop, _several_values, _assigned_in_assertion, _superfluous,
)  # fmt: skip
