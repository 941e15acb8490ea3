"""Definitions and uses of macros that are rejected."""

from __future__ import annotations

import pytest

from pitviper.base.deep_stack import run_deep
from pitviper.checking.macros import expander
from tests.unit.checking.macros.macro_texts import (
    canonical,
    errors,
    expand,
    expanded_text,
    line_of,
    warnings,
)

# ---------------------------------------------------------------- wrong definitions


def test_a_macro_defined_twice() -> None:
    assert errors("define A 1\ndefine B 2\ndefine A 3") == [(3, "macro `A` is defined twice")]
    text = "method m() {\n define A 1\n { define A 2 } }\nmethod n() { define A 3 }"
    assert errors(text) == [(3, "macro `A` is defined twice")]


@pytest.mark.parametrize(
    "member", ["domain X {}", "function X(): Int", "predicate X()", "method X() { X() }"]
)
def test_a_macro_with_the_name_of_a_member(member: str) -> None:
    message = "the name `X` of this macro is also that of another declaration"
    assert errors(f"{member}\ndefine X() 1") == [(2, message)]


def test_macros_with_names_of_fields_are_fine() -> None:
    assert errors("field X: Int\ndefine X 1") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("define A A\nmethod m() { assert A }", [(1, "macro `A` is recursive")]),
        (
            "define Q(x) P(x)\ndefine P(x) Q(x)\nmethod m() { assert P(1) }",
            [(2, "macro `P` is recursive: it uses itself through `Q`")],
        ),
        (
            "define S { R }\ndefine R { T T }\ndefine T { R }\nmethod m() { S }",
            [(2, "macro `R` is recursive: it uses itself through `T`")],
        ),
        ("define U U.f", [(1, "macro `U` is recursive")]),
        ("define f g\ndefine g r.f", [(1, "macro `f` is recursive: it uses itself through `g`")]),
        (
            "method m() { define A B\n define B A }",
            [(1, "macro `A` is recursive: it uses itself through `B`")],
        ),
        (
            "define A B\nmethod m() {\n define B A }",
            [(3, "macro `B` is recursive: it uses itself through `A`")],
        ),
        ("define A(B) B\ndefine B A(1)\nmethod m() { assert B == 1 }", []),
        ("define l { label l  goto l }\nmethod m() { l }", []),
        ("define i forall i: Int :: i > 0\nmethod m() { assert i }", []),
    ],
)  # fmt: skip
def test_recursion(text: str, expected: list[tuple[int, str]]) -> None:
    assert errors(text) == expected


def test_a_long_chain_of_macros_is_no_recursion() -> None:
    chain = "\n".join(f"define A{i} A{i + 1}" for i in range(300))
    text = f"{chain}\ndefine A300 1\nmethod m() {{ assert A0 == 1 }}"
    assert run_deep(lambda: expanded_text(text)) == canonical("method m() { assert 1 == 1 }")


def test_definitions_inside_macros() -> None:
    message = "macros cannot be defined inside a macro"
    text = "define A {\n if (true) {\n define B 1 } }\nmethod m() { define C {\n define D 2 } }"
    assert errors(text) == [(3, message), (5, message)]


def test_definitions_inside_package_scripts() -> None:
    text = "method m() {\n package true --* true {\n if (true) {\n define A 1 } } }"
    assert errors(text) == [(4, "macros cannot be defined in a `package` script")]


def test_unused_parameters() -> None:
    text = """
        define A(x, y, z) x
        define B(w) { label w }
        define C(a, b, c) { var t: T  t := u.b  h(a) }
        define D() 1
        method m() { define E(v) 1 }
    """
    assert warnings(text) == [
        (2, "macro `A` does not use its parameters `y` and `z`"),
        (4, "macro `C` does not use its parameter `c`"),
        (6, "macro `E` does not use its parameter `v`"),
    ]


def test_parameters_of_one_name() -> None:
    text = "define A(x, y,\n x) x + y\nmethod m() { assert A(1, 2, 3) == 1 }"
    assert errors(text) == [(2, "macro `A` has two parameters of this name")]


# ---------------------------------------------------------------- wrong uses

NO_LOCATION = "does not stand for a field access or a predicate instance"
NO_RESOURCE = "does not stand for a field access, a predicate instance or a wand"


@pytest.mark.parametrize(
    ("use", "message"),
    [
        ("assert two(1)", "macro `two` takes 2 arguments, not 1"),
        ("assert two(1, 2, 3)", "macro `two` takes 2 arguments, not 3"),
        ("assert two()", "macro `two` takes 2 arguments, not 0"),
        ("assert two", "macro `two` needs parentheses"),
        ("assert empty(1)", "macro `empty` takes no arguments, not 1"),
        ("assert empty", "macro `empty` needs parentheses"),
        ("assert bare()", "macro `bare` has no parameters"),
        ("bare()", "macro `bare` has no parameters"),
        ("run", "macro `run` needs parentheses"),
        ("assert run(1)", "macro `run` consists of statements, but is used as an expression"),
        ("var x: run", "macro `run` consists of statements, but is used as a type"),
        ("var x: Seq[bare]", "macro `bare` is used as a type, but its body is none"),
        ("var x: kind", "macro `kind` needs parentheses"),
        ("bare", "macro `bare` is an expression, but is used as a statement"),
        ("two(1, 2)", "macro `two` is an expression, but is used as a statement"),
        ("block(1)", "`1` is an expression, but is used as a statement"),
        ("inhale acc(empty())", f"`empty()` {NO_LOCATION}"),
        ("inhale acc(two(x.f, 1), write)", f"`two(x.f, 1)` {NO_LOCATION}"),
        ("assert perm(empty()) == none", f"`empty()` {NO_RESOURCE}"),
        ("assert forperm r: Ref [empty()] :: true", f"`empty()` {NO_RESOURCE}"),
        ("fold empty()", "`empty()` does not stand for a predicate instance"),
        ("unfold acc(empty())", f"`empty()` {NO_LOCATION}"),
        ("assert unfolding empty() in true", "`empty()` does not stand for a predicate instance"),
        ("assert (empty(): Bool)", "`empty()` does not stand for a call"),
        ("bare := 1", "`bare` does not stand for a variable or a field"),
        ("x, two(x, 1) := n()", "`two(x, 1)` does not stand for a variable or a field"),
        ("n(1) := 1", "`n(1)` does not stand for a variable or a field"),
        ("assert call(1 + 1)", "`1 + 1` stands where the macro needs a name"),
        ("jump(1)", "`1` stands where the macro needs a name"),
        ("assert typed(1)", "`1` stands where the macro needs a type"),
        ("assert located(empty)", f"`l()` {NO_LOCATION}"),
        ("set(1)", "`t` does not stand for a variable or a field"),
    ],
)  # fmt: skip
def test_wrong_uses(use: str, message: str) -> None:
    text = f"""
        define two(a, b) a && b
        define empty() true
        define bare 2
        define kind() D
        define run(x) {{ n(x) }}
        define call(f) f(1)
        define jump(l) {{ goto l }}
        define typed(T) forall i: T :: true
        define located(l) acc(l())
        define block(s) {{ s }}
        define set(t) {{ t := 1 }}
        method m(x: Ref) {{
          {use}
        }}
    """
    assert errors(text) == [(14, message)]


def test_an_assignment_to_a_call_without_any_macro() -> None:
    text = "method m() {\n n(1) := 1 }"
    assert errors(text) == [(2, "`n(1)` does not stand for a variable or a field")]


def test_help_shows_how_to_write_the_use() -> None:
    found = expand("define A(x, y) x == y\nmethod m() { assert A(1) }").diagnostics
    assert [d.help for d in found] == ["say what `y` is, too: `A(1, ...)`"]
    assert [d.related[0].message for d in found] == ["macro `A` is defined here"]


def test_an_error_in_a_body_is_told_once_at_the_first_use() -> None:
    found = expand("""
        define A(x) x
        define B A + 1
        method m() {
          assert B == 1
          assert B == 2
        }
    """).diagnostics
    assert [(line_of(d), d.message) for d in found] == [(5, "macro `A` needs parentheses")]
    assert [related.span.line for related in found[0].related] == [3, 2]


def test_each_wrong_argument_is_told() -> None:
    text = "define A(f) f(1)\nmethod m() {\n assert A(1)\n assert A(2) }"
    assert [line for line, _ in errors(text)] == [3, 4]


# ---------------------------------------------------------------- limits


def test_expansions_that_grow_without_end_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expander, "MAX_NODES", 20_000)
    doubling = "\n".join(f"define A{i} A{i + 1} && A{i + 1}" for i in range(100))
    text = f"{doubling}\ndefine A100 true\nmethod m() {{\n assert A0\n assert A1 }}"
    message = "the macros of this program expand to more than 20000 nodes"
    assert run_deep(lambda: errors(text)) == [(103, message)]


def test_expansions_that_nest_without_end_are_given_up() -> None:
    message = "the expansion of this macro is nested too deeply"
    text = "define F(x) x(x)\nmethod m() {\n assert F(F)\n F(F)\n assert true }"
    assert run_deep(lambda: errors(text)) == [(3, message), (4, message)]
