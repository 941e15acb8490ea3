"""Consistency checks on statements, recursion and termination clauses."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.checking.options import CheckOptions
from pitviper.checking.wellformed import check_wellformed
from pitviper.program.assertion import Assertion, PredicateLocation, Wand
from pitviper.program.expr import (
    BoolLit,
    Conditional,
    CurrentPerm,
    Equal,
    Expr,
    FieldRead,
    FunctionApp,
    InhaleExhaleExpr,
    IntLit,
    Old,
    PermConstant,
    PermLit,
    PredicateInstance,
    Result,
    Unfolding,
    Var,
)
from pitviper.program.member import Domain, DomainFunction, Function, Method, Program
from pitviper.program.stmt import (
    Assert,
    Block,
    Declare,
    Decreases,
    DecreasesStar,
    DecreasesTuple,
    DecreasesWildcard,
    FieldAssign,
    Fold,
    Goto,
    If,
    Label,
    LocalAssign,
    MethodCall,
    New,
    Package,
    QuasihavocAll,
    Stmt,
    While,
)
from pitviper.program.types import BOOL, INT, PERM, REF
from pitviper.source.span import SourceFile, Span

FILE = SourceFile(Path("a.vpr"), "." * 100)


def at(start: int) -> Span:
    return Span(FILE, start, start + 1)


i, j, n = Var("i", INT), Var("j", INT), Var("n", INT)
x, p = Var("x", REF), Var("p", PERM)
a = Var("a", BOOL)
true = BoolLit(value=True)
one = IntLit(1)
wildcard = PermLit(PermConstant.WILDCARD)
px = PredicateLocation("P", (x,))


def found(program: Program) -> list[tuple[str, int, str]]:
    """Code, place and first two words of each finding."""
    result = []
    for diagnostic in check_wellformed(program, CheckOptions()):
        assert diagnostic.span is not None
        words = " ".join(diagnostic.message.split()[:2])
        result.append((diagnostic.code, diagnostic.span.start, words))
    return result


def errors(program: Program) -> list[tuple[int, str]]:
    result = found(program)
    assert {code for code, _, _ in result} <= {"consistency.error"}
    return [(start, words) for _, start, words in result]


def body(*statements: Stmt) -> Program:
    """A method run(n: Int) with these statements."""
    method = Method("run", (n,), (i, j), (), (), (), Block(statements))
    return Program({}, {"run": method}, {}, {}, {}, {})


def test_parameters_are_not_assigned() -> None:
    assert errors(body(LocalAssign(n, one, span=at(3)))) == [(3, "n :=")]
    assert errors(body(New(n, (), span=at(3)))) == [(3, "n :=")]
    assert errors(body(MethodCall("run", (one,), (i, n), span=at(3)))) == [(3, "i, n")]
    assert errors(body(LocalAssign(i, n))) == []


def test_targets_of_a_call_are_different() -> None:
    call = MethodCall("run", (one,), (Var("i", INT, span=at(3)), i), span=at(2))
    assert errors(body(call)) == [(3, "Targets are")]


def test_labels_are_unique_in_a_method_and_exist() -> None:
    first, second = Label("l", ()), Label("l", (), span=at(9))
    assert errors(body(If(a, Block((first,)), Block((second,))))) == [(9, "Duplicate identifier")]
    assert errors(body(Goto("l"), first)) == []
    assert errors(body(Goto("m", span=at(5)), first)) == [(5, "No label")]
    assert errors(body(Assert(Equal(Old("m", i, span=at(5)), i)))) == [(5, "No label")]
    assert errors(body(first, Assert(Equal(Old("l", i), i)))) == []


def test_result_in_a_statement() -> None:
    assert errors(body(LocalAssign(i, Result(INT), span=at(4)))) == [(4, "Result variables")]


def test_perm_in_loop_invariants_only_in_pairs() -> None:
    question = Equal(CurrentPerm(px), p, span=at(4))
    assert errors(body(While(a, (question,), (), Block(())))) == [(4, "Perm and")]
    pair = InhaleExhaleExpr(question, true)
    assert errors(body(While(a, (pair,), (), Block(())))) == []
    assert errors(body(Assert(question))) == []


def test_fold_may_use_a_wildcard() -> None:
    assert errors(body(Fold(px, wildcard))) == []
    choice = Conditional(a, wildcard, p, span=at(4))
    assert errors(body(Fold(px, choice))) == [(4, "Wildcard occurs")]


def test_quasihavocall_has_variables() -> None:
    assert errors(body(QuasihavocAll((), None, px, span=at(4)))) == [(4, "Quasihavocall must")]


# ---------------------------------------------------------------- proof scripts


def script(*statements: Stmt) -> Program:
    return body(Package(Wand(true, true), Block(statements)))


SCRIPTS: list[tuple[Stmt, str]] = [
    (FieldAssign(x, "f", one, span=at(8)), "Field assignments"),
    (New(x, (), span=at(8)), "New statements"),
    (While(a, (), (), Block(()), span=at(8)), "While statements"),
    (LocalAssign(i, one, span=at(8)), "Can only"),
    (If(a, Block((LocalAssign(i, one, span=at(8)),)), Block(())), "Can only"),
    (MethodCall("run", (one,), (i,), span=at(8)), "Can only"),
    (Block((Label("l", ()), Goto("l", span=at(8)))), "Goto statements"),
]


@pytest.mark.parametrize(("statement", "message"), SCRIPTS, ids=range(len(SCRIPTS)))
def test_forbidden_in_proof_scripts(statement: Stmt, message: str) -> None:
    assert errors(script(statement)) == [(8, message)]


def test_scripts_assign_their_own_variables() -> None:
    assert errors(script(Declare(i), LocalAssign(i, one), MethodCall("run", (i,), (i,)))) == []
    inner = Package(Wand(true, true), Block((LocalAssign(i, one, span=at(8)),)))
    assert errors(script(Declare(i), inner)) == [(8, "Can only")]
    after = script(Declare(i), Package(Wand(true, true), Block(())), LocalAssign(i, one))
    assert errors(after) == []


def test_old_lhs_in_scripts() -> None:
    old = Equal(Old("lhs", i, span=at(8)), i)
    assert errors(script(Assert(old))) == []
    assert errors(script(Assert(Wand(old, true)))) == [(8, "old[lhs] is")]
    assert errors(body(Assert(old))) == [(8, "Labelled old")]


# ---------------------------------------------------------------- invariants of labels


def test_invariant_of_a_label_that_heads_no_loop() -> None:
    label = Label("l", (true,), span=at(4))
    assert found(body(label)) == [("verifier.warning", 4, "Label l")]
    assert found(body(label, Goto("l"))) == []


# ---------------------------------------------------------------- recursion


def app(name: str, *args: Expr, start: int = 0) -> FunctionApp:
    return FunctionApp(name, args, INT, span=at(start))


def is_one(e: Expr) -> Expr:
    return Equal(e, one)


def function(
    name: str,
    start: int,
    pre: tuple[Assertion, ...] = (),
    post: tuple[Expr, ...] = (),
    decreases: tuple[Decreases, ...] = (),
    *,
    body: Expr | None = None,
) -> Function:
    return Function(name, (n,), INT, pre, post, decreases, body, span=at(start))


ORDER = Domain(
    "WellFoundedOrder",
    (),
    None,
    tuple(
        [
            DomainFunction(name, (), BOOL, False, None)
            for name in ("decreasing", "bounded", "nestedPredicates")
        ]
    ),
    (),
)
INSTANCES = Domain("PredicateInstance", (), None, (), ())


def functions(*members: Function) -> Program:
    domains = {ORDER.name: ORDER, INSTANCES.name: INSTANCES}
    return Program({}, {}, {f.name: f for f in members}, {}, domains, {})


@pytest.mark.smoke
def test_recursion_through_a_precondition() -> None:
    direct = function("f", 5, pre=(is_one(app("f")),))
    assert errors(functions(direct)) == [(5, "Function f")]
    f, g = function("f", 5, pre=(is_one(app("g")),)), function("g", 6, post=(is_one(app("f")),))
    assert errors(functions(f, g)) == [(5, "Function f")]
    assert errors(functions(f, function("g", 6))) == []
    assert errors(functions(function("f", 5, body=app("f")))) == []


def test_recursion_through_a_measure() -> None:
    f = function("f", 5, decreases=(DecreasesTuple((app("g"),), None),), body=app("g"))
    g = function("g", 6, decreases=(DecreasesTuple((n,), None),), body=app("f"))
    assert errors(functions(f, g)) == [(5, "Function f")]


def test_postcondition_that_calls_its_function() -> None:
    f = function("f", 5, post=(is_one(app("f", n, start=7)),))
    assert errors(functions(f)) == [(7, "Function f")]
    (same,) = check_wellformed(functions(f), CheckOptions())
    other = function("f", 5, post=(is_one(app("f", one, start=7)),))
    (different,) = check_wellformed(functions(other), CheckOptions())
    assert same.help != different.help
    measured = function("f", 5, post=(is_one(app("f", n)),), decreases=(DecreasesStar(),))
    assert errors(functions(measured)) == []


def test_postcondition_that_calls_a_function_of_its_cycle() -> None:
    f = function("f", 5, post=(is_one(app("g", start=7)),), body=app("g"))
    assert errors(functions(f, function("g", 6, body=app("f")))) == [(7, "Function f")]
    assert errors(functions(f, function("g", 6))) == []


def test_plugin_rules_wait_for_the_others() -> None:
    f = function("f", 5, pre=(is_one(app("f")),))
    g = function("g", 6, post=(is_one(app("g", start=7)),))
    assert errors(functions(f, g)) == [(5, "Function f")]


# ---------------------------------------------------------------- decreases clauses


def clause(start: int, *measures: Expr) -> DecreasesTuple:
    return DecreasesTuple(measures, None, span=at(start))


def test_one_clause_of_each_kind() -> None:
    tuples = (clause(10, n), clause(11, n))
    assert errors(functions(function("f", 5, decreases=tuples))) == [(10, "Multiple decreases")]
    wildcards = (DecreasesWildcard(a, span=at(10)), DecreasesWildcard(None, span=at(11)))
    assert errors(functions(function("f", 5, decreases=wildcards))) == [(10, "Multiple decreases")]
    mixed = (clause(10, n), DecreasesWildcard(a), DecreasesStar())
    assert errors(functions(function("f", 5, decreases=mixed))) == []
    loop = While(a, (), (clause(10), clause(11)), Block(()))
    assert errors(body(loop)) == [(10, "Multiple decreases")]


def test_clauses_before_and_behind_a_postcondition_are_apart() -> None:
    post = Equal(Result(INT), n, span=at(15))
    f = function("f", 5, post=(post,), decreases=(clause(10, n), clause(20, n)))
    assert errors(functions(f)) == []
    late = function("f", 5, post=(post,), decreases=(clause(16, n), clause(20, n)))
    assert errors(functions(late)) == [(16, "Multiple decreases")]


def test_pairs_are_no_measures() -> None:
    pair = InhaleExhaleExpr(true, true, span=at(30))
    f = function("f", 5, decreases=(clause(10, Conditional(a, pair, true)),))
    assert errors(functions(f)) == [(30, "Inhale-exhale expressions")]
    unfolding = Unfolding(px, wildcard, pair)
    g = function("f", 5, decreases=(clause(10, unfolding),))
    assert errors(functions(g)) == [(30, "Inhale-exhale expressions")]
    deciding = function("f", 5, decreases=(clause(10, Conditional(pair, a, a)),))
    assert errors(functions(deciding)) == []


def test_old_is_not_allowed_in_the_measure_of_a_member() -> None:
    old = Old(None, FieldRead(x, "f", INT))
    assert errors(functions(function("f", 5, decreases=(clause(10, old),)))) == [
        (10, "Old expressions")
    ]


def test_measures_need_their_order_functions() -> None:
    f = function("f", 5, decreases=(clause(10, n),))
    bare = Program({}, {}, {"f": f}, {}, {}, {})
    assert errors(bare) == [(10, 'Function "decreasing"'), (10, 'Function "bounded"')]
    empty = function("f", 5, decreases=(clause(10),))
    assert errors(Program({}, {}, {"f": empty}, {}, {}, {})) == []
    nested = function("f", 5, decreases=(clause(10, PredicateInstance("P", (x,))),))
    domains = {ORDER.name: ORDER, INSTANCES.name: INSTANCES}
    assert errors(Program({}, {}, {"f": nested}, {}, domains, {})) == []
    poor = Domain(ORDER.name, (), None, ORDER.functions[:2], ())
    domains[ORDER.name] = poor
    assert errors(Program({}, {}, {"f": nested}, {}, domains, {})) == [
        (10, 'Function "nestedPredicates"')
    ]
