"""Expressions as other languages have them, with what to write instead."""

from __future__ import annotations

import re
from fractions import Fraction

from pitviper.syntax.parse.complaints import TYPE_WORDS
from pitviper.syntax.parse.mistakes.look import Look, Rule
from pitviper.syntax.parse.mistakes.operands import operand_end, operand_start
from pitviper.syntax.token import INT, NAME

_OPERANDS = (NAME, INT, ")", "]", "true", "false", "null", "result")


def _arrow(look: Look, at: int, _: str) -> str | None:
    if look.kind(at) != ">" or look.kind(at - 1) != "-" or not look.stuck(at):
        return None
    opened = look.before(at, "Map", ";", "{", "}")
    if opened is not None and look.kind(opened) == "Map":
        return f"an entry is written `{look.text(at - 2)} := {look.text(at + 1)}`"
    if look.stuck(at - 1) and look.stuck(at + 1) and look.kind(at - 2) == NAME:
        return f"write `{look.text(at - 2)}.{look.text(at + 1)}`, with a dot"
    return None


def _wand_sign(look: Look, at: int, _: str) -> str | None:
    if look.kind(at) == "*" and look.kind(at - 1) == "-" and look.stuck(at):
        return "write `--*` for a magic wand"
    return None


def _two_stars(look: Look, at: int, _: str) -> str | None:
    if look.kind(at) != "*" or look.kind(at - 1) != "*" or not look.stuck(at):
        return None
    opened = look.opening(at - 2) if look.kind(at - 2) == ")" else None
    if look.kind(at + 1) == "acc" or (opened is not None and look.kind(opened - 1) == "acc"):
        return "write `&&` between permissions: each side has its own"
    base = look.between(operand_start(look, at - 1), at - 1) or look.text(at - 2)
    return f"there is no power: write `{base} * {base}`, or declare a recursive function"


def _pointer(look: Look, at: int, expected: str) -> str | None:
    begins = look.begins_line(at) or look.kind(at - 1) in ("{", "}", ";")
    if expected == "a statement" and look.kind(at) == "*" and begins:
        name = look.text(at + 1) or "x"
        return f"there are no pointers: an object holds its values in fields, `{name}.f := ...`"
    return None


def _backslash(look: Look, at: int, _: str) -> str | None:
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


def _cast(look: Look, at: int, expected: str) -> str | None:
    around = (look.kind(at - 1), look.kind(at + 1))
    if expected == "an expression" and look.kind(at) in TYPE_WORDS and around == ("(", ")"):
        return f"there are no casts: leave `({look.text(at)})` out"
    return None


def _slice(look: Look, at: int, expected: str) -> str | None:
    opened, closing = look.before(at, "["), look.behind(at, "]")
    if expected != "`]`" or look.kind(at) != ":" or opened is None or closing is None:
        return None
    low, base = look.between(opened + 1, at), look.text(opened - 1)
    high = look.between(at + 1, closing) if closing > at + 1 else ""
    return f"a part of a sequence is written `{base}[{low}..{high}]`"


def _closed_range(look: Look, at: int, expected: str) -> str | None:
    """`[1..3]`, which begins like the range `[1..3)`."""
    opened = look.enclosing(at)
    if expected != "`)`" or look.kind(at) != "]" or opened is None or look.kind(opened) != "[":
        return None
    inside = look.between(opened + 1, at)
    return f"a range is written `[{inside})`, and ends before its last number"


def _two_indices(look: Look, at: int, expected: str) -> str | None:
    """`s[1, 2]`."""
    opened, closing = look.enclosing(at), look.behind(at, "]")
    if expected != "`]`" or look.kind(at) != "," or opened is None or closing is None:
        return None
    if look.kind(opened) != "[" or not look.stuck(opened) or look.line(opened) != look.line(at):
        return None
    base = look.between(operand_start(look, opened), opened)
    first, second = look.between(opened + 1, at), look.between(at + 1, closing)
    part = f"a part of a sequence is `{base}[{first}..{second}]`"
    return f"{part}, an element of an element `{base}[{first}][{second}]`"


def _slice_to(look: Look, at: int, expected: str) -> str | None:
    """`s[:2]`."""
    closing, opened = look.behind(at, "]"), at - 1
    if expected != "an expression" or look.kind(at) != ":" or look.kind(opened) != "[":
        return None
    base = look.between(operand_start(look, opened), opened)
    high = "" if closing is None else look.between(at + 1, closing)
    return f"the first part of a sequence is written `{base}[..{high}]`" if base and high else None


def _one_value(look: Look, at: int, expected: str) -> str | None:
    """`c ? a` without the other value."""
    mark = look.before(at, "?")
    start = look.before(at, ":=", "(", ",", "{", "requires", "ensures", "assert", "invariant")
    if expected != "`:`" or mark is None or start is None or start > mark:
        return None
    if look.kind(mark - 1) == ":" or look.line(mark) != look.line(start):
        return None
    whole = look.between(start + 1, at)
    return f"the value for the other case is missing: `{whole} : ...`"


def _choice(look: Look, at: int, expected: str) -> str | None:
    """`if (c) a else b` and `if c then a else b` as a value."""
    if expected != "an expression" or look.kind(at) != "if":
        return None
    closing = look.closing(at + 1) if look.kind(at + 1) == "(" else None
    then = next((i for i in range(at, at + _FAR) if look.text(i) == "then"), None)
    otherwise = look.behind(at, "else")
    if then is not None and (otherwise is None or then < otherwise):
        condition, first = look.between(at + 1, then), then + 1
    elif closing is not None:
        condition, first = look.between(at + 2, closing), closing + 1
    else:
        return None
    values = ["e1", "e2"]
    if otherwise is not None:
        values = [look.between(first, otherwise), look.rest(otherwise + 1).rstrip("} ")]
        values = [value.removeprefix("{").removesuffix("}").strip() for value in values]
    if any(not v or "\n" in v or "if" in v.split() or "{" in v for v in (condition, *values)):
        values = ["e1", "e2"]
    condition = condition if condition and "\n" not in condition else "c"
    return f"`if` is a statement: a value is written `{condition} ? {values[0]} : {values[1]}`"


_FAR = 30
"""Tokens between the parts of a choice."""


def _old_with_label(look: Look, at: int, expected: str) -> str | None:
    """`old(l, x.f)`."""
    opened = at - 2
    if expected != "`)`" or look.kind(at) != "," or look.kind(opened - 1) != "old":
        return None
    closing = look.closing(opened)
    if look.kind(opened) != "(" or closing is None:
        return None
    return (
        f"a label stands in brackets: `old[{look.text(at - 1)}]({look.between(at + 1, closing)})`"
    )


def _percent(look: Look, at: int, expected: str) -> str | None:
    """`acc(x.f, 50%)`."""
    if expected != "an expression" or look.kind(at - 1) != "%" or look.kind(at - 2) != INT:
        return None
    if look.kind(at) not in (")", ",", "&&"):
        return None
    value = Fraction(int(look.text(at - 2)), 100)
    amount = "write" if value == 1 else f"{value.numerator}/{value.denominator}"
    return f"there are no percents: write `{amount}`"


def _single_bar(look: Look, at: int, expected: str) -> str | None:
    """`a | b`, and `s | t` of sets."""
    if look.kind(at) != "|" or look.kind(at - 1) not in _OPERANDS or expected == "`::`":
        return None
    if look.kind(at + 1) == "-" or look.kind(at - 1) == "|" or expected.startswith("a constr"):
        return None
    if look.begins_line(at):
        return None
    of_sets = look.type_of(look.text(at - 1), at) in ("Set", "Multiset")
    return "write `union` for sets" if of_sets else "write `||` for a disjunction"


def _single_amp(look: Look, at: int, _: str) -> str | None:
    """`s & t` of sets."""
    if look.text(at) != "&" or look.type_of(look.text(at - 1), at) not in ("Set", "Multiset"):
        return None
    return f"write `{look.text(at - 1)} intersection {look.text(at + 1)}`"


def _implied_by(look: Look, at: int, _: str) -> str | None:
    """`p <== q`."""
    if look.text(at) != "=" or look.kind(at - 1) != "<=" or not look.stuck(at):
        return None
    if look.kind(at - 2) in _OPERANDS and look.kind(at + 1) in _OPERANDS:
        return f"write it the other way round: `{look.text(at + 1)} ==> {look.text(at - 2)}`"
    return "write it the other way round, with `==>`"


def _asked_constructor(look: Look, at: int, _: str) -> str | None:
    """`l.Nil? ? a : b`, or `l.Nil? && b`: whether a value was made by a constructor."""
    mark = at - 1
    if look.kind(mark) != "?" or not look.stuck(mark) or look.kind(mark - 2) != ".":
        return None
    if look.kind(mark - 1) != NAME or look.kind(mark - 3) not in _OPERANDS:
        return None
    return f"write `{look.text(mark - 3)}.is{look.text(mark - 1)}`"


def _map_in_braces(look: Look, at: int, expected: str) -> str | None:
    """`Map{1: 2}`, `map[1 := 2]` and `Set{1}`: elements stand in parentheses."""
    if expected not in ("`(`", "`[`") or look.kind(at) != "{":
        return None
    kind, closing = look.text(at - 1), look.closing(at)
    if kind not in ("Map", "Set", "Seq", "Multiset") or closing is None:
        return None
    elements = look.between(at + 1, closing)
    if "\n" in elements:
        return None
    if kind == "Map":
        elements = re.sub(r"\s*(?<!:):(?![:=])\s*|\s*->\s*", " := ", elements)
    if not elements:
        types = "[K, V]" if kind == "Map" else "[T]"
        return f"an empty one is written `{kind}{types}()`, with its types"
    return f"elements stand in parentheses: write `{kind}({elements})`"


def _primed(look: Look, at: int, _: str) -> str | None:
    """`x.f' == x.f + 1`, as TLA and Z write the value behind a step."""
    if look.text(at) != "'" or not look.stuck(at) or not look.is_word(at - 1):
        return None
    start = operand_start(look, at)
    place = look.between(start, at)
    clause = look.before(at, "requires", "ensures", "invariant", "{")
    if "." not in place or clause is None or look.kind(clause) != "ensures":
        return None
    return (
        f"in an `ensures`, `{place}` is the value at the end already: leave `'` out, and write "
        f"`old({place})` for the value at the start"
    )


def _cons(look: Look, at: int, expected: str) -> str | None:
    if expected == "a statement" and look.kind(at) == "::":
        if look.constructor(look.text(at + 1)) is not None:
            closing = look.partner(at + 2) if look.kind(at + 2) == "(" else None
            args = "" if closing is None else look.between(at + 3, closing)
            made = f"{look.text(at + 1)}({args})"
            return f"a constructor is written without its type: write `{made}`"
        return f"write `Seq({look.text(at - 1)}) ++ {look.text(at + 1)}`"
    return None


def _array_of_new(look: Look, at: int, expected: str) -> str | None:
    if expected == "`(`" and look.kind(at - 1) == "new" and look.kind(at + 1) == "[":
        return f"there are no arrays: `Seq(0, 0)` is a sequence, of type `Seq[{look.text(at)}]`"
    return None


def _values_of_new(look: Look, at: int, expected: str) -> str | None:
    opened = look.before(at, "(")
    if expected != "`,` or `)`" or look.text(at) not in (":=", "=", ":") or opened is None:
        return None
    closing = look.closing(opened)
    if look.kind(opened - 1) != "new" or closing is None:
        return None
    signs = [i for i in range(opened, closing) if look.text(i) in (":=", "=", ":")]
    fields = [look.text(i - 1) for i in signs]
    ends = [*(i - 2 for i in signs[1:]), closing]
    values = [look.between(i + 1, end) for i, end in zip(signs, ends, strict=True)]
    target = opened - 3
    if look.kind(target - 1) == ":":
        target -= 2
    name = look.text(target) if look.kind(opened - 2) == ":=" else "x"
    assigned = [f"`{name}.{f} := {value}`" for f, value in zip(fields, values, strict=True)]
    return f"`new` only names fields: write `new({', '.join(fields)})`, then {', '.join(assigned)}"


def _statement_in_expression(look: Look, at: int, expected: str) -> str | None:
    if expected != "an expression":
        return None
    match look.kind(at):
        case "unfold":
            return _unfolded(look, at)
        case "fold":
            return "a `fold` is a statement of its own: put it first"
        case "var" | "assert" | "assume" | "while" if look.kind(at - 1) == "{":
            return (
                "a body of a function or predicate has no statements, it is one expression: name "
                f"a part of it by `{_let(look, at)} in ...`"
            )
    return None


def _unfolded(look: Look, at: int) -> str:
    """`unfolding P(x) in e` for `unfold P(x) in e`, `unfold P(x); e` and `unfold P(x) e`."""
    end = operand_end(look, at + 1)
    instance = look.between(at + 1, end)
    start = end + 1 if look.text(end) in ("in", ";", ",", ":") else end
    value = look.formula(start) if look.line(start) == look.line(at) else ""
    if not instance.endswith(")"):
        return "in an expression write `unfolding P(x) in ...`"
    return f"in an expression write `unfolding {instance} in {value or '...'}`"


def _unfolding_without_in(look: Look, at: int, expected: str) -> str | None:
    """`unfolding P(x) { e }`, `unfolding P(x), e` and `unfolding (P(x)) in e`."""
    if expected.startswith("a predicate instance") and look.kind(at - 1) == "unfolding":
        closing = look.closing(at) if look.kind(at) == "(" else None
        if closing is None or look.kind(closing + 1) != "in":
            return None
        instance, value = look.between(at + 1, closing), look.formula(closing + 2)
        return f"no parentheses: write `unfolding {instance} in {value}`"
    word = look.before(at, "unfolding")
    if expected != "`in`" or word is None or operand_end(look, word + 1) != at:
        return None
    closing = look.closing(at) if look.kind(at) == "{" else None
    start = at + 1 if look.text(at) in (",", ";", ":", "::", ".") else at
    value = look.formula(start) if closing is None else look.between(at + 1, closing)
    return f"write `unfolding {look.between(word + 1, at)} in {value or '...'}`"


def _let(look: Look, at: int) -> str:
    """`let y == (x + 1)` for `var y: Int := x + 1`."""
    sign = next((i for i in range(at, at + 6) if look.text(i) in (":=", "=")), None)
    value = "" if sign is None else look.rest(sign + 1)
    if look.kind(at) != "var" or not value or "}" in value:
        return "let y == (e)"
    return f"let {look.text(at + 1)} == ({value})"


def _value_of_function(look: Look, at: int, expected: str) -> str | None:
    """`return e`, `result := e` and `match` as the body of a function."""
    if expected != "`}`":
        return None
    if look.text(at - 1) == "return":
        header = look.before(at, "function", "predicate")
        of_predicate = header is not None and look.kind(header) == "predicate"
        what = "a predicate is what it holds" if of_predicate else "a function is its value"
        end = look.behind(at, ";", "}")
        parts = "`return` and `;`" if end is not None and look.kind(end) == ";" else "`return`"
        return f"the body of {what}: leave {parts} out"
    if look.kind(at) == ":=":
        return f"the body of a function is its value: leave `{look.text(at - 1)} :=` out"
    if look.text(at - 1) in ("match", "case", "switch"):
        return f"test the constructors: `{look.text(at)}.isC ? ... : ...`"
    if look.kind(at) == ";" and look.kind(at + 1) != "}":
        return "the body is one formula: write `&&` for `;`, and nothing after the last part"
    if look.kind(at) == ";":
        return "no `;` stands after the body: leave it out"
    return None


def _of_range(look: Look, at: int, name: str) -> str | None:
    """`0 <= i && i < n` for `range(n)` and for `[0..n)`."""
    dots = look.behind(at, "..")
    if look.kind(at) == "[" and dots is not None and look.behind(at, ")", "]") is not None:
        end = look.behind(dots, "::", ":")
        bounds = (
            look.between(at + 1, dots),
            "" if end is None else look.between(dots + 1, end - 1),
        )
        return f"{bounds[0]} <= {name} && {name} < {bounds[1]}" if all(bounds) else None
    closing = look.closing(at + 1) if look.text(at) == "range" else None
    if closing is None or look.kind(at + 1) != "(":
        return None
    parts = [part.strip() for part in look.between(at + 2, closing).split(",")]
    low, high = ("0", parts[0]) if len(parts) == 1 else parts[:2]
    return f"{low} <= {name} && {name} < {high}"


def _bound_in(look: Look, at: int, lead: str, joined: str) -> str:
    """`forall x: T :: x in s ==> ...`, with the type that the elements of `s` have."""
    name, end = look.text(at - 1), operand_end(look, at + 1)
    if look.kind(at + 1) == "[":
        end = look.behind(at + 1, "::", ":") or end
    range_ = _of_range(look, at + 1, name)
    type_ = "Int" if range_ else look.element_of(look.text(at + 1), at) or "Int"
    where = look.between(at + 1, end) or look.text(at + 1)
    body = look.rest_of_formula(end + 1) if look.kind(end) == "::" else ""
    body = body if body and body.count("(") == body.count(")") else "..."
    return f"{lead}{type_} :: {range_ or f'{name} in {where}'} {joined} {body}`"


def _two_conditions(look: Look, at: int, expected: str) -> str | None:
    """`forall i: Int | c :: e` and `forall i in s :: e`."""
    binder = look.before(at, "forall", "exists")
    if binder is None:
        return None
    kind, joined = look.text(binder), "==>" if look.kind(binder) == "forall" else "&&"
    begins = look.kind(binder - 1) in ("{", "}", ";") or look.begins_line(binder)
    if expected == "`::`" and look.kind(at) == "|" and begins and look.behind(at, "{") is not None:
        opened = look.behind(at, "{")
        assert opened is not None
        bound, condition = look.between(binder + 1, at), look.between(at + 1, opened)
        condition = re.sub(r"(\S+ <=?) (\w+) (<=? \S+)", r"\1 \2 && \2 \3", condition)
        return (
            f"a `{kind}` is a formula and no statement: write `assert {kind} {bound} :: "
            f"{condition} {joined} ...`, or a loop where something is done"
        )
    if expected == "`::`" and look.text(at) in ("such", "holds", "we"):
        return f"write `{kind} {look.between(binder + 1, at)} :: ...`"
    if expected == "`::`" and look.kind(at) == "in" and look.kind(binder + 1) == NAME:
        bound, name = look.between(binder + 1, at), look.text(binder + 1)
        range_ = _of_range(look, at + 1, name) or f"{name} in {look.text(at + 1)}"
        return f"write `{kind} {bound} :: {range_} {joined} ...`"
    if expected == "`::`" and look.text(at) in ("|", "where", "with", "in", ";"):
        bound = look.between(binder + 1, at)
        return f"a condition goes into the body: `{kind} {bound} :: c {joined} e`"
    if expected == "`:`" and look.kind(at) == "in":
        return _bound_in(look, at, f"write `{kind} {look.text(at - 1)}: ", joined)
    if expected == "`:`" and look.kind(at - 2) == ",":
        bound, body = look.between(binder + 1, at - 2), look.rest(at - 1).rstrip("} ")
        return f"`::` stands before the body: `{kind} {bound} :: {body}`"
    if expected == "a name" and look.kind(at - 1) == ",":
        bound, body = look.between(binder + 1, at - 1), look.rest(at).rstrip("} ")
        return f"`::` stands before the body: `{kind} {bound} :: {body}`"
    if expected == "a name" and look.kind(at) == "(" and binder == at - 1:
        closing = look.behind(at, ")")
        bound = "x: Int" if closing is None else look.between(at + 1, closing)
        return f"no parentheses: write `{kind} {bound} :: ...`"
    return None


RULES: tuple[Rule, ...] = (
    _arrow, _choice, _old_with_label, _percent, _single_bar, _single_amp,
    _implied_by, _wand_sign, _two_stars, _pointer, _backslash, _cast, _slice,
    _slice_to, _closed_range, _two_indices,
    _asked_constructor, _map_in_braces, _primed, _cons, _array_of_new,
    _values_of_new,
    _statement_in_expression, _unfolding_without_in, _value_of_function, _two_conditions,
    _one_value,
)  # fmt: skip
"""In the order in which they are asked."""
