"""Edits about values of domains and ADTs: axioms that are missing, constructors not known."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, conjuncts, reads_heap, with_values
from pitviper.explain.cures.edit import Candidate, never_called, statement_at, words_for_front
from pitviper.explain.writing import axiom_of, in_front_of, inserted, replaced, requires
from pitviper.program import expr as x
from pitviper.program.member import Domain, Method
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars, rewrite
from pitviper.source.edit import Edit


def of_axioms(case: Case) -> Iterator[Candidate]:
    """No axiom of the domain says what is asserted."""
    part = case.part
    known = with_values(case)
    if isinstance(known, x.Expr) and known is not part and not free_vars(known):
        yield from _projection(case, known)
    if isinstance(part, x.Expr) and free_vars(part):
        yield from _no_others(case, part)
        yield from _as_definition(case, part)
        yield from _of_known_terms(case, part)
    if not isinstance(part, x.Expr) or free_vars(part):
        return
    yield from _projection(case, part)
    owners = {n.domain for n in descendants(part) if isinstance(n, x.DomainApp)}
    if len(owners) != 1 or reads_heap(part):
        return
    domain = case.program.domains[owners.pop()]
    yield from _constants(domain, part)
    if domain.axioms:
        return
    clause = f"axiom {{ {part.span.text} }}"
    known_of = _for_every_value(part, domain)
    if known_of is not None:
        yield Candidate(
            (axiom_of(domain, clause),),
            f"nothing is known of the functions of `{domain.name}` but what its axioms say: add "
            f"one that says what it is for every value, `{known_of}`, with that value for `...`",
            within=False,
            assumes=True,
        )
        return
    yield Candidate(
        (axiom_of(domain, clause),),
        f"nothing is known of the functions of `{domain.name}` but what its axioms say: add "
        f"`{clause}` to the domain",
        within=False,
    )


def _constants(domain: Domain, part: x.Expr) -> Iterator[Candidate]:
    """`red() != green()`, which only `unique` constants are."""
    match part:
        case x.NotEqual(x.DomainApp(args=()) as one, x.DomainApp(args=()) as two):
            named = [f for f in domain.functions if f.name in (one.function, two.function)]
        case _:
            return
    if len(named) != 2 or any(f.unique or not f.span.text.startswith("function") for f in named):
        return
    texts = [f"`unique function {f.name}(): {f.result}`" for f in named]
    yield Candidate(
        tuple([inserted(f, "unique ") for f in named]),
        f"two constants of a domain may be the same value, unless both are `unique`: write "
        f"{texts[0]} and {texts[1]}",
        within=False,
    )


def _for_every_value(part: x.Expr, domain: Domain) -> str | None:
    """`axiom { forall n: Int :: sq(n) == ... }` where `sq(3) == 9` is asked."""
    match part:
        case x.Equal(x.DomainApp(args=args) as app, value) | x.Equal(
            value, x.DomainApp(args=args) as app
        ) if args and all(isinstance(arg, x.IntLit) for arg in args):
            declared = {f.name: f for f in domain.functions}.get(app.function)
        case _:
            return None
    if declared is None or isinstance(value, x.DomainApp) or domain.type_params:
        return None
    bound = ", ".join([f"{param.name}: {param.type}" for param in declared.params])
    names = ", ".join([param.name for param in declared.params])
    return f"axiom {{ forall {bound} :: {declared.name}({names}) == ... }}"


def _projection(case: Case, part: x.Expr) -> Iterator[Candidate]:
    """`snd(pair(1, 2)) == 2` of a function without axiom: it gives back an argument."""
    match part:
        case x.Equal(x.DomainApp(args=(x.DomainApp() as made,)) as app, value) | x.Equal(
            value, x.DomainApp(args=(x.DomainApp() as made,)) as app
        ):
            domain = case.program.domains[app.domain]
        case _:
            return
    places = [at for at, arg in enumerate(made.args) if text_of(arg) == text_of(value)]
    declared = {f.name: f for f in domain.functions}.get(made.function)
    if len(places) != 1 or declared is None or domain.type_params:
        return
    if any(_speaks_of(axiom, app.function) for axiom in domain.axioms):
        return
    names = [param.name for param in declared.params]
    bound = ", ".join([f"{param.name}: {param.type}" for param in declared.params])
    term = f"{made.function}({', '.join(names)})"
    said = f"{app.function}({term}) == {names[places[0]]}"
    clause = f"axiom {{ forall {bound} :: {{ {term} }} {said} }}"
    yield Candidate(
        (axiom_of(domain, clause),),
        f"no axiom says what `{app.function}` is: add `{clause}` to the domain `{domain.name}`",
        within=False,
        assumes=True,
    )


def _of_known_terms(case: Case, part: x.Expr) -> Iterator[Candidate]:
    """What follows from an equation of a domain's functions, an axiom has to say."""
    method = case.member
    if not isinstance(method, Method):
        return
    types = {p.name: p for p in method.params}
    for known in [c for clause in method.preconditions for c in conjuncts(clause)]:
        owners = {n.domain for n in descendants(known) if isinstance(n, x.DomainApp)}
        names = free_vars(known)
        if len(owners) != 1 or not isinstance(known, x.Expr) or names != free_vars(part):
            continue
        if not names <= set(types):
            continue
        domain = case.program.domains[owners.pop()]
        bound = ", ".join([f"{name}: {types[name].type}" for name in sorted(names)])
        clause = f"axiom {{ forall {bound} :: {text_of(known)} ==> {text_of(part)} }}"
        yield Candidate(
            (axiom_of(domain, clause),),
            f"no axiom of `{domain.name}` says that this follows from `{text_of(known)}`: if it is "
            f"true of every `{domain.name}`, add `{clause}` to the domain",
            within=False,
            assumes=True,
        )


def _no_others(case: Case, part: x.Expr) -> Iterator[Candidate]:
    """A value is one of some constants: a domain may have others, an ADT has none."""
    owners = {n.domain for n in descendants(part) if isinstance(n, x.DomainApp) and not n.args}
    if not isinstance(part, x.Or) or len(owners) != 1:
        return
    domain = case.program.domains[owners.pop()]
    if domain.axioms or domain.type_params or any(f.params for f in domain.functions):
        return
    names = [f.name for f in domain.functions]
    text = f"adt {domain.name} {{ {' '.join([f'{name}()' for name in names])} }}"
    for edit, words in _of_each(case, part, names):
        yield Candidate(
            (replaced(domain, text), edit),
            f"a domain may have other values than its constants: if these are all, write `{text}` "
            f"in its place, and {words}",
            within=False,
        )


def _as_definition(case: Case, part: x.Expr) -> Iterator[Candidate]:
    """What a claim says of a function, for all arguments: `top(push(s, x)) == x`."""
    match part:
        case x.Equal(x.DomainApp() as app, value) | x.Equal(value, x.DomainApp() as app):
            domain = case.program.domains[app.domain]
        case _:
            return
    if domain.type_params or any(_speaks_of(axiom, app.function) for axiom in domain.axioms):
        return
    types = {n.name: str(n.type) for n in descendants(app) if isinstance(n, x.Var)}
    names: dict[str, str] = {}
    for node in descendants(app):
        if not isinstance(node, x.DomainApp) or node.domain != app.domain:
            continue
        declared = {f.name: f for f in domain.functions}[node.function]
        for param, arg in zip(declared.params, node.args, strict=True):
            if isinstance(arg, x.IntLit | x.BoolLit) and param.name not in types:
                names[arg.span.text] = param.name
                types[param.name] = str(param.type)
    if not types or not free_vars(value) <= set(types):
        return
    if isinstance(value, x.IntLit | x.BoolLit) and value.span.text not in names:
        return  # true of one value, and hardly of all

    def said(node: x.Expr) -> str:
        return text_of(rewrite(node, lambda n: _named(n, names)))

    bound = ", ".join([f"{name}: {type_}" for name, type_ in types.items()])
    clause = f"axiom {{ forall {bound} :: {said(app)} == {said(value)} }}"
    yield Candidate(
        (axiom_of(domain, clause),),
        f"no axiom says what `{app.function}` is: add `{clause}` to `{domain.name}`, if that is "
        "what it means",
        within=False,
    )


def _named(node: Node, names: dict[str, str]) -> Node | None:
    """A variable for a number that stands for any."""
    if isinstance(node, x.IntLit | x.BoolLit) and node.span.text in names:
        return x.Var(names[node.span.text], node.type, span=node.span)
    return None


def _speaks_of(axiom: Node, function: str) -> bool:
    return any(isinstance(n, x.DomainApp) and n.function == function for n in descendants(axiom))


def of_constructors(case: Case) -> Iterator[Candidate]:
    """A value is said to be made by one of several constructors."""
    member, part = case.member, case.part
    if not isinstance(member, Method) or not isinstance(part, x.Equal):
        return
    for value, made in ((part.left, part.right), (part.right, part.left)):
        if isinstance(value, x.Var) and isinstance(made, x.Construct):
            if value.name not in {param.name for param in member.params}:
                continue
            fact = f"{value.name}.is{made.constructor}"
            edits = requires(member, fact)
            yield Candidate(
                edits,
                f"`{value.name}` may be made by another constructor: ask for it, `requires {fact}`",
                within=False,
                never=never_called(member, edits),
            )


def of_cases(case: Case) -> Iterator[Candidate]:
    """That a value of an ADT is made by one of its constructors is known once it is asked."""
    part = case.part
    if not isinstance(part, x.Expr):
        return
    made = [n.constructor for n in descendants(part) if isinstance(n, x.Construct)]
    for adt in case.program.adts.values():
        names = [c.name for c in adt.constructors]
        if made and set(made) <= set(names):
            for edit, words in _of_each(case, part, names):
                lead = "by which constructor a value is made is known once it is asked"
                yield Candidate((edit,), f"{lead}: {words}")


def _of_each(case: Case, part: x.Expr, names: list[str]) -> Iterator[tuple[Edit, str]]:
    """`assert c.isRed || c.isGreen` in front, for each variable of the part."""
    around = None
    if isinstance(case.member, Method):
        around = statement_at(case.member, case.finding.span)
    for name in sorted(free_vars(part)) if around is not None else ():
        fact = " || ".join([f"{name}.is{constructor}" for constructor in names])
        assert around is not None
        text = f"assert {fact}"
        yield in_front_of(around[0], [text]), f"`{text}` {words_for_front(around[0])}"
