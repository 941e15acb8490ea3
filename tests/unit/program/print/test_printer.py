"""The printer writes every class of the typed program."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from pitviper.program import assertion, expr, member, stmt
from pitviper.program.assertion import (
    Access,
    Binding,
    Choice,
    FieldLocation,
    Guarded,
    InhaleExhale,
    PredicateLocation,
    QuantifiedPermission,
    Star,
    Wand,
)
from pitviper.program.expr import (
    And,
    Applying,
    Asserting,
    BoolLit,
    Cardinality,
    Compare,
    CompareOp,
    Conditional,
    Construct,
    CurrentPerm,
    Destruct,
    Discriminate,
    DomainApp,
    Equal,
    Exists,
    Expr,
    FieldRead,
    Forall,
    ForPerm,
    FunctionApp,
    Implies,
    InhaleExhaleExpr,
    IntArith,
    IntLit,
    IntOp,
    Let,
    MapContains,
    MapDomain,
    MapLit,
    MapLookup,
    MapRange,
    MapUpdate,
    MultisetCount,
    MultisetLit,
    Negate,
    Not,
    NotEqual,
    NullLit,
    Old,
    Or,
    PermArith,
    PermConstant,
    PermLit,
    PermOp,
    PredicateInstance,
    Result,
    SeqAppend,
    SeqContains,
    SeqDrop,
    SeqIndex,
    SeqLit,
    SeqRange,
    SeqTake,
    SeqUpdate,
    SetBinary,
    SetContains,
    SetLit,
    SetOp,
    Subset,
    Trigger,
    Unfolding,
    Var,
)
from pitviper.program.member import (
    Adt,
    Axiom,
    Constructor,
    Derivation,
    Domain,
    DomainFunction,
    Field,
    Function,
    Method,
    Predicate,
    Program,
)
from pitviper.program.node import Annotation, Node
from pitviper.program.print import expressions, statements
from pitviper.program.print import printer as print_member
from pitviper.program.print.printer import (
    assertion_text,
    expr_text,
    member_text,
    program_text,
    stmt_text,
)
from pitviper.program.stmt import (
    Apply,
    Assert,
    Block,
    Cut,
    Declare,
    DecreasesStar,
    DecreasesTuple,
    DecreasesWildcard,
    Exhale,
    FieldAssign,
    Fold,
    Goto,
    If,
    Inhale,
    Label,
    LocalAssign,
    MethodCall,
    New,
    Package,
    Quasihavoc,
    QuasihavocAll,
    Refute,
    Unfold,
    Unreachable,
    While,
)
from pitviper.program.types import (
    BOOL,
    INT,
    PERM,
    REF,
    AdtType,
    DomainType,
    MapType,
    MultisetType,
    SeqType,
    SetType,
    TypeVar,
)
from pitviper.source.span import SourceFile
from pitviper.syntax.parse.parser import parse_file
from pitviper.syntax.token import KEYWORDS, SMOKE_KEYWORDS

a, b, c = (Var(name, BOOL) for name in "abc")
i, j, k = (Var(name, INT) for name in "ijk")
p, q = (Var(name, PERM) for name in "pq")
x, y = (Var(name, REF) for name in "xy")
s, t = (Var(name, SeqType(INT)) for name in "st")
u, v = (Var(name, SetType(INT)) for name in "uv")
m = Var("m", MultisetType(INT))
d = Var("d", MapType(INT, BOOL))
write = PermLit(PermConstant.WRITE)
half = PermArith(PermOp.FRACTION, IntLit(1), IntLit(2))
true = BoolLit(value=True)
xf = FieldLocation(x, "f")
px = PredicateLocation("P", (x,))
acc_f = Access(xf, write)
acc_p = Access(px, half)
wand = Wand(acc_f, acc_p)
read = FieldRead(x, "f", INT)
call = FunctionApp("g", (i,), INT)


def add(left: Expr, right: Expr) -> IntArith:
    return IntArith(IntOp.ADD, left, right)


def less(left: Expr, right: Expr) -> Compare:
    return Compare(CompareOp.LT, left, right)


EXPRESSIONS: list[tuple[Expr, str]] = [
    (IntLit(7), "7"),
    (IntLit(-7), "-7"),
    (IntArith(IntOp.MUL, IntLit(-7), i), "-7 * i"),
    (SeqIndex(s, IntLit(-7), INT), "s[-7]"),
    (true, "true"),
    (BoolLit(value=False), "false"),
    (NullLit(), "null"),
    (PermLit(PermConstant.WILDCARD), "wildcard"),
    (Result(INT), "result"),
    (Not(a), "!a"),
    (Not(Not(a)), "!(!a)"),
    (Not(And((a, b))), "!(a && b)"),
    (And((a, b, c)), "a && b && c"),
    (And((And((a, b)), c)), "(a && b) && c"),
    (And((a, Or((b, c)))), "a && (b || c)"),
    (Or((And((a, b)), c)), "a && b || c"),
    (Implies(a, Implies(b, c)), "a ==> b ==> c"),
    (Implies(Implies(a, b), c), "(a ==> b) ==> c"),
    (Implies(Or((a, b)), c), "a || b ==> c"),
    (Equal(a, Equal(b, c)), "a == (b == c)"),
    (Equal(Implies(a, b), c), "(a ==> b) == c"),
    (NotEqual(add(i, j), k), "i + j != k"),
    (Equal(less(i, j), a), "i < j == a"),
    (Conditional(a, i, Conditional(b, j, k)), "(a ? i : (b ? j : k))"),
    (Conditional(Implies(a, b), i, j), "(a ==> b ? i : j)"),
    (less(add(i, j), Conditional(a, i, j)), "i + j < (a ? i : j)"),
    (Negate(i), "-i"),
    (Negate(Negate(i)), "-(-i)"),
    (Negate(add(i, j)), "-(i + j)"),
    (Negate(read), "-x.f"),
    (add(add(i, j), k), "i + j + k"),
    (add(i, add(j, k)), "i + (j + k)"),
    (IntArith(IntOp.SUB, i, Negate(j)), "i - -j"),
    (IntArith(IntOp.MUL, add(i, j), k), "(i + j) * k"),
    (IntArith(IntOp.DIV, i, IntArith(IntOp.MOD, j, k)), "i \\ (j % k)"),
    (PermArith(PermOp.INT_MUL, i, p), "i * p"),
    (PermArith(PermOp.SUB, p, PermArith(PermOp.ADD, q, half)), "p - (q + 1 / 2)"),
    (PermArith(PermOp.INT_DIV, half, i), "1 / 2 / i"),
    (PermArith(PermOp.DIV, p, half), "p / (1 / 2)"),
    (read, "x.f"),
    (FieldRead(Conditional(a, x, y), "f", INT), "(a ? x : y).f"),
    (FunctionApp("g", (i, add(j, k)), INT), "g(i, j + k)"),
    (FunctionApp("g", (), INT, reveal=True), "(@reveal() g())"),
    (DomainApp("D", "h", (), (i,), INT), "h(i)"),
    (
        DomainApp("D", "h", (INT,), (), DomainType("D", (INT, SeqType(BOOL)))),
        "(h(): D[Int,Seq[Bool]])",
    ),
    (Old(None, read), "old(x.f)"),
    (Old("l", read), "old[l](x.f)"),
    (Old("lhs", read), "old[lhs](x.f)"),
    (Let(k, add(i, j), less(k, i)), "(let k == (i + j) in k < i)"),
    (Unfolding(px, write, read), "(unfolding acc(P(x), write) in x.f)"),
    (Applying(wand, a), "(applying (acc(x.f, write) --* acc(P(x), 1 / 2)) in a)"),
    (Asserting(acc_f, read), "(asserting (acc(x.f, write)) in x.f)"),
    (CurrentPerm(px), "perm(P(x))"),
    (CurrentPerm(wand), "perm(acc(x.f, write) --* acc(P(x), 1 / 2))"),
    (InhaleExhaleExpr(a, Implies(b, c)), "[a, b ==> c]"),
    (
        Forall((i, x), (Trigger((call, read)), Trigger((px,))), Implies(a, b)),
        "(forall i: Int, x: Ref :: { g(i), x.f } { P(x) } a ==> b)",
    ),
    (Forall((i,), (), a, weight=3), '(@weight("3") forall i: Int :: a)'),
    (Forall((i,), (Trigger(()),), a), "(forall i: Int :: { } a)"),
    (Exists((i,), (Trigger((Old("l", call),)),), a), "(exists i: Int :: { old[l](g(i)) } a)"),
    (Forall((x,), (Trigger((wand,)),), a),
     "(forall x: Ref :: { acc(x.f, write) --* acc(P(x), 1 / 2) } a)"),
    (ForPerm((x,), xf, Not(a)), "(forperm x: Ref [x.f] :: !a)"),
    (SeqLit((), SeqType(SetType(INT))), "Seq[Set[Int]]()"),
    (SeqLit((i, j), SeqType(INT)), "Seq(i, j)"),
    (SetLit((i,), SetType(INT)), "Set(i)"),
    (SetLit((), SetType(INT)), "Set[Int]()"),
    (MultisetLit((i, i), MultisetType(INT)), "Multiset(i, i)"),
    (MapLit(((i, a), (j, b)), MapType(INT, BOOL)), "Map(i := a, j := b)"),
    (MapLit((), MapType(INT, BOOL)), "Map[Int,Bool]()"),
    (SeqRange(IntLit(0), Cardinality(s)), "[0..|s|)"),
    (SeqAppend(SeqAppend(s, t), s), "s ++ t ++ s"),
    (SeqAppend(s, SeqAppend(t, s)), "s ++ (t ++ s)"),
    (SeqIndex(SeqAppend(s, t), i, INT), "(s ++ t)[i]"),
    (SeqTake(s, i), "s[..i]"),
    (SeqDrop(s, i), "s[i..]"),
    (SeqDrop(SeqTake(s, j), i), "s[i..j]"),
    (SeqTake(SeqDrop(s, i), j), "s[i..][..j]"),
    (SeqUpdate(s, i, j), "s[i := j]"),
    (SeqContains(add(i, j), SeqAppend(s, t)), "(i + j in s ++ t)"),
    (Implies(SetContains(i, u), a), "(i in u) ==> a"),
    (SetBinary(SetOp.DIFFERENCE, SetBinary(SetOp.UNION, u, v), u), "((u union v) setminus u)"),
    (Subset(u, SetBinary(SetOp.INTERSECTION, u, v)), "(u subset (u intersection v))"),
    (MultisetCount(i, m), "(i in m)"),
    (Cardinality(SetBinary(SetOp.UNION, u, v)), "|(u union v)|"),
    (MapLookup(d, i, BOOL), "d[i]"),
    (MapUpdate(MapUpdate(d, i, a), j, b), "d[i := a][j := b]"),
    (MapContains(i, d), "(i in d)"),
    (MapDomain(d, SetType(INT)), "domain(d)"),
    (MapRange(d, SetType(BOOL)), "range(d)"),
    (Construct("Nil", (), AdtType("List", (INT,))), "(Nil(): List[Int])"),
    (Construct("Leaf", (i,), AdtType("Tree")), "Leaf(i)"),
    (Destruct(Construct("Leaf", (i,), AdtType("Tree")), "value", INT), "Leaf(i).value"),
    (Discriminate(Var("l", AdtType("List", (INT,))), "Nil"), "l.isNil"),
    (PredicateInstance("P", (x,)), "#P(x)"),
]  # fmt: skip


@pytest.mark.smoke
@pytest.mark.parametrize(("node", "text"), EXPRESSIONS, ids=[text for _, text in EXPRESSIONS])
def test_expression(node: Expr, text: str) -> None:
    assert expr_text(node) == text


ASSERTIONS: list[tuple[assertion.Assertion, str]] = [
    (acc_f, "acc(x.f, write)"),
    (acc_p, "acc(P(x), 1 / 2)"),
    (Star((acc_f, less(read, i), Guarded(a, acc_p))),
     "acc(x.f, write) && x.f < i && (a ==> acc(P(x), 1 / 2))"),
    (Star((a, wand)), "a && (acc(x.f, write) --* acc(P(x), 1 / 2))"),
    (Wand(Star((a, acc_f)), Wand(true, acc_f)),
     "a && acc(x.f, write) --* true --* acc(x.f, write)"),
    (Wand(wand, Guarded(a, acc_f)),
     "(acc(x.f, write) --* acc(P(x), 1 / 2)) --* (a ==> acc(x.f, write))"),
    (Guarded(Implies(a, b), wand), "(a ==> b) ==> acc(x.f, write) --* acc(P(x), 1 / 2)"),
    (Choice(a, acc_f, true), "(a ? acc(x.f, write) : true)"),
    (QuantifiedPermission((x,), (Trigger((read,)),), a, acc_f),
     "(forall x: Ref :: { x.f } a ==> acc(x.f, write))"),
    (QuantifiedPermission((x,), (), true, acc_f), "(forall x: Ref :: acc(x.f, write))"),
    (Binding(k, i, acc_f), "(let k == (i) in acc(x.f, write))"),
    (InhaleExhale(acc_f, true), "[acc(x.f, write), true]"),
]  # fmt: skip


@pytest.mark.parametrize(("node", "text"), ASSERTIONS, ids=[text for _, text in ASSERTIONS])
def test_assertion(node: assertion.Assertion, text: str) -> None:
    assert assertion_text(node) == text


STATEMENTS: list[tuple[stmt.Stmt, list[str]]] = [
    (Declare(s), ["var s: Seq[Int]"]),
    (LocalAssign(i, add(i, j)), ["i := i + j"]),
    (FieldAssign(Conditional(a, x, y), "f", i), ["(a ? x : y).f := i"]),
    (New(x, ("f", "g")), ["x := new(f, g)"]),
    (New(x, ()), ["x := new()"]),
    (MethodCall("run", (i, j), ()), ["run(i, j)"]),
    (MethodCall("run", (), (x, i)), ["x, i := run()"]),
    (Inhale(acc_f), ["inhale acc(x.f, write)"]),
    (Exhale(acc_f), ["exhale acc(x.f, write)"]),
    (Assert(a), ["assert a"]),
    (Cut(a), ["@cut() assert a"]),
    (Fold(px, half), ["fold acc(P(x), 1 / 2)"]),
    (Unfold(px, write), ["unfold acc(P(x), write)"]),
    (Package(Wand(a, b), Block(())), ["package a --* b { }"]),
    (Package(Wand(a, b), Block((Assert(c),))), ["package a --* b {", "  assert c", "}"]),
    (Apply(Wand(a, b)), ["apply a --* b"]),
    (If(a, Block(()), Block(())), ["if (a) {", "}"]),
    (
        If(a, Block((Assert(a),)), Block((If(b, Block(()), Block((Assert(c),))),))),
        ["if (a) {", "  assert a", "} elseif (b) {", "} else {", "  assert c", "}"],
    ),
    (
        If(a, Block(()), Block((Assert(b), Assert(c)))),
        ["if (a) {", "} else {", "  assert b", "  assert c", "}"],
    ),
    (
        While(a, (acc_f, b), (DecreasesTuple((i, j), None),), Block((Assert(c),))),
        [
            "while (a)",
            "  invariant acc(x.f, write)",
            "  invariant b",
            "  decreases i, j",
            "{",
            "  assert c",
            "}",
        ],
    ),
    (
        While(a, (), (DecreasesTuple((), a),), Block(())),
        ["while (a)", "  decreases if a", "{", "}"],
    ),
    (
        While(a, (), (DecreasesWildcard(b), DecreasesStar()), Block(())),
        ["while (a)", "  decreases _ if b", "  decreases *", "{", "}"],
    ),
    (Label("l", (a, acc_f)), ["label l", "  invariant a", "  invariant acc(x.f, write)"]),
    (Goto("l"), ["goto l"]),
    (Block((Block((Goto("l"),)),)), ["{", "  {", "    goto l", "  }", "}"]),
    (Quasihavoc(None, xf), ["quasihavoc x.f"]),
    (Quasihavoc(a, px), ["quasihavoc a ==> P(x)"]),
    (QuasihavocAll((x, i), less(i, j), px), ["quasihavocall x: Ref, i: Int :: i < j ==> P(x)"]),
    (Refute(a), ["refute a"]),
    (Unreachable(), ["unreachable"]),
    (Goto("l", annotations=(Annotation("k.e", ("1", "2")),)), ['@k.e("1", "2")', "goto l"]),
]  # fmt: skip


@pytest.mark.parametrize(("node", "lines"), STATEMENTS, ids=[str(t) for _, t in STATEMENTS])
def test_statement(node: stmt.Stmt, lines: list[str]) -> None:
    assert stmt_text(node).split("\n") == lines


def test_an_annotated_else_if_keeps_its_own_block() -> None:
    inner = If(b, Block(()), Block(()), annotations=(Annotation("k", ()),))
    text = stmt_text(If(a, Block(()), Block((inner,))))
    assert text.split("\n") == ["if (a) {", "} else {", "  @k()", "  if (b) {", "  }", "}"]


T = TypeVar("T")
MEMBERS: list[tuple[member.Member, list[str]]] = [
    (Field("f", INT, annotations=(Annotation("k", ("v",)),)), ['@k("v")', "field f: Int"]),
    (Method("run", (), (), (), (), (), None), ["method run()"]),
    (
        Method("run", (x,), (i, j), (acc_f,), (a,), (DecreasesStar(),), Block((Assert(a),))),
        [
            "method run(x: Ref) returns (i: Int, j: Int)",
            "  requires acc(x.f, write)",
            "  decreases *",
            "  ensures a",
            "{",
            "  assert a",
            "}",
        ],
    ),
    (Function("g", (i,), INT, (), (), (), None), ["function g(i: Int): Int"]),
    (
        Function("g", (i,), INT, (a,), (less(i, Result(INT)),), (), add(i, i)),
        ["function g(i: Int): Int", "  requires a", "  ensures i < result", "{", "  i + i", "}"],
    ),
    (Predicate("P", (x,), None), ["predicate P(x: Ref)"]),
    (Predicate("P", (x,), acc_f), ["predicate P(x: Ref) {", "  acc(x.f, write)", "}"]),
    (
        Domain(
            "D",
            ("A", "B"),
            None,
            (DomainFunction("h", (Var("z", T),), DomainType("D", (T, T)), False, None),),
            (Axiom("ax", a), Axiom(None, b)),
        ),
        [
            "domain D[A, B] {",
            "  function h(z: T): D[T,T]",
            "  axiom ax { a }",
            "  axiom { b }",
            "}",
        ],
    ),
    (
        Domain(
            "BV",
            (),
            (("SMTLIB", "(_ BitVec 8)"), ("Boogie", "bv8")),
            (
                DomainFunction("zero", (), DomainType("BV"), False, "#x00"),
                DomainFunction("one", (), INT, True, None, annotations=(Annotation("k", ()),)),
            ),
            (),
        ),
        [
            'domain BV interpretation (SMTLIB: "(_ BitVec 8)", Boogie: "bv8") {',
            '  function zero(): BV interpretation "#x00"',
            "  @k()",
            "  unique function one(): Int",
            "}",
        ],
    ),
    (
        Adt(
            "List",
            ("T",),
            (Constructor("Nil", ()), Constructor("Cons", (Var("head", T),))),
            (Derivation("contains", T, ("head", "tail")), Derivation("other", None, ())),
        ),
        [
            "adt List[T] {",
            "  Nil()",
            "  Cons(head: T)",
            "} derives {",
            "  contains[T] without head, tail",
            "  other",
            "}",
        ],
    ),
    (Adt("Unit", (), (Constructor("One", ()),), ()), ["adt Unit {", "  One()", "}"]),
]  # fmt: skip


@pytest.mark.parametrize(("node", "lines"), MEMBERS, ids=[lines[0] for _, lines in MEMBERS])
def test_member(node: member.Member, lines: list[str]) -> None:
    assert member_text(node).split("\n") == lines


def test_program_text_prints_every_member() -> None:
    field, method = Field("f", INT), Method("run", (), (), (), (), (), None)
    function, predicate = Function("g", (), INT, (), (), (), None), Predicate("P", (), None)
    domain, adt = Domain("D", (), None, (), ()), Adt("A", (), (), ())
    program = Program(
        {"f": field}, {"run": method}, {"g": function}, {"P": predicate}, {"D": domain}, {"A": adt}
    )
    texts = [member_text(x) for x in (field, domain, adt, function, predicate, method)]
    assert program_text(program) == "\n\n".join(texts) + "\n"


def complaints(text: str) -> list[str]:
    file = SourceFile(Path("printed.vpr"), text)
    keywords = KEYWORDS | SMOKE_KEYWORDS
    return [diagnostic.message for diagnostic in parse_file(file, keywords).diagnostics]


@pytest.mark.parametrize("text", [text for _, text in [*EXPRESSIONS, *ASSERTIONS]])
def test_the_parser_reads_the_text_of_a_formula(text: str) -> None:
    assert complaints(f"method run() {{ assert {text} }}") == []


@pytest.mark.parametrize("lines", [lines for _, lines in STATEMENTS], ids=str)
def test_the_parser_reads_the_text_of_a_statement(lines: list[str]) -> None:
    assert complaints("\n".join(["method run() {", *lines, "{", "}", "}"])) == []


@pytest.mark.parametrize("lines", [lines for _, lines in MEMBERS], ids=lambda lines: lines[0])
def test_the_parser_reads_the_text_of_a_member(lines: list[str]) -> None:
    assert complaints("\n".join([*lines, *lines])) == []


def classes(*unions: object) -> set[type]:
    return {cls for union in unions for cls in get_args(union)}


def test_every_class_has_a_printer() -> None:
    formulas = classes(expr.Expr, assertion.Impure, assertion.Location) | {expr.Trigger}
    assert set(expressions._TEXTS) == formulas
    assert set(statements._LINES) == classes(stmt.Stmt)
    assert set(print_member._LINES) == classes(member.Member)


def test_every_class_is_printed_by_a_test() -> None:
    seen: set[type] = set()

    def visit(value: object) -> None:
        if isinstance(value, tuple | list):
            for item in value:
                visit(item)
        elif isinstance(value, Node):
            seen.add(type(value))
            for name in type(value).__dataclass_fields__:
                visit(getattr(value, name))

    visit([node for node, _ in [*EXPRESSIONS, *ASSERTIONS, *STATEMENTS, *MEMBERS]])
    assert classes(expr.Expr, assertion.Impure, stmt.Stmt, stmt.Decreases, member.Member) <= seen
