"""Axioms of domains as facts for the solver, in the sorts that runs use.

References and values of domain types are integers there. An axiom that speaks about collections
cannot be said in that way: then runs that need its domain are unsupported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import TypeAlias

from pitviper.base.record import record, replace
from pitviper.engines.explore.model.program import Signature
from pitviper.engines.explore.model.types import BOOLEAN, INT, RATIONAL, Type
from pitviper.engines.explore.options import ModelOptions
from pitviper.engines.explore.runtime.inputs import is_guarded, is_of, sort_of
from pitviper.engines.explore.viper.functions import hides_body
from pitviper.engines.explore.viper.interpreted import NotSayable, interpreted_facts
from pitviper.engines.explore.viper.program import Translation, types_of
from pitviper.engines.explore.viper.types import model_type
from pitviper.program import expr as pe
from pitviper.program import types as pt
from pitviper.program.member import Axiom, Domain, Function, Program
from pitviper.program.node import Node
from pitviper.program.walk import descendants
from pitviper.terms import build
from pitviper.terms.sort import TermError
from pitviper.terms.term import Term

_Instance: TypeAlias = tuple[str, tuple[pt.Type, ...]]

DEEPEST = 8
"""Axioms that mention ever larger types have no end: what is beyond is not sayable."""


@record
class Axioms:
    """`facts` for the solver; `assumed` names the domains behind them."""

    facts: tuple[Term, ...]
    assumed: tuple[str, ...]


def axioms_of(tr: Translation) -> Axioms:
    """The axioms of all domain instances in use, and of those that speak about them.

    A domain is in use if one of its functions is applied, or if there are values of its type.
    """
    _bring_in_types(tr)
    return _said(tr)


def all_axioms(program: Program, options: ModelOptions) -> tuple[Term, ...]:
    """The axioms of all domains, in use or not: if they contradict each other, all is proved."""
    tr = Translation(program, options)
    for domain in program.domains.values():
        tr.instances[domain.name, tuple([pt.INT for _ in domain.type_params])] = None
    return _said(tr).facts


def speak_of_references(program: Program) -> bool:
    """Whether an axiom says something about all objects, whatever functions say about them."""
    axioms = [a for d in program.domains.values() for a in d.axioms]
    return any(_is_about_references(list(descendants(a.body))) for a in axioms)


def _is_about_references(nodes: list[Node]) -> bool:
    quantified = [n for n in nodes if isinstance(n, pe.Forall | pe.Exists)]
    applies = any(isinstance(n, pe.DomainApp | pe.FunctionApp) for n in nodes)
    return not applies and any(v.type == pt.REF for q in quantified for v in q.variables)


def _said(tr: Translation) -> Axioms:
    found = _Found()
    for domain in tr.program.domains.values():
        if _is_derived(domain, tr.program):
            found.unsayable(domain)
    done: dict[_Instance, None] = {}
    while waiting := _waiting(tr, done):
        for instance in waiting:
            done[instance] = None
            if all(_depth(arg) <= DEEPEST for arg in instance[1]):
                found.add(instance, tr)
            else:
                found.unsayable(tr.program.domains[instance[0]])
    for domain in [d for d in tr.program.domains.values() if d.interpretations is not None]:
        try:
            found.facts += interpreted_facts(domain, tr)
        except NotSayable:
            found.unsayable(domain)
    found.facts += [fact for s in tr.tables.values() for fact in _result_is_of_type(s)]
    unsayable = found.infected(tr)
    for name, signature in tr.tables.items():
        if signature.domain in unsayable:
            tr.tables[name] = replace(signature, sayable=False)
    return Axioms(tuple(found.facts), tuple(found.assumed))


def _is_derived(domain: Domain, program: Program) -> bool:
    """Whether data types say what a domain's functions are, by `derives { contains }`."""
    derived = {d.name for adt in program.adts.values() for d in adt.derivations}
    return any(function.name in derived for function in domain.functions)


def _waiting(tr: Translation, done: Mapping[_Instance, None]) -> list[_Instance]:
    _bring_in_speakers(tr)
    return [i for i in tr.instances if i not in done]


def _depth(kind: pt.Type) -> int:
    """How many types a type is inside of, at most."""
    return 1 + max(map(_depth, pt.arguments_of(kind)), default=0)


class _Found:
    """What was said so far, and the domains about which something could not be said."""

    def __init__(self) -> None:
        self.facts: list[Term] = []
        self.assumed: dict[str, None] = {}
        self._unsayable: dict[str, None] = {}

    def add(self, instance: _Instance, tr: Translation) -> None:
        domain = tr.program.domains[instance[0]]
        for axiom in [a for a in domain.axioms if a not in tr.arrays.axioms]:
            self.assumed[domain.name] = None
            try:
                self.facts.append(_axiom(axiom, domain, instance[1], tr))
            except (NotSayable, TermError):
                self.unsayable(domain)
        self.facts.extend(_unique(domain, instance[1], tr))

    def unsayable(self, domain: Domain) -> None:
        self._unsayable[domain.name] = None

    def infected(self, tr: Translation) -> dict[str, None]:
        """Domains whose values depend on something unsayable: axioms connect them with it."""
        found = dict(self._unsayable)
        groups = [_group(d) for d in tr.program.domains.values() if d.axioms]
        changed = bool(found)
        while changed:
            before = len(found)
            for group in groups:
                if any(name in found for name in group):
                    found.update(group)
            changed = len(found) > before
        return found


def _group(domain: Domain) -> dict[str, None]:
    """The domain, and those whose functions its axioms mention."""
    nodes = [n for a in domain.axioms for n in descendants(a.body)]
    return {domain.name: None, **{n.domain: None for n in nodes if isinstance(n, pe.DomainApp)}}


def _bring_in_types(tr: Translation) -> None:
    """Instances of domains whose values the program has, though it may apply no function."""
    if any(domain.axioms for domain in tr.program.domains.values()):
        for kind in types_of(tr.program):
            if isinstance(kind, pt.DomainType) and kind.name in tr.program.domains:
                tr.instances.setdefault((kind.name, kind.args))


def _bring_in_speakers(tr: Translation) -> None:
    """Instances of domains whose axioms speak about others that are in use.

    A parameter that the axioms do not mention may stand for any type.
    """
    for domain in tr.program.domains.values():
        for name, type_args in _spoken_of(domain):
            for _, args in [i for i in tr.instances if i[0] == name]:
                bound = _matched(type_args, args)
                if bound is not None:
                    own = tuple([bound.get(name, pt.INT) for name in domain.type_params])
                    tr.instances.setdefault((domain.name, own))


def _spoken_of(domain: Domain) -> Iterator[_Instance]:
    """The domains whose functions the axioms of a domain apply, or over whose values they range."""
    for node in [n for a in domain.axioms for n in descendants(a.body)]:
        if isinstance(node, pe.DomainApp):
            yield node.domain, node.type_args
        elif isinstance(node, pe.Forall | pe.Exists):
            for variable in node.variables:
                if isinstance(variable.type, pt.DomainType):
                    yield variable.type.name, variable.type.args


def _matched(patterns: tuple[pt.Type, ...], args: tuple[pt.Type, ...]) -> dict[str, pt.Type] | None:
    """What type parameters stand for; None where types differ."""
    bound: dict[str, pt.Type] = {}
    for pattern, arg in zip(patterns, args, strict=True):
        if isinstance(pattern, pt.TypeVar):
            if bound.setdefault(pattern.name, arg) != arg:
                return None
        elif pt.instantiate(pattern, bound) != arg:
            return None
    return bound


def _axiom(axiom: Axiom, domain: Domain, args: tuple[pt.Type, ...], tr: Translation) -> Term:
    names = dict(zip(domain.type_params, args, strict=True))
    return _Sayer(names, tr).term(axiom.body, {})


def _unique(domain: Domain, args: tuple[pt.Type, ...], tr: Translation) -> list[Term]:
    names = dict(zip(domain.type_params, args, strict=True))
    unique = [f for f in domain.functions if f.unique and not f.params]
    made = [
        build.constant(f.name, sort_of(_simple(pt.instantiate(f.result, names)))) for f in unique
    ]
    return [build.distinct(*made)] if len(made) > 1 else []


def _result_is_of_type(signature: Signature) -> list[Term]:
    """Quantifiers are about values of their types only, and results of functions are such."""
    kinds = (*signature.args, signature.result)
    if not is_guarded(signature.result) or not all(map(_is_simple, kinds)):
        return []
    sorts = tuple([sort_of(a) for a in signature.args])
    symbol = build.function(signature.name, sorts, sort_of(signature.result))
    variables = [build.variable(f"a.{n}", sort) for n, sort in enumerate(sorts)]
    result = build.apply(symbol, *variables)
    fact = is_of(signature.result, result)
    return [build.forall(variables, fact, ((result,),), "result") if variables else fact]


def _is_simple(kind: Type) -> bool:
    return kind in (INT, BOOLEAN, RATIONAL) or is_guarded(kind)


def _simple(kind: pt.Type) -> Type:
    found = model_type(kind)
    if not _is_simple(found):
        raise NotSayable
    return found


class _Sayer:
    """Translates an axiom of one domain instance; `inside` are the functions that are opened."""

    def __init__(self, names: dict[str, pt.Type], tr: Translation) -> None:
        self._names = names
        self._tr = tr
        self._inside: tuple[str, ...] = ()
        self._numbers = count()

    def term(self, e: pe.Expr, bound: dict[str, Term]) -> Term:  # noqa: C901 - a table
        def sub(part: pe.Expr) -> Term:
            return self.term(part, bound)

        match e:
            case pe.IntLit(value):
                return build.integer(value)
            case pe.BoolLit(value):
                return build.truth(holds=value)
            case pe.NullLit():
                return build.integer(0)
            case pe.PermLit(pe.PermConstant.WRITE):
                return build.WRITE
            case pe.PermLit(pe.PermConstant.NONE):
                return build.NONE
            case pe.Var(name):
                return bound[name]
            case pe.Not(operand):
                return build.negate(sub(operand))
            case pe.And(operands):
                return build.conjoin(*[sub(o) for o in operands])
            case pe.Or(operands):
                return build.disjoin(*[sub(o) for o in operands])
            case pe.Implies(left, right):
                return build.implies(sub(left), sub(right))
            case pe.Conditional(condition, then, otherwise):
                return build.ite(sub(condition), sub(then), sub(otherwise))
            case pe.Equal(left, right):
                _simple(self._type(left))
                return build.equal(sub(left), sub(right))
            case pe.NotEqual(left, right):
                _simple(self._type(left))
                return build.differ(sub(left), sub(right))
            case pe.Negate(operand):
                return build.opposite(sub(operand))
            case pe.IntArith(op, left, right):
                return _ARITHMETIC[op](sub(left), sub(right))
            case pe.Compare(op, left, right):
                return _COMPARISON[op](sub(left), sub(right))
            case pe.DomainApp():
                return self._app(e, bound)
            case pe.FunctionApp(function, args):
                return self._opened(self._tr.program.functions[function], [sub(a) for a in args])
            case pe.Let(variable, value, body):
                _simple(self._type(value))
                return self.term(body, {**bound, variable.name: sub(value)})
            case pe.Forall() | pe.Exists():
                return self._quantifier(e, bound)
            case _:
                raise NotSayable

    def _opened(self, function: Function, args: list[Term]) -> Term:
        """The body of a function of the program, which says the same of all arguments."""
        is_partial = bool(function.preconditions) or hides_body(function)
        if function.body is None or is_partial or function.name in self._inside:
            raise NotSayable
        for kind in (function.result, *[p.type for p in function.params]):
            _simple(kind)
        names = {p.name: arg for p, arg in zip(function.params, args, strict=True)}
        inner = _Sayer({}, self._tr)
        inner._inside, inner._numbers = (*self._inside, function.name), self._numbers
        return inner.term(function.body, names)

    def _type(self, e: pe.Expr) -> pt.Type:
        return pt.instantiate(e.type, self._names)

    def _app(self, e: pe.DomainApp, bound: dict[str, Term]) -> Term:
        type_args = tuple([pt.instantiate(a, self._names) for a in e.type_args])
        app = pe.DomainApp(e.domain, e.function, type_args, e.args, self._type(e))
        signature: Signature = self._tr.tables[self._tr.table(app)]
        for kind in (*[self._type(a) for a in e.args], self._type(e)):
            _simple(kind)
        symbol = build.function(
            signature.name,
            tuple([sort_of(a) for a in signature.args]),
            sort_of(signature.result),
        )
        return build.apply(symbol, *[self.term(a, bound) for a in e.args])

    def _quantifier(self, e: pe.Forall | pe.Exists, bound: dict[str, Term]) -> Term:
        inner = dict(bound)
        variables, kinds = [], []
        for variable in e.variables:
            kind = _simple(pt.instantiate(variable.type, self._names))
            made = build.variable(f"{variable.name}.{next(self._numbers)}", sort_of(kind))
            inner[variable.name] = made
            variables.append(made)
            kinds.append(kind)
        guards = [is_of(k, v) for k, v in zip(kinds, variables, strict=True) if is_guarded(k)]
        body = self.term(e.body, inner)
        triggers = []
        for trigger in e.triggers:
            parts = [t for t in trigger.terms if isinstance(t, pe.DomainApp)]
            if len(parts) == len(trigger.terms):
                triggers.append(tuple([self.term(p, inner) for p in parts]))
        if isinstance(e, pe.Forall):
            body = build.implies(build.conjoin(*guards), body)
            return build.forall(variables, body, tuple(triggers), "axiom")
        return build.exists(variables, build.conjoin(*guards, body), tuple(triggers), "axiom")


_ARITHMETIC = {
    pe.IntOp.ADD: build.plus,
    pe.IntOp.SUB: build.minus,
    pe.IntOp.MUL: build.times,
    pe.IntOp.DIV: build.div,
    pe.IntOp.MOD: build.mod,
}
_COMPARISON = {
    pe.CompareOp.LT: build.less,
    pe.CompareOp.LE: build.at_most,
    pe.CompareOp.GT: build.greater,
    pe.CompareOp.GE: build.at_least,
}
