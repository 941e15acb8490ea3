from __future__ import annotations

from pitviper.plugins.build import aside, conjunction, disjunction, implication
from pitviper.plugins.names import Names
from pitviper.program.expr import And, BoolLit, Expr, Implies, Or, Var
from pitviper.program.stmt import Assert, Declare, If
from pitviper.program.types import BOOL
from pitviper.source.span import NO_SPAN
from tests.unit.plugins.encoded_texts import program_of

A: Expr = Var("a", BOOL)
B: Expr = Var("b", BOOL)
TRUE = BoolLit(value=True)
FALSE = BoolLit(value=False)


def test_conjunctions_are_flat_and_without_true() -> None:
    assert conjunction((A, TRUE, And((B, A))), NO_SPAN) == And((A, B, A))
    assert conjunction((TRUE, A), NO_SPAN) == A
    assert conjunction((), NO_SPAN) == TRUE


def test_disjunctions_drop_false_and_end_at_true() -> None:
    assert disjunction((A, FALSE, B), NO_SPAN) == Or((A, B))
    assert disjunction((A, TRUE), NO_SPAN) == TRUE
    assert disjunction((FALSE,), NO_SPAN) == FALSE


def test_implications_of_literals_are_simpler() -> None:
    assert implication(TRUE, A, NO_SPAN) == A
    assert implication(A, TRUE, NO_SPAN) == TRUE
    assert implication(A, FALSE, NO_SPAN) == Implies(A, FALSE)


def test_an_aside_ends_its_path() -> None:
    names = Names(program_of(""))
    declared, branch = aside([Assert(A)], names, NO_SPAN)

    assert isinstance(declared, Declare)
    assert isinstance(branch, If)
    assert branch.condition == declared.variable
    assert branch.then.statements[0] == Assert(A)
    assert len(branch.then.statements) == 2
    assert branch.otherwise.statements == ()


def test_an_aside_at_the_end_of_an_aside_is_part_of_it() -> None:
    names = Names(program_of(""))
    inner = aside([Assert(B)], names, NO_SPAN)
    _, branch = aside([Assert(A), *inner], names, NO_SPAN)

    assert isinstance(branch, If)
    assert branch.then.statements[:2] == (Assert(A), Assert(B))
    assert len(branch.then.statements) == 3


def test_nothing_aside_is_nothing() -> None:
    assert aside([], Names(program_of("")), NO_SPAN) == []
