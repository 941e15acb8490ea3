"""The type checker of the program model, rule by rule, and terms as data."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitviper.engines.explore.model.check import RULES, check_model, type_of
from pitviper.engines.explore.model.printer import instruction_text, method_text, term_text
from pitviper.engines.explore.model.program import (
    Assign,
    Branch,
    Call,
    Constraint,
    ConstraintKind,
    Instruction,
    Method,
    Model,
    Return,
)
from pitviper.engines.explore.model.serialise import (
    read_method,
    read_term,
    read_type,
    write_method,
    write_term,
    write_type,
)
from pitviper.engines.explore.model.term import Fresh, Literal, Local, Operation, Term
from pitviper.engines.explore.model.types import (
    BOOLEAN,
    HEAP,
    INT,
    INVALID,
    MAP,
    MULTISET,
    NULL,
    OBJECT,
    RATIONAL,
    SEQ,
    SET,
    Basic,
    Generic,
    Hierarchy,
    Nominal,
    Type,
)

INTS, BAG, NUMBERS = Generic(SEQ, (INT,)), Generic(MULTISET, (INT,)), Generic(SET, (INT,))
TABLE = Generic(MAP, (INT, BOOLEAN))
TREE = Nominal("adt", "Tree")

RULE_BY_RULE: list[tuple[str, list[Type], Type, list[Type]]] = [
    ("add", [INT, INT], INT, [INT, BOOLEAN]),
    ("add", [INT, RATIONAL], RATIONAL, [OBJECT, INT]),
    ("sub", [RATIONAL, INT], RATIONAL, [INT]),
    ("mul", [INT, INT], INT, [INTS, INT]),
    ("neg", [INT], INT, [INT, INT]),
    ("div", [INT, INT], INT, [RATIONAL, INT]),
    ("mod", [INT, INT], INT, [INT]),
    ("fraction", [INT, INT], RATIONAL, [BOOLEAN, INT]),
    ("rational", [INT], RATIONAL, [BOOLEAN]),
    ("less", [INT, RATIONAL], BOOLEAN, [INT, OBJECT]),
    ("at_most", [INT, INT], BOOLEAN, [BOOLEAN, BOOLEAN]),
    ("not", [BOOLEAN], BOOLEAN, [INT]),
    ("and", [BOOLEAN, BOOLEAN], BOOLEAN, [BOOLEAN, INT]),
    ("or", [BOOLEAN, BOOLEAN], BOOLEAN, [NULL, BOOLEAN]),
    ("implies", [BOOLEAN, BOOLEAN], BOOLEAN, [BOOLEAN]),
    ("equal", [OBJECT, NULL], BOOLEAN, [OBJECT, INT]),
    ("differ", [INTS, INTS], BOOLEAN, [INTS, NUMBERS]),
    ("choice", [BOOLEAN, INT, INT], INT, [BOOLEAN, INT, BOOLEAN]),
    ("seq", [INT, INT], INTS, [INT, BOOLEAN]),
    ("set", [INT], NUMBERS, [OBJECT]),
    ("multiset", [INT], BAG, [BOOLEAN]),
    ("map", [INT, BOOLEAN], TABLE, [BOOLEAN, INT]),
    ("range", [INT, INT], INTS, [INT, BOOLEAN]),
    ("append", [INTS, INTS], INTS, [INTS, NUMBERS]),
    ("union", [NUMBERS, NUMBERS], NUMBERS, [NUMBERS, BAG]),
    ("intersection", [BAG, BAG], BAG, [BAG]),
    ("difference", [NUMBERS, NUMBERS], NUMBERS, [NUMBERS, INT]),
    ("subset", [BAG, BAG], BOOLEAN, [BAG, NUMBERS]),
    ("take", [INTS, INT], INTS, [NUMBERS, INT]),
    ("drop", [INTS, INT], INTS, [INTS, BOOLEAN]),
    ("index", [INTS, INT], INT, [INTS, INTS]),
    ("update", [INTS, INT, INT], INTS, [NUMBERS, INT, INT]),
    ("seq_contains", [INT, INTS], BOOLEAN, [OBJECT, INTS]),
    ("contains", [INT, NUMBERS], BOOLEAN, [INT, INT]),
    ("has_key", [INT, TABLE], BOOLEAN, [BOOLEAN, TABLE]),
    ("count", [INT, BAG], INT, [INT, INT]),
    ("size", [TABLE], INT, [INT]),
    ("lookup", [TABLE, INT], BOOLEAN, [TABLE, BOOLEAN]),
    ("map_update", [TABLE, INT, BOOLEAN], TABLE, [INTS, INT, BOOLEAN]),
    ("keys", [TABLE], NUMBERS, []),
    ("values", [TABLE], Generic(SET, (BOOLEAN,)), []),
    ("held", [HEAP, OBJECT], RATIONAL, [OBJECT, OBJECT]),
    ("held_instance", [HEAP, INT], RATIONAL, [INT]),
    ("held_wand", [HEAP, INT], RATIONAL, []),
    ("read", [HEAP, OBJECT], INT, [OBJECT]),
    ("receivers", [HEAP], INTS, []),
    ("arguments", [HEAP], INTS, [INT]),
    ("wand_arguments", [HEAP], INTS, [INT]),
    ("is", [TREE], BOOLEAN, []),
    ("is_null", [OBJECT], BOOLEAN, [INT]),
    ("is_a", [OBJECT], BOOLEAN, [INT]),
    ("is_exactly", [Nominal("zoo", "Cat")], BOOLEAN, [INTS]),
    ("identical", [OBJECT, Nominal("zoo", "Cat")], BOOLEAN, [OBJECT, INT]),
    ("cast", [OBJECT], Nominal("zoo", "Cat"), [INT]),
    ("symbolic", [BOOLEAN], BOOLEAN, [INVALID]),
    ("candidates", [HEAP], INTS, [INVALID]),
    ("construct", [INT], TREE, [INVALID]),
    ("part", [TREE], INT, [INVALID]),
    ("table", [INT, OBJECT], INT, [INVALID]),
    ("for_all", [INT, OBJECT], BOOLEAN, [INVALID]),
]


def _term(operator: str, args: list[Type], claimed: Type) -> Operation:
    return Operation(operator, tuple([Local(f"a{i}", t) for i, t in enumerate(args)]), claimed)


@pytest.mark.parametrize(("operator", "good", "result", "bad"), RULE_BY_RULE)
def test_each_rule(operator: str, good: list[Type], result: Type, bad: list[Type]) -> None:
    assert type_of(_term(operator, good, result)) == result
    assert type_of(_term(operator, bad, result)) == INVALID


def test_every_operator_has_a_row() -> None:
    assert set(RULES) == {row[0] for row in RULE_BY_RULE}


def test_a_term_has_the_type_that_it_claims() -> None:
    assert type_of(_term("less", [INT, INT], INT)) == INVALID
    assert type_of(Operation("not", (_term("add", [INT], BOOLEAN),), BOOLEAN)) == INVALID
    assert type_of(Local("s", SEQ)) == INVALID  # a generic type without arguments


ANIMAL, CAT = Nominal("zoo", "Animal"), Nominal("zoo", "Cat")
ZOO = Hierarchy({ANIMAL: (), CAT: (ANIMAL,)})


def _problems(*code: Instruction, others: tuple[Method, ...] = ()) -> list[str]:
    method = Method("m", "m", (Local("p", INT),), (), (*code, Return()))
    return check_model(Model({m.name: m for m in (method, *others)}, hierarchy=ZOO))


def test_subtypes_fit_and_supertypes_do_not() -> None:
    animal, cat = Local("a", ANIMAL), Local("c", CAT)

    assert _problems(Assign(animal, cat)) == []
    assert _problems(Assign(cat, Literal(None, NULL))) == []
    assert _problems(Assign(Local("o", OBJECT), cat)) == []
    (problem,) = _problems(Assign(cat, animal))
    assert "zoo.Animal where zoo.Cat is expected" in problem


def test_what_is_compatible_can_be_replaced() -> None:
    method = Method("m", "m", (), (), (Assign(Local("c", CAT), Local("a", ANIMAL)), Return()))

    assert check_model(Model({"m": method}), compatible=lambda got, wanted: True) == []


CALLEE = Method("k", "k", (Local("x", INT),), (Local("y", CAT),), (Return(),))


@pytest.mark.parametrize(
    ("instruction", "problem"),
    [
        (Branch(Local("p", INT), 0), "int where boolean is expected"),
        (Branch(Literal(value=True, type=BOOLEAN), 7), "a jump to nowhere"),
        (Constraint(ConstraintKind.ASSUME, Local("p", INT)), "int where boolean is expected"),
        (Assign(Local("p", BOOLEAN), Literal(value=True, type=BOOLEAN)), "p is boolean here"),
        (Assign(Local("q", INT), _term("index", [INT], INT)), "index(a0) has no type"),
        (Call("nobody", (), ()), "no method nobody"),
        (Call("k", (), (Local("z", CAT),)), "wrong number"),
        (Call("k", (Local("b", BOOLEAN),), (Local("z", CAT),)), "boolean where int"),
        (Call("k", (Local("p", INT),), (Local("z", INT),)), "zoo.Cat is stored in int"),
        (Call("print", (_term("not", [INT], BOOLEAN),), (), native=True), "!a0 has no type"),
    ],
)
def test_each_instruction_is_checked(instruction: Instruction, problem: str) -> None:
    found = _problems(instruction, others=(CALLEE,))

    assert len(found) == 1
    assert problem in found[0]
    assert instruction_text(instruction) in found[0]


# ---------------------------------------------------------------- data

names = st.text("abcxyz_$%#", min_size=1, max_size=6)
types: st.SearchStrategy[Type] = st.recursive(
    st.one_of(
        st.sampled_from([INT, RATIONAL, HEAP, BOOLEAN, OBJECT, NULL, INVALID]),
        st.builds(Nominal, names, names),
        st.builds(Basic, names),
    ),
    lambda inner: st.builds(
        Generic,
        st.sampled_from([SEQ, SET, MULTISET, MAP]),
        st.lists(inner, min_size=1, max_size=2).map(tuple),
    ),
    max_leaves=4,
)
constants = st.one_of(st.integers(), st.booleans(), st.none(), st.text(max_size=5), st.fractions())
terms: st.SearchStrategy[Term] = st.recursive(
    st.one_of(
        st.builds(Literal, constants, types),
        st.builds(Local, names, types),
        st.builds(Fresh, types, names),
    ),
    lambda inner: st.builds(
        Operation, names, st.lists(inner, max_size=3).map(tuple), types, st.text(max_size=4)
    ),
    max_leaves=8,
)
variables = st.builds(Local, names, types)
instructions: st.SearchStrategy[Instruction] = st.one_of(
    st.builds(Assign, variables, terms),
    st.builds(Branch, terms, st.integers(0, 99)),
    st.builds(Constraint, st.sampled_from(ConstraintKind), terms),
    st.builds(
        Call,
        names,
        st.lists(terms, max_size=2).map(tuple),
        st.lists(variables, max_size=2).map(tuple),
        native=st.booleans(),
    ),
    st.just(Return()),
)
methods = st.builds(
    Method,
    names,
    names,
    st.lists(variables, max_size=2).map(tuple),
    st.lists(variables, max_size=2).map(tuple),
    st.lists(instructions, max_size=5).map(tuple),
)


@settings(max_examples=80, deadline=None)
@given(methods, types)
def test_what_is_written_is_read_again(method: Method, kind: Type) -> None:
    data = json.loads(json.dumps(write_method(method)))

    assert read_method(data) == method
    assert read_type(json.loads(json.dumps(write_type(kind)))) == kind
    assert len(method_text(method).splitlines()) >= 1 + len(method.instructions)


@settings(max_examples=80, deadline=None)
@given(terms)
def test_a_term_keeps_the_kind_of_its_constants(term: Term) -> None:
    again = read_term(json.loads(json.dumps(write_term(term))))

    assert again == term
    assert repr(again) == repr(term)  # True is not 1, and 1/1 is not 1
    assert term_text(again) == term_text(term)


def test_fractions_stay_fractions() -> None:
    again = read_term(json.loads(json.dumps(write_term(Literal(Fraction(2), RATIONAL)))))

    assert isinstance(again, Literal) and isinstance(again.value, Fraction)
