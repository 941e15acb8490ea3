"""Sorts and symbols of a program, made on demand; what was used decides which axioms are needed."""

from __future__ import annotations

from pitviper.base.record import field, record, struct
from pitviper.encoding.inhale_exhale import reads_what_is_brought
from pitviper.encoding.theories.maps import Maps, maps
from pitviper.encoding.theories.multisets import Multisets, multisets
from pitviper.encoding.theories.sequences import Sequences, sequences
from pitviper.encoding.theories.sets import Sets, sets
from pitviper.encoding.theories.snapshot_maps import SnapshotMaps, snapshot_maps
from pitviper.encoding.wand_shapes import Shape, wand_shape
from pitviper.program import types as pt
from pitviper.program.assertion import Wand
from pitviper.program.member import Domain, Program
from pitviper.terms.snapshot import SNAP
from pitviper.terms.sort import BOOL, INT, PERM, REF, Sort, solver_sort, uninterpreted
from pitviper.terms.symbol import Function, function, solver_function

WAND_SNAPSHOT = uninterpreted("%WandSnapshot")
WAND_APPLY = function("wand.apply", (WAND_SNAPSHOT, SNAP), SNAP)
"""The snapshot of a wand is a function from left-hand snapshots to right-hand ones."""


@record
class DomainInstance:
    """A domain with concrete type arguments."""

    domain: str
    args: tuple[pt.Type, ...]

    def __str__(self) -> str:
        return f"{self.domain}<{','.join(map(str, self.args))}>" if self.args else self.domain


@record
class FunctionSymbols:
    """The five symbols of a heap-dependent function.

    `full` unrolls its definition, `limited` has the same value but never unrolls, `anywhere` marks
    that the function was applied to these arguments in some state, `holds` says that the
    precondition holds for a footprint, `called` that the body being verified applies it to that.
    """

    full: Function
    limited: Function
    anywhere: Function
    holds: Function
    called: Function


@record
class InverseFunctions:
    """`back` gives the arguments at `positions` from the other ones and the value of `of`; `image`
    says of other arguments and a value that there are such arguments: NOTE(injective)."""

    of: Function
    positions: tuple[int, ...]
    image: Function
    back: tuple[Function, ...]


Inverses = dict[tuple[Function, tuple[int, ...]], InverseFunctions]
"""By domain functions and the positions of the arguments that are given back."""


@struct
class Symbols:
    """One per program and worker. The tables are in order of first use, hence deterministic."""

    program: Program
    sequences: dict[Sort, Sequences] = field(default_factory=dict)
    sets: dict[Sort, Sets] = field(default_factory=dict)
    multisets: dict[Sort, Multisets] = field(default_factory=dict)
    maps: dict[Sort, Maps] = field(default_factory=dict)
    instances: dict[DomainInstance, None] = field(default_factory=dict)
    leaves: dict[Sort, None] = field(default_factory=dict)
    snapshot_maps: dict[str, SnapshotMaps] = field(default_factory=dict)
    shapes: dict[str, Shape] = field(default_factory=dict)
    wands: dict[str, Wand] = field(default_factory=dict)
    """For each shape the wand whose parts are its holes."""
    inverses: Inverses = field(default_factory=dict)
    _shapes: dict[int, tuple[Wand, Shape]] = field(default_factory=dict)
    _sorts: dict[pt.Type, Sort] = field(default_factory=dict)
    _functions: dict[str, FunctionSymbols] = field(default_factory=dict)
    _unframed: dict[str, bool] = field(default_factory=dict)
    _domain_functions: dict[tuple[str, str, tuple[pt.Type, ...]], Function] = field(
        default_factory=dict
    )

    def sort(self, type_: pt.Type) -> Sort:
        found = self._sorts.get(type_)
        if found is None:
            found = self._sorts[type_] = self._make_sort(type_)
        return found

    def is_unframed(self, function: str) -> bool:
        """Whether what an application reads is more than its snapshot tells: NOTE(brought)."""
        found = self._unframed.get(function)
        if found is None:
            declared = self.program.functions[function]
            found = self._unframed[function] = reads_what_is_brought(declared, self.program)
        return found

    def types(self) -> dict[Sort, pt.Type]:
        """The types that have sorts so far."""
        return {sort: type_ for type_, sort in self._sorts.items()}

    @property
    def size(self) -> int:
        """Grows with every sort and symbol that is made on demand."""
        collections = len(self.sequences) + len(self.sets) + len(self.multisets) + len(self.maps)
        others = len(self._sorts) + len(self.instances) + len(self.snapshot_maps)
        return collections + others + len(self._functions)

    def _make_sort(self, type_: pt.Type) -> Sort:
        match type_:
            case pt.IntType():
                return INT
            case _ if type_ == pt.STATE:
                return SNAP
            case pt.BoolType():
                return BOOL
            case pt.PermType():
                return PERM
            case pt.RefType():
                return REF
            case pt.SeqType(element):
                return self.seq(self.sort(element)).sort
            case pt.SetType(element):
                return self.set(self.sort(element)).sort
            case pt.MultisetType(element):
                return self.multiset(self.sort(element)).sort
            case pt.MapType(key, value):
                return self.map(self.sort(key), self.sort(value)).sort
            case pt.DomainType(name, args):
                return self._domain_sort(name, args)
            case pt.AdtType() | pt.TypeVar():
                raise ValueError(f"type {type_} has no sort: plugins and instantiation remove it")

    def _domain_sort(self, name: str, args: tuple[pt.Type, ...]) -> Sort:
        domain = self.program.domains[name]
        text = dict(domain.interpretations or ()).get("SMTLIB")
        if text is not None:
            return solver_sort(text)
        instance = DomainInstance(name, args)
        self.instances[instance] = None
        sorts = ",".join(str(self.sort(arg)) for arg in args)
        return uninterpreted(f"{name}<{sorts}>" if args else name)

    def seq(self, element: Sort) -> Sequences:
        if element not in self.sequences:
            self.sequences[element] = sequences(element)
        return self.sequences[element]

    def set(self, element: Sort) -> Sets:
        if element not in self.sets:
            self.sets[element] = sets(element)
        return self.sets[element]

    def multiset(self, element: Sort) -> Multisets:
        if element not in self.multisets:
            self.multisets[element] = multisets(element)
        return self.multisets[element]

    def map(self, key: Sort, value: Sort) -> Maps:
        theory = maps(self.set(key), self.set(value))
        return self.maps.setdefault(theory.sort, theory)

    def domain_function(self, domain: str, name: str, args: tuple[pt.Type, ...]) -> Function:
        """The symbol of a domain function in one instance of its domain."""
        key = (domain, name, args)
        found = self._domain_functions.get(key)
        if found is None:
            found = self._domain_functions[key] = self._make_domain_function(domain, name, args)
        return found

    def _make_domain_function(self, domain: str, name: str, args: tuple[pt.Type, ...]) -> Function:
        instance = DomainInstance(domain, args)
        self.instances[instance] = None
        declared = self.program.domains[domain]
        signature = next(f for f in declared.functions if f.name == name)
        bound = dict(zip(declared.type_params, args, strict=True))
        domain_sorts = tuple(self.sort(pt.instantiate(p.type, bound)) for p in signature.params)
        result = self.sort(pt.instantiate(signature.result, bound))
        if signature.interpretation is not None:
            return solver_function(signature.interpretation, domain_sorts, result)
        suffix = f"<{','.join(str(self.sort(a)) for a in args)}>" if args else ""
        return function(f"{name}{suffix}", domain_sorts, result)

    def function(self, name: str) -> FunctionSymbols:
        found = self._functions.get(name)
        if found is None:
            declared = self.program.functions[name]
            args = tuple(self.sort(p.type) for p in declared.params)
            result = self.sort(declared.result)
            found = self._functions[name] = FunctionSymbols(
                full=function(name, (SNAP, *args), result),
                limited=function(f"{name}%limited", (SNAP, *args), result),
                anywhere=function(f"{name}%anywhere", args, BOOL),
                holds=function(f"{name}%precondition", (SNAP, *args), BOOL),
                called=function(f"{name}%called", (SNAP, *args), BOOL),
            )
        return found

    def field_maps(self, name: str) -> SnapshotMaps:
        """Maps from receivers to values of a field."""
        value = self.sort(self.program.fields[name].type)
        return self._maps(f"field {name}", (REF,), value)

    def predicate_maps(self, name: str) -> SnapshotMaps:
        """Maps from arguments to snapshots of a predicate."""
        args = tuple([self.sort(p.type) for p in self.program.predicates[name].params])
        return self._maps(f"predicate {name}", args, SNAP)

    def shape(self, wand: Wand) -> Shape:
        """The shape of a wand. Rules also make wands that no program has: each is kept, so that no
        other one gets its place in memory, and with it its shape."""
        found = self._shapes.get(id(wand))
        if found is None:
            found = self._shapes[id(wand)] = (wand, wand_shape(wand, self.program))
            self.shapes.setdefault(found[1].name, found[1])
            self.wands.setdefault(found[1].name, wand)
            self.leaves[WAND_SNAPSHOT] = None
        return found[1]

    def wand_maps(self, name: str) -> SnapshotMaps:
        """Maps from hole values to the snapshots of wands."""
        args = tuple([self.sort(t) for t in self.shapes[name].types])
        return self._maps(f"wand {name}", args, WAND_SNAPSHOT)

    def _maps(self, name: str, args: tuple[Sort, ...], value: Sort) -> SnapshotMaps:
        found = self.snapshot_maps.get(name)
        if found is None:
            found = self.snapshot_maps[name] = snapshot_maps(name, args, value)
            self.leaves[found.sort] = None
        return found

    def predicate_trigger(self, name: str) -> Function:
        """Marks that an instance with this snapshot was folded or unfolded."""
        args = tuple(self.sort(p.type) for p in self.program.predicates[name].params)
        return function(f"{name}%trigger", (SNAP, *args), BOOL)


def type_bindings(domain: Domain, args: tuple[pt.Type, ...]) -> dict[str, pt.Type]:
    return dict(zip(domain.type_params, args, strict=True))
