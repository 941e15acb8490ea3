"""Where errors are reported, what they say, and how parsing goes on behind them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.source.span import SourceFile
from pitviper.syntax import foreign, tree
from pitviper.syntax.parse.parser import parse_file
from tests.unit.syntax.parsing import error, errors, parsed, where


@pytest.mark.smoke
def test_one_error_for_each_broken_member_and_the_others_are_kept() -> None:
    result = parsed(
        "method a() { assert }\n"
        "method b() { x := 1 }\n"
        "function c(: Int\n"
        "predicate d() { true }\n"
        "method e(] : Int) requires i { x + }\n"
        "field f: Int\n"
    )
    assert [where(d) for d in result.diagnostics] == [(1, 14), (3, 12), (5, 10)]
    kept = [type(found).__name__ for found in result.tree.members]
    assert kept == ["Method", "Predicate", "FieldDeclaration"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("method m() {\n  assert\n}", (2, 3)),
        ("method m() {\n  var x: Int := 1 0\n}", (2, 19)),
        ("method m() {\n  var x: Int := 1\n  5,6)[i])\n}", (3, 3)),
        ("field a : Intmethod b () { }", (1, 21)),
        ("method m() {\n  label lhs\n}", (2, 9)),
        ("method m() {\n  if (a) { }\n  else if (b) { }\n}", (3, 3)),
        ("method m() {\n  assert forall :: a\n}", (2, 17)),
        ("method m() {\n  assert Seq[Int](1) == s\n}", (2, 19)),
        ("method m() {\n", (1, 13)),
        ("method m() {\n  assert true\n// end\n", (3, 7)),
        ("method m() {\r\n  assert true\r\n", (2, 14)),
        ("field f:\n", (1, 9)),
        ("method m() {\n  fold x\n}", (2, 8)),
        ("method m() { a() } }\nmethod n()", (1, 20)),
        ("method a() {\nmethod b() { }", (2, 1)),
        ("method m() {\n  x := 1 /* open", (2, 10)),
        ("method perm()", (1, 8)),
    ],
)
def test_the_place_is_the_first_token_that_cannot_be_consumed(
    text: str, place: tuple[int, int]
) -> None:
    assert where(error(text)) == place


@pytest.mark.parametrize(
    ("text", "message", "help_"),
    [
        ("method m() { x = 1 }", "unknown symbol `=`", "`:=` to assign"),
        ("method m() { assert a & b }", "unknown symbol `&`", "`&&`"),
        ("method m() { assert a | b }", "found `|`", "`||`"),
        ("method m() requires a and b", "there is no `and`", "`&&`"),
        ("method m() requires a <> b", "there is no `<>`", "`a != b`"),
        ("method m() requires a <=> b", "there is no `<=>`", "`<==>`"),
        ("method m() requires a => b", "unknown symbol `=>`", "`==>`"),
        ("method m() { if (a) { } else if (b) { } }", "there is no `else if`", "elseif (b)"),
        ("method m() { if a { } }", "expected `(`, found `a`", "parentheses"),
        ("method m() { while a { } }", "expected `(`", "parentheses"),
        ("method m() { s[0] := 1 }", "assigned to", "s := s[0 := 1]"),
        ("method m() { x == y }", "expected a statement, found `==`", ""),
        ("method m() { asert x == y }", "expected a statement", "did you mean `assert`?"),
        ("method m() { return 3 }", "there is no `return`", "returns (res: Int)"),
        ("method m() { x++ }", "there is no `x++`", "x := x + 1"),
        ("method m() { x := a + y := 2 }", "found `:=`", "complete?"),
        ("function f(): Int { if (a) { b } }", "found the keyword `if`", "?"),
        ("predicate P(x: Ref) acc(x.f)", "expected `{`", "braces"),
        ("method m() { x.f }", "no statement", "assign"),
        ("method m() { var x := 1 }", "expected `:`", "type"),
        ("method m() { label old }", "found the keyword `old`", "reserved"),
        ("method m() { apply a ==> b --* c }", "magic wand", "parentheses"),
        ("method m() { assert let x == a in b }", "expected `(`", "let x == (a) in b"),
        ("method m() { assert forall x: Int. a }", "expected `::`", "forall x: Int :: a"),
        ("method m() { assert 1.5 }", "there are no decimal numbers", "`3/2`"),
        ('method m() { assert "a" }', "there are no strings", "leave it out"),
        ("method m() { assert Set[Int](1) }", "type argument or elements", "Set(...)"),
        ("method m() { assert acc(x) }", "field access or a predicate", "acc(x.f)"),
        ("methd m() { }", "expected a declaration", "did you mean `method`?"),
        ("skip", "expected a declaration", "method, function"),
        ("}", "expected a declaration, found `}`", "no `{` is open"),
        ("function f(x: Int) { x }", "expected `:`", "result type"),
        ("field f: Seq", "expected `[`, found the end of the file", "f: Seq[Int]"),
        ("method m() ensures a requires b", "after a postcondition", "before"),
        ("@a method m()", "expected `(`", '@a("value")'),
        ('method m() { assert @a("") b }', "empty", ""),
    ],
)
def test_messages_and_help(text: str, message: str, help_: str) -> None:
    found = error(text)
    assert message in found.message
    assert help_ in (found.help or "")


def test_long_tokens_are_shortened() -> None:
    assert len(error("x" * 10_000).message) < 200


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        ("method m() {\n if (a) {\n x := 1", (2, 9)),
        ("method a() {\n x := 1\nmethod b() { }", (1, 12)),
        ("function f(): Int { (a + b }", (1, 21)),
        ("function f(): Int { g(a, b }", (1, 22)),
        ("function f(): Int { s[a }", (1, 22)),
        ("function f(): Int { a", (1, 19)),
        ("domain D {\n function f(): Int\nmethod m()", (1, 10)),
    ],
)
def test_what_is_not_closed_is_shown(text: str, opening: tuple[int, int]) -> None:
    (related,) = error(text).related
    assert related.span.start_position == opening
    assert "not closed" in related.message


def test_a_missing_brace_does_not_hide_the_next_member() -> None:
    result = parsed("method a() {\n  if (b) {\n}\nfunction f(): Int\nmethod c() { }")
    assert [where(d) for d in result.diagnostics] == [(4, 1)]
    kept = [found.name.name for found in result.tree.members if isinstance(found, tree.Method)]
    assert kept == ["c"]
    assert any(isinstance(found, tree.Function) for found in result.tree.members)


def test_the_rest_of_a_broken_domain_is_not_taken_for_members() -> None:
    result = parsed(
        "domain D {\n  function f(: Int\n  unique function g(): Int\n  function h(): Int\n"
        "  axiom { true }\n}\nmethod m()"
    )
    assert [where(d) for d in result.diagnostics] == [(2, 14)]
    assert [type(found).__name__ for found in result.tree.members] == ["Method"]


def test_macros_of_a_broken_method_are_not_taken_for_members() -> None:
    result = parsed("method m() {\n  x + \n}\n  define N a\n}\ndefine M b")
    macros = [found.name.name for found in result.tree.members if isinstance(found, tree.Define)]
    assert macros[-1] == "M"
    inside = parsed("method m() {\n  assert\n  }\n  define N a\nmethod n() { }")
    assert len(inside.diagnostics) == 1


def test_keywords_as_names_are_no_starts_of_members() -> None:
    text = "method m(field: Int, method: Int) { domain(m) := predicate }\nmethod n()"
    result = parsed(text)
    assert [where(d) for d in result.diagnostics] == [(1, 10)]
    assert len(result.tree.members) == 1


def test_annotations_of_the_next_member_are_kept() -> None:
    result = parsed('junk junk\n@a("1", "2") @b()\nmethod m()')
    (method,) = result.tree.members
    assert [annotation.key for annotation in method.annotations] == ["a", "b"]
    assert len(result.diagnostics) == 1


def test_junk_between_members_is_one_error() -> None:
    result = parsed("field f: Int\njunk ) ( } {\nmore\n}\nfield g: Int")
    assert [where(d) for d in result.diagnostics] == [(2, 1)]
    assert len(result.tree.members) == 2


def test_unknown_symbols_in_a_broken_member_are_one_error() -> None:
    assert len(errors("method m() { a = b; c = d & e }\nmethod n() { a ~ b }")) == 2


def test_diagnostics_are_in_source_order() -> None:
    result = parsed("method m() { f (a) }\nmethod n() { ) }\nfield f: Rational")
    assert [d.code for d in result.diagnostics] == [
        "parser.warning", "parser.error", "parser.warning",
    ]  # fmt: skip


def test_several_errors_in_one_member() -> None:
    text = "method m() {\n  x = 3\n  var i := 0\n  if (a) {\n    s[0] := 1\n  }\n}\nmethod n() { }"
    parsed = parse_file(SourceFile(Path("a.vpr"), text))
    assert [d.span.line for d in parsed.diagnostics if d.span is not None] == [2, 3, 5]
    assert [type(member).__name__ for member in parsed.tree.members] == ["Method"]


def test_indentation_tells_which_brace_is_missing() -> None:
    text = "method m() {\n  if (a) {\n    x := 1\n  x := 2\n}\nmethod n() { }"
    (found,) = parse_file(SourceFile(Path("a.vpr"), text)).diagnostics
    assert [related.span.line for related in found.related] == [2]


@pytest.mark.parametrize("word", sorted(foreign.STATEMENTS.keys() - {"let"}))
def test_statements_of_other_languages(word: str) -> None:
    text = f"method m(a: Int)\n{{\n  {word} (a := 0; a < 3) {{ }}\n}}"
    found = parse_file(SourceFile(Path("a.vpr"), text)).diagnostics
    assert found[0].help == foreign.STATEMENTS[word]
