"""Consistency checks on formulas and contracts: each rule with a program that breaks it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.checking.options import CheckOptions
from pitviper.checking.wellformed import check_wellformed
from pitviper.program.assertion import (
    Access,
    Assertion,
    FieldLocation,
    InhaleExhale,
    PredicateLocation,
    QuantifiedPermission,
    Star,
    Wand,
)
from pitviper.program.expr import (
    Applying,
    Asserting,
    BoolLit,
    Compare,
    CompareOp,
    Conditional,
    CurrentPerm,
    Equal,
    Exists,
    Expr,
    FieldRead,
    Forall,
    ForPerm,
    FunctionApp,
    InhaleExhaleExpr,
    IntLit,
    Old,
    PermArith,
    PermConstant,
    PermLit,
    PermOp,
    PredicateInstance,
    Result,
    Trigger,
    Unfolding,
    Var,
)
from pitviper.program.member import (
    Adt,
    Axiom,
    Constructor,
    Domain,
    DomainFunction,
    Field,
    Function,
    Member,
    Method,
    Predicate,
    Program,
)
from pitviper.program.stmt import Block, Inhale
from pitviper.program.types import INT, PERM, REF, DomainType
from pitviper.source.diagnostic import Severity
from pitviper.source.span import SourceFile, Span

FILE = SourceFile(Path("a.vpr"), "." * 100)


def at(start: int) -> Span:
    return Span(FILE, start, start + 1)


i, j = Var("i", INT), Var("j", INT)
x, r = Var("x", REF), Var("r", REF)
p = Var("p", PERM)
true = BoolLit(value=True)
write = PermLit(PermConstant.WRITE)
wildcard = PermLit(PermConstant.WILDCARD, span=at(50))
half = PermArith(PermOp.FRACTION, IntLit(1), IntLit(2), span=at(60))
compound = PermArith(PermOp.SUB, write, wildcard, span=at(40))
xf = FieldLocation(x, "f")
px = PredicateLocation("P", (x,))
acc = Access(xf, write)
read = FieldRead(x, "f", INT)
wand = Wand(acc, acc)


def marked(e: Expr) -> Expr:
    """A condition whose span starts at 7."""
    return Equal(e, e, span=at(7))


def program_of(*members: Member) -> Program:
    tables: dict[type, dict[str, Member]] = {}
    for member in members:
        tables.setdefault(type(member), {})[member.name] = member
    kinds = (Field, Method, Function, Predicate, Domain, Adt)
    return Program(*[tables.get(kind, {}) for kind in kinds])  # type: ignore[arg-type]


def found(*members: Member, exact: bool = False) -> list[tuple[str, int, str]]:
    options = CheckOptions(respect_function_perm_amounts=exact)
    result = []
    for diagnostic in check_wellformed(program_of(*members), options):
        assert diagnostic.span is not None
        assert (diagnostic.severity is Severity.ERROR) == diagnostic.code.endswith("error")
        result.append((diagnostic.code, diagnostic.span.start, diagnostic.message))
    return result


def errors(*members: Member, exact: bool = False) -> list[tuple[int, str]]:
    """Place and first two words of each error, no warning among them."""
    result = []
    for code, start, message in found(*members, exact=exact):
        assert code == "consistency.error"
        result.append((start, " ".join(message.split()[:2])))
    return result


def method(
    *statements: object,
    pre: tuple[Assertion, ...] = (),
    post: tuple[Assertion, ...] = (),
    returns: tuple[Var, ...] = (),
) -> Method:
    return Method("run", (x,), returns, pre, post, (), Block(statements))  # type: ignore[arg-type]


def function(
    pre: tuple[Assertion, ...] = (), post: tuple[Expr, ...] = (), body: Expr | None = None
) -> Function:
    return Function("f", (x,), INT, pre, post, (), body, span=at(1))


def axiom(body: Expr) -> Domain:
    return Domain("D", (), None, (), (Axiom("ax", body),))


FORBIDDEN: list[tuple[Member, str]] = [
    (method(pre=(marked(Old(None, i)),)), "Old expressions"),
    (method(pre=(marked(Old("l", i)),)), "Labelled old"),
    (method(post=(marked(Old("l", i)),)), "Labelled old"),
    (method(pre=(marked(Result(INT)),)), "Result variables"),
    (method(post=(marked(Result(INT)),)), "Result variables"),
    (method(pre=(marked(CurrentPerm(xf)),)), "Perm and"),
    (method(post=(marked(ForPerm((x,), xf, true)),)), "Perm and"),
    (function(pre=(marked(Old(None, i)),)), "Old expressions"),
    (function(pre=(marked(Result(INT)),)), "Result variables"),
    (function(pre=(Wand(acc, acc, span=at(7)),)), "Magic wands"),
    (function(post=(marked(Old(None, i)),)), "Old expressions"),
    (function(post=(marked(CurrentPerm(xf)),)), "Perm expressions"),
    (
        function(post=(InhaleExhaleExpr(marked(CurrentPerm(xf)), true, span=at(7)),)),
        "Perm expressions",
    ),
    (function(body=marked(Old(None, i))), "Old expressions"),
    (function(body=marked(Result(INT))), "Result variables"),
    (function(body=marked(CurrentPerm(xf))), "Perm expressions"),
    (function(body=marked(ForPerm((x,), xf, true))), "Forperm expressions"),
    (Predicate("P", (x,), marked(Old(None, i))), "Old expressions"),
    (Predicate("P", (x,), marked(Result(INT))), "Result variables"),
    (Predicate("P", (x,), marked(CurrentPerm(xf))), "Perm expressions"),
    (Predicate("P", (x,), Star((true, wand), span=at(7))), "Magic wands"),
    (axiom(marked(Old(None, i))), "Old expressions"),
    (axiom(marked(Result(INT))), "Result variables"),
    (axiom(marked(read)), "Accesses to"),
    (axiom(marked(Unfolding(px, write, i))), "Accesses to"),
    (axiom(marked(Asserting(true, i))), "Asserting expressions"),
]


@pytest.mark.parametrize(("member", "message"), FORBIDDEN, ids=range(len(FORBIDDEN)))
def test_forbidden_in_its_place_is_reported_at_the_whole_contract(
    member: Member, message: str
) -> None:
    assert errors(member) == [(7, message)]


def test_the_place_of_the_construct_itself_is_related() -> None:
    old = Old(None, i, span=at(30))
    (diagnostic,) = check_wellformed(program_of(method(pre=(marked(old),))), CheckOptions())
    assert [related.span for related in diagnostic.related] == [at(30)]


ALLOWED: list[Member] = [
    method(post=(marked(Old(None, i)),)),
    method(pre=(InhaleExhaleExpr(marked(CurrentPerm(xf)), marked(ForPerm((x,), xf, true))),)),
    method(pre=(wand,), post=(InhaleExhale(acc, Equal(CurrentPerm(xf), write)),)),
    method(Inhale(Equal(CurrentPerm(wand), write)), Inhale(Applying(wand, true))),
    function(pre=(acc, marked(read)), post=(marked(Result(INT)),), body=Unfolding(px, write, i)),
    function(body=Asserting(acc, i)),
    Predicate("P", (x,), Star((acc, marked(read), Access(px, wildcard)))),
    axiom(Forall((i,), (Trigger((FunctionApp("g", (i,), INT),)),), marked(i))),
    method(Inhale(Forall((x,), (Trigger((wand, px, read)),), true))),
    method(pre=(Wand(acc, Equal(Old("lhs", read), read)),)),
]


@pytest.mark.parametrize("member", ALLOWED, ids=range(len(ALLOWED)))
def test_allowed(member: Member) -> None:
    assert errors(member) == []


@pytest.mark.smoke
def test_all_rules_broken_are_reported_in_source_order() -> None:
    old, label = Equal(Old(None, i), i, span=at(9)), Equal(Old("l", i), i, span=at(4))
    assert errors(method(pre=(old, label))) == [(4, "Labelled old"), (9, "Old expressions")]


def test_return_variable_in_a_precondition() -> None:
    assert errors(method(pre=(marked(r),), returns=(r,))) == [(7, "Return variable")]
    bound = Exists((r,), (), marked(r))
    assert errors(method(pre=(bound,), returns=(r,))) == []


# ---------------------------------------------------------------- the left-hand state


def test_old_lhs_outside_of_a_wand() -> None:
    old = Old("lhs", read, span=at(5))
    assert errors(method(pre=(Equal(old, i),))) == [(5, "Labelled old")]


def test_old_lhs_on_the_left_of_a_wand() -> None:
    old = Equal(Old("lhs", read, span=at(5)), i)
    assert errors(method(pre=(Wand(Star((acc, old)), acc),))) == [(5, "old[lhs] is")]
    assert errors(method(pre=(Wand(acc, Wand(old, acc)),))) == [(5, "old[lhs] is")]
    assert errors(method(pre=(Wand(acc, Wand(acc, old)),))) == []


# ---------------------------------------------------------------- permission amounts


def test_wildcard_outside_of_an_accessibility_predicate() -> None:
    assert errors(method(Inhale(Compare(CompareOp.LT, wildcard, p)))) == [(50, "Wildcard can")]
    assert errors(function(body=FunctionApp("g", (wildcard,), INT))) == [(50, "Wildcard can")]


def test_wildcard_in_a_compound_amount() -> None:
    assert errors(method(pre=(Access(xf, compound),))) == [(40, "Wildcard occurs")]
    assert errors(Predicate("P", (x,), Access(xf, compound))) == [(40, "Wildcard occurs")]
    choice = Conditional(true, wildcard, write, span=at(40))
    assert errors(method(Inhale(Equal(Unfolding(px, choice, i), i)))) == [(40, "Wildcard occurs")]


def test_amounts_in_functions_are_binary_unless_the_option_says_otherwise() -> None:
    member = function(pre=(Access(xf, compound),))
    assert [finding[:2] for finding in found(member)] == [("typechecker.warning", 40)]
    assert errors(member, exact=True) == [(40, "Wildcard occurs")]
    assert errors(function(pre=(Access(xf, half),)), exact=True) == []


def test_amounts_that_say_only_some_or_none_need_no_warning() -> None:
    choice = Conditional(true, write, PermLit(PermConstant.NONE))
    assert found(function(pre=(acc, Access(xf, wildcard), Access(px, choice)))) == []
    body = Unfolding(px, half, i)
    assert [finding[:2] for finding in found(function(body=body))] == [("typechecker.warning", 60)]
    assert found(method(pre=(Access(xf, half),))) == []


# ---------------------------------------------------------------- quantifiers


def term(*args: Expr) -> FunctionApp:
    return FunctionApp("g", args, INT, span=at(20))


def test_every_variable_occurs_in_every_trigger() -> None:
    variables = (Var("i", INT, span=at(11)), Var("j", INT, span=at(12)))
    quantifier = Forall(variables, (Trigger((term(i), term(j))), Trigger((term(j),))), true)
    assert errors(axiom(quantifier)) == [(11, "Variable i")]


def test_every_trigger_term_mentions_a_variable() -> None:
    variables = (Var("i", INT, span=at(11)),)
    quantifier = Exists(variables, (Trigger((term(i), term(j))),), true)
    assert errors(axiom(quantifier)) == [(20, "Trigger expression")]
    assert errors(axiom(Forall(variables, (Trigger(()),), true))) == [(11, "Variable i")]


def test_triggers_of_quantified_permissions() -> None:
    variables = (Var("x", REF, span=at(11)),)
    permission = QuantifiedPermission(variables, (Trigger((term(j),)),), true, acc)
    assert errors(method(Inhale(permission))) == [(11, "Variable x"), (20, "Trigger expression")]


def test_quantifiers_have_variables() -> None:
    assert errors(axiom(Forall((), (), true, span=at(3)))) == [(3, "Quantifier must")]
    assert errors(method(Inhale(ForPerm((), xf, true, span=at(3))))) == [(3, "Quantifier must")]


def test_permission_questions_inside_forperm() -> None:
    inner = Equal(CurrentPerm(xf, span=at(8)), write)
    assert errors(method(Inhale(ForPerm((x,), xf, inner)))) == [(8, "Perm and")]


# ---------------------------------------------------------------- declarations


def test_domains() -> None:
    unique = DomainFunction("c", (i,), INT, True, None, span=at(6))
    assert errors(Domain("D", (), None, (unique,), ())) == [(6, "Only constants,")]
    generic = Domain("D", ("T",), (("SMTLIB", "Int"),), (), (), span=at(2))
    assert errors(generic) == [(2, "Domain D")]
    other = Domain("D", (), (("Boogie", "int"),), (), (), span=at(2))
    assert found(other) == [("consistency.error", 2, "Domain D has no interpretation for SMTLIB.")]
    assert errors(Domain("D", (), (("SMTLIB", "Int"),), (), ())) == []


def test_an_adt_has_a_constructor() -> None:
    assert errors(Adt("T", (), (), (), span=at(2))) == [(2, "ADT T")]
    assert errors(Adt("T", (), (Constructor("C", ()),), ())) == []


def test_names_are_global_valid_and_not_reserved() -> None:
    axioms = (Axiom("same", true), Axiom("same", true, span=at(6)), Axiom(None, true))
    assert errors(Domain("D", (), None, (), axioms)) == [(6, "Duplicate identifier")]
    assert errors(Field("P", INT), Predicate("P", (), None, span=at(6))) == [
        (6, "Duplicate identifier")
    ]
    assert errors(Field("forall", INT, span=at(6))) == [(6, "forall is")]
    assert errors(Field("1f", INT, span=at(6))) == [(6, "1f is")]
    assert errors(Field("f'1@2", INT)) == []
    twice = (x, Var("x", INT, span=at(6)))
    assert errors(Predicate("P", twice, None)) == [(6, "Duplicate identifier")]


def test_predicate_instances_need_their_domain() -> None:
    body = Equal(PredicateInstance("P", (x,), span=at(6)), PredicateInstance("P", (x,)))
    domain = Domain("PredicateInstance", (), None, (), ())
    assert errors(method(Inhale(body))) == [(6, "Domain PredicateInstance")]
    assert errors(method(Inhale(body)), domain) == []
    assert body.left.type == DomainType(domain.name)


def test_a_long_conjunction_does_not_deepen_the_stack() -> None:
    conjuncts = Star((acc, *[Equal(i, j, span=at(1))] * 50_000))
    assert errors(method(pre=(conjuncts,))) == []
