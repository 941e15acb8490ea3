"""Changes of programs: those that keep the meaning, and those that most likely break it.

A change takes a syntax tree and a source of decisions, and returns another tree, or None where the
program has no place for it. What keeps the meaning must keep every verdict; what breaks it is
judged like any other program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from pitviper.base.record import replace
from pitviper.driver.front.frontend import parse_text
from pitviper.source.span import NO_SPAN
from pitviper.syntax import tree as t
from pitviper.syntax.print.printer import print_file
from pitviper.syntax.walk import descendants, map_children

Change: TypeAlias = Callable[[t.File, Random], t.File | None]


def changed(text: str, change: Change, random: Random) -> str | None:
    """The text of the changed program; None where the change does not fit or changes nothing."""
    parsed = parse_text(text)
    if parsed.diagnostics:
        return None
    made = change(parsed.tree, random)
    if made is None:
        return None
    after = print_file(made)
    return None if after == print_file(parsed.tree) else after


# ---------------------------------------------------------------- changes that keep the meaning


def reorder_members(file: t.File, random: Random) -> t.File | None:
    """Members in another order; imports and macros stay where they are."""
    if any(isinstance(member, t.Import | t.Define) for member in file.members):
        return None
    return replace(file, members=tuple(random.sample(file.members, len(file.members))))


def rename_all(file: t.File, random: Random) -> t.File | None:
    """Other names for variables, fields, predicates, functions and methods."""
    declared: set[str] = set()
    for node in descendants(file):
        match node:
            case t.VarBinding():
                declared.add(node.name.name)
            case t.Predicate() | t.Function():
                declared.add(node.name.name)
    ending = f"_{random.choice('abcdefgh')}{random.randrange(100)}"

    def renamed(node: t.Node, context: None) -> t.Node:
        if isinstance(node, t.Name | t.Identifier):
            return replace(node, name=f"{node.name}{ending}") if node.name in declared else node
        return map_children(node, renamed, context)

    return map_children(file, renamed, None)


def split_clauses(file: t.File, random: Random) -> t.File | None:
    """A clause for each conjunct of a clause."""

    def split(node: t.Node, context: None) -> t.Node:
        node = map_children(node, split, context)
        if isinstance(node, t.Method | t.Function | t.While):
            return replace(node, specs=tuple([one for spec in node.specs for one in _parts(spec)]))
        return node

    return map_children(file, split, None)


def _parts(spec: t.Specification) -> Sequence[t.Specification]:
    if isinstance(spec, t.Clause) and isinstance(spec.condition, t.And):
        return [replace(spec, condition=part) for part in spec.condition.operands]
    return [spec]


IRRELEVANT = """
domain Unrelated {
  function unrelated(i: Int): Int
  axiom { forall i: Int :: { unrelated(i) } unrelated(i) > i }
}
predicate unrelated_cell(r: Ref)
function unrelated_value(i: Int): Int ensures result >= i { i + 1 }
"""


def add_irrelevant(file: t.File, random: Random) -> t.File | None:
    """A domain with a true axiom, a predicate and a function that nobody uses."""
    if any("unrelated" in getattr(getattr(m, "name", None), "name", "") for m in file.members):
        return None
    more = list(parse_text(IRRELEVANT).tree.members)
    random.shuffle(more)
    members = [*more, *file.members] if random.random() < 0.5 else [*file.members, *more]
    return replace(file, members=tuple(members))


def fold_again(file: t.File, random: Random) -> t.File | None:
    """A fold of a fixed amount, its unfold, and the fold once more; without pairs, which get less
    out of an instance than went in."""
    if any(isinstance(node, t.InhaleExhale) for node in descendants(file)):
        return None

    def again(s: t.Stmt) -> list[t.Stmt] | None:
        if isinstance(s, t.FoldUnfold) and s.kind == "fold" and _is_fixed(s.resource):
            return [s, replace(s, kind="unfold"), s]
        return None

    return _at_one_statement(file, random, again)


def _is_fixed(resource: t.Expr) -> bool:
    return not any(
        isinstance(n, t.PermLiteral) and n.kind == "wildcard" for n in descendants(resource)
    )


def wrap_into_method(file: t.File, random: Random) -> t.File | None:
    """A method with the contract of another, which it calls."""
    methods = [m for m in file.members if isinstance(m, t.Method) and m.body is not None]
    methods = [m for m in methods if not any(isinstance(s, t.Decreases) for s in m.specs)]
    if not methods:
        return None
    method = random.choice(methods)
    call = t.Call(method.name, tuple([_name(p) for p in method.params]), span=NO_SPAN)
    targets = tuple([_name(r) for r in method.returns or ()])
    stmt: t.Stmt = (
        t.Assign(targets, call, span=NO_SPAN) if targets else t.ExprStatement(call, span=NO_SPAN)
    )
    name = t.Identifier(f"{method.name.name}_wrapped", span=NO_SPAN)
    wrapper = replace(method, name=name, body=t.Block((stmt,), span=NO_SPAN))
    return replace(file, members=(*file.members, wrapper))


def _name(binding: t.VarBinding) -> t.Name:
    return t.Name(binding.name.name, span=NO_SPAN)


def halves(file: t.File, random: Random) -> t.File | None:
    """Two halves of a field where all of it is inhaled or exhaled."""

    def halved(s: t.Stmt) -> list[t.Stmt] | None:
        if not isinstance(s, t.AssertionStatement) or s.kind not in ("inhale", "exhale"):
            return None
        match s.assertion:
            case t.Acc(t.FieldAccess() as place, None | t.PermLiteral("write")):
                half = t.Acc(place, _half(), span=NO_SPAN)
                return [replace(s, assertion=t.And((half, half), span=NO_SPAN))]
            case _:
                return None

    return _at_one_statement(file, random, halved)


def _half() -> t.Expr:
    one, two = t.IntLiteral(1, span=NO_SPAN), t.IntLiteral(2, span=NO_SPAN)
    return t.Binary("/", one, two, span=NO_SPAN)


def both_branches(file: t.File, random: Random) -> t.File | None:
    """A statement in both branches of a condition about an arbitrary number."""
    name = f"any_{random.randrange(1000)}"
    binding = t.VarBinding(_identifier(name), t.TypeName("Int", span=NO_SPAN), span=NO_SPAN)
    declared = t.VarDeclaration((binding,), None, span=NO_SPAN)
    zero = t.IntLiteral(0, span=NO_SPAN)
    condition = t.Comparison((t.Name(name, span=NO_SPAN), zero), (">",), span=NO_SPAN)

    def doubled(s: t.Stmt) -> list[t.Stmt] | None:
        if not isinstance(s, t.AssertionStatement | t.Assign | t.FoldUnfold | t.Apply):
            return None
        if isinstance(s, t.AssertionStatement) and s.kind == "refute":
            return None
        block = t.Block((s,), span=NO_SPAN)
        return [declared, t.If(condition, block, block, span=NO_SPAN)]

    return _at_one_statement(file, random, doubled)


def _identifier(name: str) -> t.Identifier:
    return t.Identifier(name, span=NO_SPAN)


def assert_twice(file: t.File, random: Random) -> t.File | None:
    """An assertion that was just made."""

    def twice(s: t.Stmt) -> list[t.Stmt] | None:
        return [s, s] if isinstance(s, t.AssertionStatement) and s.kind == "assert" else None

    return _at_one_statement(file, random, twice)


# ---------------------------------------------------------------- changes that break


def drop_clause(file: t.File, random: Random) -> t.File | None:
    """One precondition, postcondition or invariant less."""
    places = [n for n in descendants(file) if isinstance(n, t.Clause)]
    return _without(file, random.choice(places)) if places else None


def drop_statement(file: t.File, random: Random) -> t.File | None:
    """One statement less; declarations and labels stay."""

    def nothing(s: t.Stmt) -> list[t.Stmt] | None:
        return None if isinstance(s, t.VarDeclaration | t.Label | t.Block) else []

    return _at_one_statement(file, random, nothing)


def assert_false(file: t.File, random: Random) -> t.File | None:
    """`assert false` behind a statement."""
    claim = t.BoolLiteral(value=False, span=NO_SPAN)
    stop = t.AssertionStatement("assert", claim, span=NO_SPAN)
    return _at_one_statement(file, random, lambda s: [s, stop])


ORDERS: dict[t.ComparisonOp, t.ComparisonOp] = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
EQUALITIES: dict[t.BinaryOp, t.BinaryOp] = {"==": "!=", "!=": "=="}


def flip_comparison(file: t.File, random: Random) -> t.File | None:
    """Another comparison of the same values."""

    def flipped(node: t.Node) -> t.Node | None:
        match node:
            case t.Comparison(_, (op,)) if op in ORDERS:
                return replace(node, ops=(ORDERS[op],))
            case t.Binary(op) if op in EQUALITIES:
                return replace(node, op=EQUALITIES[op])
            case _:
                return None

    return _at_one_node(file, random, flipped)


def less_permission(file: t.File, random: Random) -> t.File | None:
    """Half of an amount, or none of it."""
    none = t.PermLiteral("none", span=NO_SPAN)
    amount = random.choice([_half(), _half(), none])

    def less(node: t.Node) -> t.Node | None:
        return replace(node, amount=amount) if isinstance(node, t.Acc) else None

    return _at_one_node(file, random, less)


def other_number(file: t.File, random: Random) -> t.File | None:
    """A number one more or less than the one that stands there."""
    step = random.choice((1, -1))

    def other(node: t.Node) -> t.Node | None:
        if isinstance(node, t.IntLiteral) and node.value + step >= 0:
            return replace(node, value=node.value + step)
        return None

    return _at_one_node(file, random, other)


def other_statement(file: t.File, random: Random) -> t.File | None:
    """Inhale for exhale, unfold for fold, assume for assert, and the other way."""
    pairs = {"inhale": "exhale", "exhale": "inhale", "fold": "unfold", "unfold": "fold"}
    pairs |= {"assert": "exhale", "assume": "assert"}

    def other(s: t.Stmt) -> list[t.Stmt] | None:
        if isinstance(s, t.AssertionStatement | t.FoldUnfold) and s.kind in pairs:
            return [replace(s, kind=pairs[s.kind])]  # type: ignore[arg-type]
        return None

    return _at_one_statement(file, random, other)


PRESERVING: dict[str, Change] = {
    "reorder members": reorder_members,
    "rename": rename_all,
    "split clauses": split_clauses,
    "irrelevant members": add_irrelevant,
    "fold again": fold_again,
    "wrap into a method": wrap_into_method,
    "halves": halves,
    "both branches": both_branches,
    "assert twice": assert_twice,
}
BREAKING: dict[str, Change] = {
    "drop a clause": drop_clause,
    "drop a statement": drop_statement,
    "assert false": assert_false,
    "flip a comparison": flip_comparison,
    "less permission": less_permission,
    "other number": other_number,
    "other statement": other_statement,
}


# ---------------------------------------------------------------- one place of a tree


def _at_one_statement(
    file: t.File, random: Random, rule: Callable[[t.Stmt], list[t.Stmt] | None]
) -> t.File | None:
    """The tree with other statements instead of one of those that the rule has an answer for."""
    places: list[tuple[t.Block, int, list[t.Stmt]]] = []
    for node in descendants(file):
        if isinstance(node, t.Block):
            for at, stmt in enumerate(node.statements):
                made = rule(stmt)
                if made is not None:
                    places.append((node, at, made))
    if not places:
        return None
    block, at, made = random.choice(places)
    statements = (*block.statements[:at], *made, *block.statements[at + 1 :])
    return _exchanged(file, block, replace(block, statements=statements))


def _at_one_node(
    file: t.File, random: Random, rule: Callable[[t.Node], t.Node | None]
) -> t.File | None:
    places = [(node, made) for node in descendants(file) if (made := rule(node)) is not None]
    return _exchanged(file, *random.choice(places)) if places else None


def _exchanged(file: t.File, old: t.Node, new: t.Node) -> t.File:
    def visit(node: t.Node, context: None) -> t.Node:
        return new if node is old else map_children(node, visit, context)

    return map_children(file, visit, None)


def _without(file: t.File, clause: t.Clause) -> t.File:
    def visit(node: t.Node, context: None) -> t.Node:
        match node:
            case t.Method() | t.Function() | t.While() if any(s is clause for s in node.specs):
                return replace(node, specs=tuple([s for s in node.specs if s is not clause]))
            case t.Label() if any(s is clause for s in node.invariants):
                rest = tuple([s for s in node.invariants if s is not clause])
                return replace(node, invariants=rest)
            case _:
                return map_children(node, visit, context)

    return map_children(file, visit, None)
