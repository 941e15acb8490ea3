"""Random syntax trees of every node class, as far as the parser can yield them."""

from __future__ import annotations

from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from pitviper.source.span import NO_SPAN
from pitviper.syntax import tree

T = TypeVar("T")

covered: set[type] = {tree.Comparison}
"""The node classes that these strategies build."""


def node(cls: type[T], **parts: SearchStrategy[object]) -> SearchStrategy[T]:
    covered.add(cls)
    return st.builds(cls, span=st.just(NO_SPAN), **parts)


def tuples_of(
    items: SearchStrategy[T], low: int = 0, high: int = 3
) -> SearchStrategy[tuple[T, ...]]:
    return st.lists(items, min_size=low, max_size=high).map(tuple)


def maybe(items: SearchStrategy[T]) -> SearchStrategy[T | None]:
    return st.none() | items


# ---------------------------------------------------------------- names, types, annotations

names = st.sampled_from(["a", "b", "x1", "_", "$t", "f_g", "unreachabl", "oldx", "contains"])
texts = st.text(st.sampled_from("ab(3. /*:\n"), min_size=1, max_size=6).filter(
    lambda text: not text[0].isspace() and " \n" not in text
)
identifiers = node(tree.Identifier, name=names)
annotations = node(
    tree.Annotation, key=st.sampled_from(["k", "a.b", "_1."]), values=tuples_of(texts, 0, 2)
)
some_annotations = tuples_of(annotations, 0, 1)
_plain_types = node(
    tree.TypeName, name=st.sampled_from(["Int", "Bool", "Ref", "Perm", "D"]), args=st.none()
)


def _more_types(inner: SearchStrategy[tree.TypeName]) -> SearchStrategy[tree.TypeName]:
    collections = st.sampled_from(["Seq", "Set", "Multiset"])
    return st.one_of(
        node(tree.TypeName, name=collections, args=st.tuples(inner)),
        node(tree.TypeName, name=st.just("Map"), args=st.tuples(inner, inner)),
        node(tree.TypeName, name=names, args=tuples_of(inner, 0, 2)),
    )


types = st.recursive(_plain_types, _more_types, max_leaves=3)
bindings = node(tree.VarBinding, name=identifiers, type=types)
some_bindings = tuples_of(bindings, 1, 2)
any_bindings = tuples_of(bindings, 0, 2)

# ---------------------------------------------------------------- expressions

Exprs = SearchStrategy[tree.Expr]

_leaves: Exprs = st.one_of(
    node(tree.Name, name=names),
    node(tree.IntLiteral, value=st.integers(0, 10**20)),
    node(tree.BoolLiteral, value=st.booleans()),
    node(tree.NullLiteral),
    node(tree.ResultLiteral),
    node(tree.PermLiteral, kind=st.sampled_from(["write", "none", "wildcard", "epsilon"])),
    node(tree.New, fields=maybe(tuples_of(identifiers, 0, 2))),
)
_binary_ops = st.sampled_from(
    "<==> ==> == != + - ++ union intersection setminus subset * / \\ %".split()
)
_comparison_ops = st.sampled_from("< <= > >= in".split())


def _calls(e: Exprs) -> SearchStrategy[tree.Call]:
    return node(tree.Call, callee=identifiers, args=tuples_of(e))


def _field_accesses(e: Exprs) -> SearchStrategy[tree.FieldAccess]:
    return node(tree.FieldAccess, receiver=e, field=identifiers)


def _accs(e: Exprs) -> SearchStrategy[tree.Acc]:
    return node(tree.Acc, location=_calls(e) | _field_accesses(e), amount=maybe(e))


def _resources(e: Exprs) -> Exprs:
    return st.one_of(_calls(e), _field_accesses(e), node(tree.Wand, left=e, right=e))


def predicate_accesses(e: Exprs) -> Exprs:
    return st.one_of(_calls(e), _accs(e))


@st.composite
def _comparisons(draw: st.DrawFn, e: Exprs) -> tree.Comparison:
    ops = draw(tuples_of(_comparison_ops, 1, 3))
    operands = tuple(draw(e) for _ in range(len(ops) + 1))
    return tree.Comparison(operands, ops, span=NO_SPAN)


def _suffixed(e: Exprs) -> Exprs:
    return st.one_of(
        _field_accesses(e),
        node(tree.Index, base=e, index=e),
        node(tree.Slice, base=e, low=e, high=maybe(e)),
        node(tree.Slice, base=e, low=st.none(), high=e),
        node(tree.Update, base=e, key=e, value=e),
    )


def _operations(e: Exprs) -> Exprs:
    return st.one_of(
        node(tree.Binary, op=_binary_ops, left=e, right=e),
        node(tree.Binary, op=_binary_ops, left=e, right=e),
        node(tree.Unary, op=st.sampled_from("-!"), operand=e),
        _comparisons(e),
        node(tree.And, operands=tuples_of(e, 2, 3)),
        node(tree.Or, operands=tuples_of(e, 2, 3)),
        node(tree.Wand, left=e, right=e),
        node(tree.Conditional, condition=e, then=e, otherwise=e),
    )


def _collections(e: Exprs) -> Exprs:
    kinds = st.sampled_from(["Seq", "Set", "Multiset"])
    return st.one_of(
        node(tree.Cardinality, operand=e),
        node(tree.Range, low=e, high=e),
        node(tree.CollectionLiteral, kind=kinds, element_type=st.none(), elements=tuples_of(e)),
        node(tree.CollectionLiteral, kind=kinds, element_type=types, elements=st.just(())),
        node(tree.MapLiteral, types=st.none(), entries=tuples_of(st.tuples(e, e), 0, 2)),
        node(tree.MapLiteral, types=st.tuples(types, types), entries=st.just(())),
        node(tree.MapDomain, operand=e),
        node(tree.MapRange, operand=e),
    )


def _binders(e: Exprs) -> Exprs:
    triggers = node(tree.Trigger, exprs=tuples_of(e, 0, 2))
    return st.one_of(
        node(tree.Let, name=identifiers, bound=e, body=e),
        node(
            tree.Quantifier,
            kind=st.sampled_from(["forall", "exists"]),
            variables=some_bindings,
            triggers=tuples_of(triggers, 0, 2),
            body=e,
        ),
        node(tree.ForPerm, variables=some_bindings, resource=_resources(e), body=e),
        node(tree.Unfolding, resource=predicate_accesses(e), body=e),
        node(tree.Applying, wand=e, body=e),
        node(tree.Asserting, assertion=e, body=e),
    )


def _other_atoms(e: Exprs) -> Exprs:
    labels = maybe(identifiers | node(tree.Identifier, name=st.just("lhs")))
    return st.one_of(
        _calls(e),
        node(tree.Ascription, call=_calls(e), type=types),
        _accs(e),
        node(tree.Perm, resource=_resources(e)),
        node(tree.Old, label=labels, operand=e),
        node(tree.InhaleExhale, inhaled=e, exhaled=e),
        node(tree.PredicateInstance, predicate=identifiers, args=tuples_of(e)),
        node(tree.AnnotatedExpr, annotations=tuples_of(annotations, 1, 2), expr=e),
    )


def _more_exprs(e: Exprs) -> Exprs:
    return st.one_of(_suffixed(e), _operations(e), _collections(e), _binders(e), _other_atoms(e))


exprs: Exprs = st.recursive(_leaves, _more_exprs, max_leaves=10)
_small: Exprs = st.recursive(_leaves, _more_exprs, max_leaves=3)

# ---------------------------------------------------------------- clauses, statements

Stmts = SearchStrategy[tree.Stmt]


def _clauses(kind: str) -> SearchStrategy[tree.Clause]:
    return node(tree.Clause, kind=st.just(kind), condition=_small)


decreases = st.one_of(
    node(
        tree.Decreases,
        kind=st.just("tuple"),
        measures=tuples_of(_small, 0, 2),
        condition=maybe(_small),
    ),
    node(tree.Decreases, kind=st.just("wildcard"), measures=st.just(()), condition=maybe(_small)),
    node(tree.Decreases, kind=st.just("star"), measures=st.just(()), condition=st.none()),
)
_targets = node(tree.Name, name=names) | _calls(_small) | _field_accesses(_small)
_assertions = st.sampled_from(["inhale", "exhale", "assert", "assume", "refute"])
_invariants = _clauses("invariant")
_macro_params = maybe(tuples_of(identifiers, 0, 2))


def stmt(cls: type[T], **parts: SearchStrategy[object]) -> SearchStrategy[T]:
    return node(cls, annotations=some_annotations, **parts)


_simple_stmts: Stmts = st.one_of(
    stmt(tree.VarDeclaration, variables=some_bindings, init=maybe(_small)),
    stmt(tree.Assign, targets=tuples_of(_targets, 1, 2), value=_small),
    stmt(tree.ExprStatement, expr=node(tree.Name, name=names) | _calls(_small)),
    stmt(tree.AssertionStatement, kind=_assertions, assertion=exprs),
    stmt(
        tree.FoldUnfold,
        kind=st.sampled_from(["fold", "unfold"]),
        resource=predicate_accesses(_small),
    ),
    stmt(tree.Package, wand=_small, script=st.none()),
    stmt(tree.Apply, wand=_small),
    stmt(tree.Label, name=identifiers, invariants=tuples_of(_invariants, 0, 2)),
    stmt(tree.Goto, target=identifiers),
    stmt(tree.Quasihavoc, operand=_small),
    stmt(tree.QuasihavocAll, variables=some_bindings, operand=_small),
    stmt(tree.Unreachable),
    stmt(tree.Define, name=identifiers, params=_macro_params, body=_small),
)


def _more_stmts(s: Stmts) -> Stmts:
    blocks = node(tree.Block, statements=tuples_of(s))
    last_arm = node(tree.If, condition=_small, then=blocks, otherwise=maybe(blocks))
    arms = last_arm | node(tree.If, condition=_small, then=blocks, otherwise=last_arm)
    specs = tuples_of(_invariants | decreases, 0, 2)
    return st.one_of(
        stmt(tree.Block, statements=tuples_of(s)),
        stmt(tree.If, condition=_small, then=blocks, otherwise=maybe(blocks | arms)),
        stmt(tree.While, condition=_small, specs=specs, body=blocks),
        stmt(tree.Package, wand=_small, script=blocks),
        stmt(tree.Define, name=identifiers, params=_macro_params, body=blocks),
    )


stmts: Stmts = st.recursive(_simple_stmts, _more_stmts, max_leaves=6)
_blocks = node(tree.Block, statements=tuples_of(stmts))

# ---------------------------------------------------------------- members

_contracts = st.builds(
    lambda before, behind: (*before, *behind),
    tuples_of(_clauses("requires") | decreases, 0, 2),
    tuples_of(_clauses("ensures") | decreases, 0, 2),
)
_paths = st.sampled_from(["a.vpr", "../b c/d.vpr", "~x", "decreases/all"])
_type_params = maybe(tuples_of(identifiers, 0, 2))
_domain_params = node(tree.DomainParameter, name=maybe(identifiers), type=types)
_interpretations = node(tree.Interpretation, key=names, value=texts)
_domain_functions = stmt(
    tree.DomainFunction,
    unique=st.booleans(),
    name=identifiers,
    params=tuples_of(_domain_params, 0, 2),
    result=types,
    interpretation=maybe(texts),
)
_axioms = stmt(tree.Axiom, name=maybe(identifiers), body=exprs)
_constructors = stmt(tree.Constructor, name=identifiers, params=any_bindings)
_derivations = node(
    tree.Derivation, name=identifiers, type_arg=maybe(types), without=tuples_of(identifiers, 0, 2)
)

members: SearchStrategy[tree.Member] = st.one_of(
    stmt(tree.Import, path=_paths, library=st.booleans()),
    stmt(tree.Define, name=identifiers, params=_macro_params, body=exprs | _blocks),
    stmt(tree.FieldDeclaration, fields=some_bindings),
    stmt(
        tree.Method,
        name=identifiers,
        params=any_bindings,
        returns=maybe(any_bindings),
        specs=_contracts,
        body=maybe(_blocks),
    ),
    stmt(
        tree.Function,
        name=identifiers,
        params=any_bindings,
        result=types,
        specs=_contracts,
        body=maybe(exprs),
    ),
    stmt(tree.Predicate, name=identifiers, params=any_bindings, body=maybe(exprs)),
    stmt(
        tree.Domain,
        name=identifiers,
        type_params=_type_params,
        interpretations=maybe(tuples_of(_interpretations, 0, 2)),
        members=tuples_of(_domain_functions | _axioms),
    ),
    stmt(
        tree.Adt,
        name=identifiers,
        type_params=_type_params,
        constructors=tuples_of(_constructors),
        derives=maybe(tuples_of(_derivations, 0, 2)),
    ),
)
files = node(tree.File, members=tuples_of(members))
