from __future__ import annotations

from pitviper.plugins.build import instantiate, substitute
from pitviper.plugins.names import Names
from pitviper.program.expr import Expr, IntLit, Var
from pitviper.program.member import Function
from pitviper.program.print.printer import expr_text
from pitviper.program.types import INT
from tests.unit.plugins.encoded_texts import program_of


def body_of(text: str) -> tuple[Expr, Names]:
    program = program_of(text)
    function: Function = program.functions["f"]
    assert function.body is not None
    return function.body, Names(program)


def test_variables_are_replaced_everywhere() -> None:
    body, _ = body_of("function f(x: Int, y: Int): Int { x > 0 ? x + y : (let z == (x) in z) }")
    value = IntLit(7)

    assert expr_text(substitute(body, {"x": value})) == "(7 > 0 ? 7 + y : (let z == (7) in z))"
    assert substitute(body, {}) is body


def test_no_variable_is_captured() -> None:
    body, names = body_of("function f(x: Int): Bool { forall i: Int :: i > x }")
    outer = Var("i", INT)

    assert expr_text(instantiate(body, {"x": outer}, names)) == "(forall i_0: Int :: i_0 > i)"


def test_bound_variables_of_all_binders_are_renamed() -> None:
    body, names = body_of(
        "function f(x: Int): Bool { (exists i: Int :: i > x) && (let j == (x) in j > 0) }"
    )
    text = expr_text(instantiate(body, {}, names))

    assert text == "(exists i_0: Int :: i_0 > x) && (let j_0 == (x) in j_0 > 0)"
