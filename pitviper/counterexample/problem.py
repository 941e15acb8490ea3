"""From a recorded symbolic state to the problem that an instance is sought for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pitviper.base.qualified import is_qualified
from pitviper.base.record import record, replace
from pitviper.counterexample.bounded.adts import theories_with_adts
from pitviper.counterexample.bounded.search import Fact, Holding, Problem
from pitviper.counterexample.bounded.values import Theories
from pitviper.counterexample.older import Older
from pitviper.counterexample.passed import Passed
from pitviper.counterexample.question import Question, Sought
from pitviper.counterexample.recorded_state import Closed, Inside, contents
from pitviper.counterexample.wands import HeldWand, can_be, must_be, wands_of
from pitviper.encoding.background import wrapper_axiom
from pitviper.encoding.freshness import absence_axioms
from pitviper.encoding.injective import inverse_axioms
from pitviper.encoding.operators import NULL
from pitviper.encoding.symbols import Symbols
from pitviper.encoding.theories.maps import map_axioms
from pitviper.encoding.theories.multisets import multiset_axioms
from pitviper.encoding.theories.sequences import index_arithmetic_axioms, sequence_axioms
from pitviper.encoding.theories.sets import set_axioms
from pitviper.encoding.theories.snapshot_maps import SnapshotMaps, snapshot_map_axioms
from pitviper.engines.symbolic.heap.chunk import Chunk, Heap, Kind, QuantifiedChunk, Resource
from pitviper.engines.symbolic.provenance import BranchPoint, Provenance
from pitviper.engines.symbolic.verifier import Run
from pitviper.explain.final_expression import FinalExpressions, names_in, without_states
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.member import Function, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.rooms import is_held_once
from pitviper.program.walk import free_vars
from pitviper.solver.session import Path
from pitviper.source.span import Span
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL, INT, PERM, REF, Sort
from pitviper.terms.substitute import with_symbols
from pitviper.terms.symbol import Function as FunctionSymbol
from pitviper.terms.term import TRUE, Quantified, Term

HELD_ONCE = "no more than write permission to a field"
INSTANCE_ONCE = "no more than one instance of a predicate that holds a field"
CLASSES = "every object is of one class"
AGREE = "a location has one value"
NEW = "a new object is none of those that were there before"
BODY = "the body of a predicate instance that is held"
LENT = "a wand can be held together with what is held"
WANDS = "what wands contain was looked into"
HELD = tb.variable("r!held", REF)


def problem_of(
    program: Program, sought: Sought, constraints: tuple[Fact, ...] = (), depth: int = 1
) -> Problem:
    """Returns all that the verifier knew in a state, and what the user wants in addition.

    `program` is the user's, which has the data types that are domains for the verifier.

    Bodies of predicate instances are looked at `depth` levels deep. A function has one value, that
    of its body: the two forms that keep a verifier from unrolling it forever are one here.
    """
    run, st = sought.run, sought.state
    symbols = run.symbols
    shown = FinalExpressions(sought.origins, names_in(st, sought.origins))
    generated = _generated(symbols, run.background)
    axioms = _domain_facts(run, generated, program)
    before = run.dependencies.functions_before(sought.member)
    if sought.typed is not None:
        before = tuple(dict.fromkeys([*before, *run.axioms]))
    functions = [axiom for name in before for axiom in run.axioms.get(name, ())]
    forms = _forms(symbols)
    heap_facts, closed, many, inside = _heap_facts(sought, depth)
    theories, older = theories_with_adts(program, symbols), _older(sought, depth)
    heap_facts += [Fact(term, NEW) for each in older for term in each.facts(theories)]
    holdings = heap_holdings(st.held, symbols)
    goal = None
    if sought.goal is not None:
        goal = Fact(with_symbols(sought.goal, forms), shown.text(sought.goal))
    everything = tuple(
        [h for heap in (st.held, *st.old.values()) for h in heap_holdings(heap, symbols)]
    )
    facts = (*_path_facts(st.path, shown), *heap_facts, *constraints)
    return Problem(
        tuple([replace(fact, term=with_symbols(fact.term, forms)) for fact in facts]),
        goal,
        axioms,
        (*generated, *_unrolling(functions, forms)),
        (*run.background, *functions),
        theories,
        _references(sought.known, holdings, symbols),
        _numbers([*sought.known, *inside], everything),
        tuple(dict.fromkeys(everything)),
        _symbols_of(sought.known, BOOL),
        _symbols_of(sought.known, PERM),
        tuple([replace(fact, term=with_symbols(fact.term, forms)) for fact in closed]),
        tuple([replace(fact, term=with_symbols(fact.term, forms)) for fact in many]),
        _free_functions(sought, before),
        _collections([*sought.known, *inside], everything, theories),
        heap_holdings(st.heap if sought.lacking is None else st.held, symbols),
        older,
    )


def axiomatic_problem_of(question: Question) -> Problem:
    """Returns the problem for a solver of others: data types are the domains of the verifier."""
    without = replace(question.program, adts={})
    return problem_of(without, question.sought, question.constraints)


def _forms(symbols: Symbols) -> dict[FunctionSymbol, FunctionSymbol]:
    """The form of each function that never unrolls, and the one that does."""
    every = [symbols.function(name) for name in symbols.program.functions]
    return {each.limited: each.full for each in every}


def _unrolling(axioms: list[Term], forms: dict[FunctionSymbol, FunctionSymbol]) -> list[Term]:
    found = [with_symbols(axiom, forms) for axiom in axioms]
    return [axiom for axiom in found if not _is_trivial(axiom)]


def _is_trivial(axiom: Term) -> bool:
    return axiom is TRUE or (isinstance(axiom, Quantified) and axiom.body is TRUE)


def _free_functions(sought: Sought, before: Sequence[str]) -> dict[FunctionSymbol, str]:
    """Functions with a body that the verifier could not, or not yet, rely on, by their symbols."""
    run, program = sought.run, sought.run.program
    return {
        run.symbols.function(name).full: name
        for name, function in program.functions.items()
        if function.body is not None
        and not (name in before and _has_definition(run.axioms.get(name, ()), name))
    }


def _has_definition(axioms: Sequence[Term], name: str) -> bool:
    return any(isinstance(a, Quantified) and a.name == f"{name}.definition" for a in axioms)


def _path_facts(path: Path, shown: FinalExpressions) -> list[Fact]:
    return [_fact(entry, shown) for entry in path if entry.fact is not TRUE]


def _fact(entry: Path, shown: FinalExpressions) -> Fact:
    match entry.provenance:
        case Provenance(node=node) if _is_inside(node, entry.fact):
            return Fact(entry.fact, without_states(shown.text(entry.fact)), node.span)
        case Provenance(node=node):
            return Fact(entry.fact, text_of(node), node.span)
        case BranchPoint(node=node, taken=taken):
            return Fact(entry.fact, text_of(node) if taken else f"!({text_of(node)})", node.span)
        case _:
            return Fact(entry.fact, shown.text(entry.fact))


def _is_inside(node: Node, fact: Term) -> bool:
    """Whether a fact was found inside of a quantifier: its place alone, `i`, says little then."""
    bound = fact.variables if isinstance(fact, Quantified) else ()
    return not free_vars(node).isdisjoint([each.name.partition("@")[0] for each in bound])


def _generated(symbols: Symbols, background: tuple[Term, ...]) -> tuple[Term, ...]:
    """What the verifier states about its own symbols."""
    own = {
        *[a for th in symbols.snapshot_maps.values() for a in snapshot_map_axioms(th)],
        *absence_axioms(symbols),
        *[a for known in symbols.inverses.values() for a in inverse_axioms(known)],
        *[wrapper_axiom(sort) for sort in symbols.leaves],
    }
    return tuple([axiom for axiom in background if axiom in own])


def _domain_facts(run: Run, generated: tuple[Term, ...], program: Program) -> tuple[Fact, ...]:
    """What is left of the background: collections and data types have a meaning without axioms."""
    symbols = run.symbols
    plain = [adt.name for adt in program.adts.values() if not adt.derivations]
    built = _axiom_places(symbols.program, plain)
    others = {
        *generated,
        *index_arithmetic_axioms(),
        *[a for th in symbols.sequences.values() for a in sequence_axioms(th)],
        *[a for th in symbols.sets.values() for a in set_axioms(th)],
        *[a for th in symbols.multisets.values() for a in multiset_axioms(th)],
        *[a for th in symbols.maps.values() for a in map_axioms(th)],
    }
    named = _axiom_places(symbols.program, symbols.program.domains)
    left = [axiom for axiom in run.background if axiom not in others]
    return tuple([_axiom(axiom, named) for axiom in left if _name(axiom) not in built])


def _axiom(term: Term, named: dict[str, tuple[str, Span]]) -> Fact:
    text, span = named.get(_name(term), ("an axiom of a domain", None))
    return Fact(term, text, span)


def _name(axiom: Term) -> str:
    return axiom.name if isinstance(axiom, Quantified) else ""


def _axiom_places(program: Program, domains: Iterable[str]) -> dict[str, tuple[str, Span]]:
    """Axioms of domains by the names of their terms, which tell where they stand."""
    found: dict[str, tuple[str, Span]] = {}
    for domain in [program.domains[name] for name in domains]:
        for axiom in domain.axioms:
            text = f"axiom {axiom.name}" if axiom.name else f"an axiom of {domain.name}"
            for span in (axiom.span, axiom.body.span):
                found[str(span)] = (text, axiom.span)
    return found


# ---------------------------------------------------------------- heaps


def heap_holdings(heap: Heap, symbols: Symbols) -> tuple[Holding, ...]:
    plain = [_plain(chunk) for chunk in heap]
    return (*plain, *[_quantified(chunk, symbols) for chunk in heap.quantified_chunks()])


def _plain(chunk: Chunk) -> Holding:
    resource = chunk.resource
    return Holding(resource.kind.value, resource.name, (), chunk.args, chunk.amount, chunk.value)


def _quantified(chunk: QuantifiedChunk, symbols: Symbols) -> Holding:
    resource = chunk.resource
    value = tb.apply(_maps(resource, symbols).look, chunk.map, *chunk.formals)
    formals = chunk.formals
    return Holding(resource.kind.value, resource.name, formals, formals, chunk.amount, value)


def _maps(resource: Resource, symbols: Symbols) -> SnapshotMaps:
    match resource.kind:
        case Kind.FIELD:
            return symbols.field_maps(resource.name)
        case Kind.PREDICATE:
            return symbols.predicate_maps(resource.name)
        case Kind.WAND:
            return symbols.wand_maps(resource.name)


def _heap_facts(
    sought: Sought, depth: int
) -> tuple[list[Fact], list[Fact], list[Fact], list[Term]]:
    """What holds of every heap, which the verifier states only where it needs it; instances
    whose content nobody looked at, as the facts that there are none: further inside, or many;
    and the values inside of instances, as far as they were looked at.

    In a function amounts count only as positive or none, so they may add up to more than write.
    """
    function = isinstance(sought.member, Function)
    counted = not function or sought.run.options.respect_function_amounts
    st, symbols = sought.state, sought.run.symbols
    facts, closed, many = list[Fact](), list[Fact](), list[Fact]()
    values: list[Term] = []
    seen: list[tuple[Term, Chunk]] = [(TRUE, chunk) for chunk in st.heap]
    held = [Passed(TRUE, heap) for heap in dict.fromkeys((st.heap, *st.old.values()))]
    for number, passed in enumerate((*held, *sought.passed.heaps)):  # has what is held
        heap, given = passed.heap, passed.given
        found = contents(heap, sought, f"inside{number}", depth, given)
        facts += [Fact(term, BODY) for inside in found.opened for term in inside.facts()]
        values += [chunk.value for each in found.opened for o in each.outcomes for chunk in o.heap]
        within = _surely_within(found.closed, sought)
        whole = replace(Held.of(heap, found.opened, given), within=within)
        lending = _Lending(whole, _from_outside(passed, sought))
        for name in symbols.program.fields:
            lent = lending.lent(name, HELD)
            facts += _one_field(whole.of_field(name), symbols, lent, counted=counted)
        facts += lending.facts()
        many += lending.enough(sought.passed.applied)
        if counted:
            facts += _instances_once(whole.plain, symbols.program)
        seen += whole.plain
        for resource in heap.resources():
            if resource.kind is Kind.PREDICATE:
                facts += _agreeing([(given, chunk) for chunk in heap.of(resource)])
        many += _packaged(passed, sought)
        for each in found.closed:
            kind = many if isinstance(each.chunk, QuantifiedChunk) else closed
            name = each.chunk.resource.name
            kind.append(Fact(tb.negate(each.given), f"instances of {name} inside were looked into"))
    return [*facts, *_apart(seen, symbols.program)], closed, many, values


def _older(sought: Sought, depth: int) -> tuple[Older, ...]:
    """What was there before new objects: in variables, heaps and the instances in these."""
    found = dict[tuple[Term, Term], Older]()
    for number, new in enumerate(sought.passed.new):
        known = list(new.named)
        for at, passed in enumerate(dict.fromkeys(new.heaps)):
            opened: tuple[Inside, ...] = ()
            if any(chunk.resource.kind is Kind.PREDICATE for chunk in passed.heap):
                names = f"older{number}_{at}_"
                opened = contents(passed.heap, sought, names, depth, passed.given).opened
            for guard, chunk in Held.of(passed.heap, opened, passed.given).plain:
                there = tb.conjoin(guard, _is_positive(chunk.amount))
                known += [(there, term) for term in (*chunk.args, chunk.value)]
        for given, term in known:
            found.setdefault((new.made, term), Older(new.made, given, term))
    return tuple([each for each in found.values() if each.term is not each.made])


def _packaged(passed: Passed, sought: Sought) -> Iterator[Fact]:
    """That no wand is held that was packaged on the way: what these took is held by them. Wands for
    many values at once may be there whatever the state is."""
    for chunk in passed.heap:
        if chunk.resource in sought.passed.packaged:
            there = tb.conjoin(passed.given, _is_positive(chunk.amount))
            yield Fact(tb.negate(there), "what packaged wands contain was looked into")
    for wide in passed.heap.quantified_chunks():
        if wide.resource.kind is Kind.WAND:
            yield Fact(tb.negate(passed.given), WANDS)


def _from_outside(passed: Passed, sought: Sought) -> tuple[tuple[Chunk, HeldWand], ...]:
    """The wands that came in from outside, one by one."""
    chunks = [
        chunk
        for chunk in passed.heap
        if chunk.resource.kind is Kind.WAND and chunk.resource not in sought.passed.packaged
    ]
    found = wands_of([(passed.given, chunk) for chunk in chunks], sought.run.symbols)
    return tuple(zip(chunks, found, strict=True))


@record
class _Lending:
    """Wands of a heap, beside everything else that is held there."""

    held: Held
    wands: tuple[tuple[Chunk, HeldWand], ...]

    def facts(self) -> Iterator[Fact]:
        """Gives what is so of every heap with these wands."""
        for _, wand in self.wands:
            must = must_be(wand, self._without)
            if must is not TRUE:
                yield Fact(must, LENT)

    def lent(self, field: str, r: Term) -> list[Term]:
        """Returns what each wand surely holds of a field of an object."""
        return [
            tb.ite(
                tb.conjoin(wand.given, tb.negate(wand.may_be_idle(self._without))),
                wand.lent(field, r),
                tb.NONE,
            )
            for _, wand in self.wands
            if any(part.field == field for part in wand.right.parts)
        ]

    def enough(self, applied: frozenset[Chunk]) -> Iterator[Fact]:
        """Gives what is enough for each wand to be there; one that was applied later gave what it
        holds to a heap that is looked at by itself."""
        number = tb.total([wand.number for _, wand in self.wands])
        for chunk, wand in self.wands:
            if wand.is_plain or chunk not in applied:
                beside = replace(self, wands=tuple([w for w in self.wands if w[1] is not wand]))
                yield Fact(can_be(wand, self._without, beside.everything, number), WANDS)

    def _without(self, field: str, r: Term) -> Term:
        return tb.total(self.held.of_field(field).amounts_at(r))

    def everything(self, field: str, r: Term) -> Term:
        """Returns how much is held, wands included."""
        lent = [tb.ite(wand.given, wand.lent(field, r), tb.NONE) for _, wand in self.wands]
        return tb.total([*self.held.of_field(field).amounts_at(r), *lent])


@record
class Held:
    """Chunks of a heap and of all instances in it, each with what has to be so for it to be.

    `within` are fields that are surely inside of instances into which nobody has looked.
    """

    plain: tuple[tuple[Term, Chunk], ...]
    wide: tuple[tuple[Term, QuantifiedChunk], ...]
    within: tuple[Within, ...] = ()

    @classmethod
    def of(cls, heap: Heap, opened: tuple[Inside, ...], given: Term) -> Held:
        heaps = [(given, heap), *[(o.guard, o.heap) for inside in opened for o in inside.outcomes]]
        return cls(
            tuple([(guard, chunk) for guard, each in heaps for chunk in each]),
            tuple([(guard, chunk) for guard, each in heaps for chunk in each.quantified_chunks()]),
        )

    def amounts_at(self, r: Term) -> list[Term]:
        """Returns the parts of a field of an object that are held; all chunks are of the field."""
        parts = [
            tb.ite(tb.conjoin(guard, tb.equal(c.args[0], r)), c.amount, tb.NONE)
            for guard, c in self.plain
        ]
        parts += [tb.ite(guard, c.amount_at((r,)), tb.NONE) for guard, c in self.wide]
        parts += [
            tb.ite(tb.conjoin(each.given, tb.equal(each.receiver, r)), each.amount, tb.NONE)
            for each in self.within
        ]
        return parts

    def of_field(self, name: str) -> Held:
        resource = Resource(Kind.FIELD, name)
        return Held(
            tuple([(guard, chunk) for guard, chunk in self.plain if chunk.resource == resource]),
            tuple([(guard, chunk) for guard, chunk in self.wide if chunk.resource == resource]),
            tuple([each for each in self.within if each.field == name]),
        )


@record
class Within:
    """A field of an object, all of which an instance holds as far as that is held itself."""

    field: str
    receiver: Term
    given: Term
    amount: Term


def _surely_within(closed: Sequence[Closed], sought: Sought) -> tuple[Within, ...]:
    """The fields of arguments that the bodies of instances hold under no condition."""
    found = list[Within]()
    for each in closed:
        predicate = sought.run.program.predicates[each.chunk.resource.name]
        if isinstance(each.chunk, QuantifiedChunk) or predicate.body is None:
            continue
        args = {p.name: arg for p, arg in zip(predicate.params, each.chunk.args, strict=True)}
        for field, name in _whole_fields(predicate.body):
            if name in args:
                found.append(Within(field, args[name], each.given, each.chunk.amount))
    return tuple(found)


def _instances_once(chunks: Sequence[tuple[Term, Chunk]], program: Program) -> Iterator[Fact]:
    """No two whole instances of one object where a body, perhaps of a class that is not known here,
    holds all of a field of it."""
    known = {
        Resource(Kind.PREDICATE, p.name) for p in program.predicates.values() if is_held_once(p)
    }
    held = [(guard, chunk) for guard, chunk in chunks if chunk.resource in known]
    for at, (guard, one) in enumerate(held):
        for other_guard, other in held[at + 1 :]:
            if one.resource == other.resource:
                both = tb.conjoin(guard, other_guard, tb.equal(one.args[0], other.args[0]))
                once = tb.at_most(tb.total([one.amount, other.amount]), tb.WRITE)
                yield Fact(tb.implies(both, once), INSTANCE_ONCE)


def _whole_fields(body: pa.Assertion) -> Iterator[tuple[str, str]]:
    match body:
        case pa.Star(conjuncts):
            for conjunct in conjuncts:
                yield from _whole_fields(conjunct)
        case pa.Access(pa.FieldLocation(pe.Var(name), field), pe.PermLit(pe.PermConstant.WRITE)):
            yield field, name


def _one_field(held: Held, symbols: Symbols, lent: list[Term], *, counted: bool) -> list[Fact]:
    """No location is held more than once, wherever its parts are, and it has one value; `lent` are
    the amounts of it that wands have."""
    if not held.plain and not held.wide and not held.within and not lent:
        return []
    facts, r = _agreeing(held.plain), HELD
    if counted:
        parts = [*held.amounts_at(r), *lent]
        facts.append(Fact(tb.forall((r,), tb.at_most(tb.total(parts), tb.WRITE)), HELD_ONCE))
    for guard, wide in held.wide:
        nothing = tb.implies(guard, tb.at_most(wide.amount_at((NULL,)), tb.NONE))
        facts.append(Fact(nothing, "null has no fields"))
        for other, c in held.plain:
            both = [guard, other, _is_positive(wide.amount_at(c.args)), _is_positive(c.amount)]
            value = tb.apply(_maps(wide.resource, symbols).look, wide.map, *c.args)
            facts.append(Fact(tb.implies(tb.conjoin(*both), tb.equal(value, c.value)), AGREE))
    for i, one in enumerate(held.wide):
        facts += [_agreeing_everywhere(one, two, symbols) for two in held.wide[:i]]
    return facts


def _agreeing_everywhere(
    one: tuple[Term, QuantifiedChunk], two: tuple[Term, QuantifiedChunk], symbols: Symbols
) -> Fact:
    """Of what two chunks for many objects both hold, the value is the same."""
    (guard, a), (other, b), r = one, two, HELD
    both = [guard, other, _is_positive(a.amount_at((r,))), _is_positive(b.amount_at((r,)))]
    look = _maps(a.resource, symbols).look
    same = tb.equal(tb.apply(look, a.map, r), tb.apply(look, b.map, r))
    return Fact(tb.forall((r,), tb.implies(tb.conjoin(*both), same)), AGREE)


def _apart(chunks: Sequence[tuple[Term, Chunk]], program: Program) -> list[Fact]:
    """An object has the fields and predicates of one class only, and no array is one of a class.

    Interfaces have no fields: what they declare belongs to objects of several classes.
    """
    classes = {name.rpartition(".")[0] for name in program.fields if is_qualified(name)}
    found: dict[tuple[str, Term, Term], None] = {}
    for guard, chunk in chunks:
        owner = chunk.resource.name.rpartition(".")[0]
        if is_qualified(chunk.resource.name) and owner in classes and chunk.args:
            found[owner, chunk.args[0], guard] = None
    known = list(found)
    return [
        Fact(tb.implies(tb.conjoin(guard, other), tb.negate(tb.equal(one, two))), CLASSES)
        for i, (kind, one, guard) in enumerate(known)
        for another, two, other in known[:i]
        if kind != another
    ]


def _is_positive(amount: Term) -> Term:
    return tb.greater(amount, tb.NONE)


def _agreeing(chunks: Sequence[tuple[Term, Chunk]]) -> list[Fact]:
    facts = []
    for i, (given, a) in enumerate(chunks):
        for other, b in chunks[:i]:
            same = [tb.equal(x, y) for x, y in zip(a.args, b.args, strict=True)]
            held = [given, other, _is_positive(a.amount), _is_positive(b.amount)]
            agree = tb.implies(tb.conjoin(*same, *held), tb.equal(a.value, b.value))
            facts.append(Fact(agree, AGREE))
    return facts


# ---------------------------------------------------------------- what a reader sees


def _references(
    known: list[Term], holdings: tuple[Holding, ...], symbols: Symbols
) -> tuple[Term, ...]:
    """References in the order in which they are met, then the sets of them."""
    sets = symbols.set(REF).sort
    found = [*known]
    for holding in holdings:
        if not holding.formals:
            found += [*holding.args, holding.value]
    references = [t for t in found if t.sort is REF and t is not NULL]
    return tuple(dict.fromkeys([*references, *[t for t in known if t.sort is sets]]))


def _numbers(known: list[Term], holdings: tuple[Holding, ...]) -> tuple[Term, ...]:
    found = [*known, *[h.value for h in holdings if not h.formals]]
    return tuple(dict.fromkeys([t for t in found if t.sort is INT]))


def _collections(
    known: list[Term], holdings: tuple[Holding, ...], theories: Theories
) -> tuple[Term, ...]:
    found = [*known, *[h.value for h in holdings if not h.formals]]
    return tuple(dict.fromkeys([t for t in found if t.sort in theories.by_sort]))


def _symbols_of(known: list[Term], sort: Sort) -> tuple[Term, ...]:
    """Variables whose value the solver may choose."""
    return tuple(dict.fromkeys([t for t in known if t.sort is sort and not t.args]))
