"""From a typed Viper program to the program model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pitviper.engines.explore.model.program import Constructor, Method, Model, Signature
from pitviper.engines.explore.model.term import Local
from pitviper.engines.explore.model.types import OBJECT, Type
from pitviper.engines.explore.options import ModelOptions
from pitviper.engines.explore.viper import calls
from pitviper.engines.explore.viper import functions as viper_function
from pitviper.engines.explore.viper import predicates as viper_predicate
from pitviper.engines.explore.viper.arrays import arrays_of
from pitviper.engines.explore.viper.emitter import Emitter
from pitviper.engines.explore.viper.types import model_type
from pitviper.program import types as pt
from pitviper.program.expr import Construct, DomainApp, Expr, Var
from pitviper.program.member import Function, Program
from pitviper.program.node import Node
from pitviper.program.stmt import Package
from pitviper.program.walk import descendants

DEFAULTS = ModelOptions()


class Translation:
    """What the parts of a translation share; grows while methods are translated."""

    def __init__(self, program: Program, options: ModelOptions) -> None:
        self.program = program
        self.options = options
        self.methods: dict[str, Method] = {}
        self.tables: dict[str, Signature] = {}
        self.instances: dict[tuple[str, tuple[pt.Type, ...]], None] = {}
        self.arrays = arrays_of(program)
        self._scripts = 0
        self._packages = _has_packages(program)
        self.chooses_objects = _chooses_objects(program)
        self._needed: dict[tuple[str, bool], None] = {}
        self._nested: list[str] = []
        self._promises: list[tuple[str, tuple[Local, ...]]] = []

    def table(self, e: DomainApp) -> str:
        """The table of a domain function; axioms of its domain may speak about it."""
        args = ",".join(map(str, e.type_args))
        name = f"{e.function}[{args}]" if args else e.function
        if name not in self.tables:
            domain = self.program.domains[e.domain]
            self.instances[e.domain, e.type_args] = None
            declared = next(f for f in domain.functions if f.name == e.function)
            names = dict(zip(domain.type_params, e.type_args, strict=True))
            is_place = e.function in self.arrays.functions
            is_interpreted = declared.interpretation is not None
            self.tables[name] = Signature(
                name,
                tuple([model_type(pt.instantiate(p.type, names)) for p in declared.params]),
                model_type(pt.instantiate(declared.result, names)),
                known=not is_place
                and (bool(self._speaking(e.domain)) or declared.unique or is_interpreted),
                domain=e.domain,
                place=is_place,
                nullable=e.function not in self.arrays.never_null,
            )
        return name

    def _speaking(self, domain: str) -> list[str]:
        """The domains whose axioms mention functions of a domain."""
        found = []
        for other in self.program.domains.values():
            for axiom in other.axioms:
                apps = [n for n in descendants(axiom.body) if isinstance(n, DomainApp)]
                if other.name == domain or any(app.domain == domain for app in apps):
                    found.append(other.name)
        return found

    def function_table(self, function: Function) -> str:
        name = f"function {function.name}"
        args = tuple([model_type(p.type) for p in function.params])
        self.tables[name] = Signature(name, args, model_type(function.result))
        return name

    def destructor(self, kind: pt.Type, argument: str) -> str:
        """`Constructor.number type` of the part of a data type with this name.

        It is also the name of the table for values that have no such part: they may have any.
        """
        assert isinstance(kind, pt.AdtType)
        adt = self.program.adts[kind.name]
        names = dict(zip(adt.type_params, kind.args, strict=True))
        for constructor in adt.constructors:
            for number, param in enumerate(constructor.params):
                if param.name == argument:
                    tag = f"{constructor.name}.{number} {kind}"
                    result = model_type(pt.instantiate(param.type, names))
                    self.tables[tag] = Signature(tag, (model_type(kind),), result, part=argument)
                    return tag
        raise KeyError(argument)

    def element_type(self, collection: Expr) -> Type:
        match collection.type:
            case pt.SeqType(element) | pt.SetType(element) | pt.MultisetType(element):
                return model_type(element)
            case pt.MapType(key):
                return model_type(key)
            case _:
                return OBJECT

    def passed(self, label: str) -> Local:
        return calls.passed_name(label)

    def script_name(self, member: str) -> str:
        """A name for the methods of one package."""
        self._scripts += 1
        return f"{self._scripts} of {member}"

    def introspect(self, out: Emitter) -> None:
        """`perm` is going to be looked at."""
        if self._packages:
            out.native("wand.introspect")

    def need_function(self, name: str) -> None:
        self._needed.setdefault((name, True))

    def need_predicate(self, name: str) -> None:
        self._needed.setdefault((name, False))

    def is_nested(self, function: str) -> bool:
        return self._nested.count(function) > 0

    @contextmanager
    def inside_precondition(self, function: str) -> Iterator[None]:
        self._nested.append(function)
        yield
        self._nested.pop()

    def is_promising(self, function: str, args: tuple[Local, ...]) -> bool:
        """Whether what a function promises for these arguments is being assumed."""
        return (function, args) in self._promises

    @contextmanager
    def inside_promise(self, function: str, args: tuple[Local, ...]) -> Iterator[None]:
        self._promises.append((function, args))
        with self.inside_precondition(function):
            yield
        self._promises.pop()

    def translate(self, entries: tuple[str, ...]) -> None:
        for name, method in self.program.methods.items():
            if method.body is not None:
                self.methods[name] = calls.body_method(method, self)
                if name in entries:
                    entry = calls.entry_method(method, self)
                    self.methods[entry.name] = entry
        self.translate_needed()

    def translate_needed(self) -> None:
        """Functions and predicates that what was translated applies, and what these apply."""
        while self._needed:
            name, is_function = next(iter(self._needed))
            del self._needed[name, is_function]
            self._translate_needed(name, is_function=is_function)

    def _translate_needed(self, name: str, *, is_function: bool) -> None:
        if is_function and viper_function.method_name(name) not in self.methods:
            made = viper_function.function_method(self.program.functions[name], self)
            self.methods[made.name] = made
        elif not is_function and viper_predicate.method_name(name) not in self.methods:
            made = viper_predicate.predicate_method(self.program.predicates[name], self)
            self.methods[made.name] = made


def model_of(
    program: Program, entries: tuple[str, ...], options: ModelOptions = DEFAULTS
) -> tuple[Model, Translation]:
    """The model in which the methods `entries` can be explored."""
    translation = Translation(program, options)
    translation.translate(entries)
    fields = {name: model_type(f.type) for name, f in program.fields.items()}
    return (
        Model(translation.methods, fields, _data(program), translation.tables),
        translation,
    )


def _data(program: Program) -> dict[Type, tuple[Constructor, ...]]:
    """The constructors of all instances of data types that the program mentions."""
    found: dict[Type, tuple[Constructor, ...]] = {}
    todo = [kind for kind in types_of(program) if isinstance(kind, pt.AdtType)]
    while todo:
        kind = todo.pop()
        if model_type(kind) in found:
            continue
        adt = program.adts[kind.name]
        names = dict(zip(adt.type_params, kind.args, strict=True))
        shapes = []
        for constructor in adt.constructors:
            args = [pt.instantiate(p.type, names) for p in constructor.params]
            shapes.append(Constructor(constructor.name, tuple([model_type(a) for a in args])))
            todo.extend([t for a in args for t in pt.types_in(a) if isinstance(t, pt.AdtType)])
        found[model_type(kind)] = tuple(shapes)
    return found


def _chooses_objects(program: Program) -> bool:
    """Whether there are functions whose values the solver chooses, and that may have objects."""
    of_domains = [f.result for d in program.domains.values() for f in d.functions]
    of_data = [p.type for a in program.adts.values() for c in a.constructors for p in c.params]
    others = [
        f.result
        for f in program.functions.values()
        if f.body is None or viper_function.hides_body(f)
    ]
    numbers = (pt.IntType, pt.BoolType, pt.PermType)
    return any(not isinstance(kind, numbers) for kind in (*of_domains, *of_data, *others))


def _has_packages(program: Program) -> bool:
    bodies = [m.body for m in program.methods.values() if m.body is not None]
    return any(isinstance(n, Package) for body in bodies for n in descendants(body))


def types_of(program: Program) -> Iterator[pt.Type]:
    """All types that values of the program have."""
    members: list[Node] = [
        *program.methods.values(), *program.functions.values(), *program.predicates.values(),
    ]  # fmt: skip
    for field in program.fields.values():
        yield from pt.types_in(field.type)
    for function in program.functions.values():
        yield from pt.types_in(function.result)
    for member in members:
        for node in descendants(member):
            if isinstance(node, Var | Construct):
                yield from pt.types_in(node.type)
