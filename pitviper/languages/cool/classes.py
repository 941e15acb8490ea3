"""What the classes of a file declare: names, types and where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from pitviper.base.record import record, replace
from pitviper.checking.report import Report
from pitviper.checking.scope import similar
from pitviper.languages.cool import tree
from pitviper.languages.cool import types as ct
from pitviper.languages.cool.naming import name_behind, name_in
from pitviper.languages.names import Names
from pitviper.program import types as core
from pitviper.program.classes import SEQ, SET, Known
from pitviper.program.node import Node
from pitviper.program.walk import descendants
from pitviper.source.diagnostic import Related
from pitviper.source.span import Span


@record
class FieldInfo:
    owner: str
    name: str
    type: ct.CoolType
    span: Span

    @property
    def core_name(self) -> str:
        return f"{self.owner}.{self.name}"


@record
class MethodInfo:
    """`owner` is the class that declares it, `home` the interface that declared it first.

    A predicate or pure method that a class has from an interface is one member of the core, that
    of the interface, with a body for each class: calls need not know the class of an object.
    """

    owner: str
    home: str
    kind: str
    name: str
    params: tuple[ct.CoolType, ...]
    result: ct.CoolType
    declaration: tree.MethodDeclaration

    @property
    def core_name(self) -> str:
        return f"{self.owner if self.kind in ('mutator', 'constructor') else self.home}.{self.name}"

    @property
    def title(self) -> str:
        return f"{self.owner}.{self.name}"


@record
class ClassInfo:
    name: str
    is_interface: bool
    number: int
    interfaces: tuple[str, ...]
    fields: dict[str, FieldInfo]
    methods: dict[str, MethodInfo]
    declaration: tree.ClassDeclaration

    @property
    def constructor(self) -> MethodInfo | None:
        found = self.methods.get(self.name)
        return found if found is not None and found.kind == "constructor" else None


def _head(method: MethodInfo) -> str:
    """The declaration up to its parameters, as it is written."""
    return " ".join(method.declaration.span.text.partition(")")[0].split())


def _form(method: MethodInfo) -> tuple[object, ...]:
    """What has to be the same in a class and in its interface."""
    return method.kind, method.params, method.result


_OTHER_TYPES = {
    "boolean": "bool",
    "Integer": "int",
    "Int": "int",
    "Bool": "bool",
    "Ref": "Object",
    "long": "int",
    "object": "Object",
    "short": "int",
    "byte": "int",
    "List": "seq<int>",
    "ArrayList": "seq<int>",
    "Seq": "seq<int>",
    "Set": "set<int>",
    "HashSet": "set<int>",
}
"""Types of other languages."""

_NO_TYPES = {
    "String": "there are no strings in this language",
    "string": "there are no strings in this language",
    "char": "there are no characters in this language",
    "double": "there are whole numbers only: `int`",
    "float": "there are whole numbers only: `int`",
    "Map": "there are no maps: use a sequence, `seq<int>`",
    "HashMap": "there are no maps: use a sequence, `seq<int>`",
}
"""Types of other languages for which there is nothing."""


def _speaks_of_all(node: Node) -> bool:
    """Whether objects of all classes are spoken of: by `Object`, or by a quantifier."""
    match node:
        case tree.TypeName(name="Object"):
            return True
        case tree.Quantifier(variable=variable, low=None, domain=None):
            return variable.type.name not in ("int", "bool")
        case _:
            return False


class Table:
    """All classes of a file by name."""

    def __init__(self, file: tree.File, report: Report, names: Names | None = None) -> None:
        self._report = report
        self._listening = names
        """Where names are told, if an editor wants to know."""
        self.states: set[str] = set()
        """Predicates of the core that `untouched` speaks about."""
        self.has_objects = any(_speaks_of_all(node) for node in descendants(file))
        """Whether objects of several classes may be meant: by `Object`, or by a quantifier."""
        self.in_arrays = {
            node.name
            for node in descendants(file)
            if isinstance(node, tree.TypeName) and node.dimensions
        }
        """The types that arrays of the file are of, at the end of all dimensions."""
        self.classes: dict[str, ClassInfo] = {}
        self._names = {c.name for c in file.classes}
        for number, declaration in enumerate(file.classes, 1):
            earlier = self.classes.get(declaration.name)
            if earlier is not None:
                self._twice("class", declaration.name, declaration.place.span,
                            earlier.declaration.place.span)  # fmt: skip
                continue
            self.classes[declaration.name] = self._class(declaration, number)
        for info in list(self.classes.values()):
            self._inherit(info)

    def used(self, name: str, start: int, declared: Span) -> None:
        """The variable or field at an offset means what is declared at a place."""
        if self._listening is not None:
            self._listening.use(start, name_in(declared, name))

    def called(self, e: tree.Invoke, method: MethodInfo) -> None:
        """A call means a method."""
        start = None if self._listening is None else name_behind(e)
        if self._listening is not None and start is not None:
            self._listening.use(start, method.declaration.place.span)

    def field_words(self) -> dict[str, str]:
        """The types of all fields in words of the file, by their names in the core."""
        fields = [field for info in self.classes.values() for field in info.fields.values()]
        return {field.core_name: str(field.type) for field in fields}

    @contextmanager
    def telling(self, report: Report) -> Iterator[None]:
        """Mistakes are told to another report for a while."""
        before, self._report = self._report, report
        try:
            yield
        finally:
            self._report = before

    def _twice(self, what: str, name: str, span: Span, first: Span) -> None:
        related = (Related(first, "it is declared here, too"),)
        message = f"there are two declarations of {what} `{name}`"
        self._report.error(span, message, related=related, help="give one of them another name")

    def _class(self, declaration: tree.ClassDeclaration, number: int) -> ClassInfo:
        name = declaration.name
        fields: dict[str, FieldInfo] = {}
        methods: dict[str, MethodInfo] = {}
        places: dict[str, Span] = {}
        for field in declaration.fields:
            if field.name in places:
                self._twice("field", field.name, field.span, places[field.name])
            places[field.name] = field.span
            fields[field.name] = FieldInfo(name, field.name, self.type(field.type), field.span)
        for method in declaration.methods:
            if method.name == name and method.kind != "constructor":
                message = f"`{name}` is the name of the class"
                cure = "leave out what stands before it of it for a constructor"
                self._report.error(method.place.span, message, help=cure)
            if method.name in places:
                self._twice("member", method.name, method.place.span, places[method.name])
                continue
            places[method.name] = method.place.span
            methods[method.name] = self._method(name, method)
        interfaces = tuple([n.name for n in declaration.implements])
        return ClassInfo(
            name, declaration.is_interface, number, interfaces, fields, methods, declaration
        )

    def _method(self, owner: str, method: tree.MethodDeclaration) -> MethodInfo:
        result: ct.CoolType = ct.NOTHING if method.result is None else self.type(method.result)
        if method.kind == "predicate":
            result = ct.BOOL
        params = tuple([self.type(p.type) for p in method.params])
        return MethodInfo(owner, owner, method.kind, method.name, params, result, method)

    def _inherit(self, info: ClassInfo) -> None:
        """What a class has from its interfaces: it must be there, and have the same form."""
        for name in info.declaration.implements:
            interface = self.classes.get(name.name)
            if interface is None or not interface.is_interface or info.is_interface:
                message = (
                    "an interface extends nothing"
                    if info.is_interface
                    else f"there is no interface `{name.name}`"
                )
                cure = similar(name.name, self._interfaces())
                if interface is not None and not info.is_interface:
                    cure = f"`{name.name}` is a class, and classes do not inherit"
                cure = cure or f"declare it: `interface {name.name} {{ ... }}`"
                self._report.error(name.span, message, help=cure)
                continue
            for method in interface.methods.values():
                self._override(info, interface, method)

    def _interfaces(self) -> list[str]:
        return [c.name for c in self.classes.values() if c.is_interface]

    def _override(self, info: ClassInfo, interface: ClassInfo, method: MethodInfo) -> None:
        own = info.methods.get(method.name)
        if own is None:
            kind = {"mutator": "method", "pure": "pure method"}.get(method.kind, method.kind)
            message = f"class `{info.name}` lacks {kind} `{method.name}` of `{interface.name}`"
            related = (Related(method.declaration.place.span, "it is declared here"),)
            cure = f"write `{_head(method)}) ...` into the class, with a body"
            self._report.error(info.declaration.place.span, message, related=related, help=cure)
            return
        if _form(own) != _form(method):
            message = f"`{own.title}` differs in form from `{method.title}`"
            related = (Related(method.declaration.place.span, "this is the form to keep"),)
            cure = f"write `{_head(method)})` before its body"
            self._report.error(own.declaration.place.span, message, related=related, help=cure)
            return
        if own.kind in ("predicate", "pure") and own.declaration.body is None:
            message = f"`{own.title}` of interface `{interface.name}` has no body in this class"
            cure = "a class that implements an interface gives a body, `{ return ...; }`"
            self._report.error(own.declaration.place.span, message, help=cure)
        if own.kind == "pure" and own.declaration.clauses:
            message = f"pure method `{own.title}` has the contract of `{method.title}`"
            cure = "leave out its own clauses"
            self._report.error(own.declaration.clauses[0].span, message, help=cure)
        if own.home == own.owner:
            info.methods[method.name] = replace(own, home=interface.name)
        elif own.home != interface.name and own.kind in ("predicate", "pure"):
            self._two_homes(own, method)

    def _two_homes(self, own: MethodInfo, method: MethodInfo) -> None:
        """A predicate or pure method is one member of the core, so that it has one home."""
        first = self.classes[own.home].methods[own.name]
        message = f"`{own.name}` is declared by interfaces `{own.home}` and `{method.owner}`"
        places = [
            Related(first.declaration.place.span, "it is declared here"),
            Related(method.declaration.place.span, "and here"),
        ]
        cure = "a class has it from one of them: give the other one another name"
        self._report.error(own.declaration.place.span, message, related=tuple(places), help=cure)

    # ------------------------------------------------------------ questions

    def promises(self, method: MethodInfo) -> list[MethodInfo]:
        """The methods of interfaces that a method of a class stands for."""
        names = dict.fromkeys(self.classes[method.owner].interfaces)
        interfaces = [self.classes[name] for name in names if name in self.classes]
        found = [i.methods[method.name] for i in interfaces if method.name in i.methods]
        return [promise for promise in found if _form(promise) == _form(method)]

    def similar_class(self, name: str) -> str | None:
        """What may have been meant by the name of a class that there is not."""
        if name in _NO_TYPES:
            return _NO_TYPES[name]
        if name in _OTHER_TYPES:
            return f"write `{_OTHER_TYPES[name]}`"
        return similar(name, ["int", "bool", "Object", *self._names])

    def type(self, name: tree.TypeName) -> ct.CoolType:
        found: ct.CoolType
        match name.name:
            case "int":
                found = ct.INT
            case "bool":
                found = ct.BOOL
            case "seq" | "set" if not name.args:
                message = f"`{name.name}` has no element type"
                self._report.error(name.span, message, help=f"say of what: `{name.name}<int>`")
                return ct.UNKNOWN
            case "seq":
                found = ct.SeqT(self.type(name.args[0]))
            case "set":
                found = ct.SetT(self.type(name.args[0]))
            case "Object":
                found = ct.ClassT("Object")
            case _:
                if name.name not in self._names:
                    cure = self.similar_class(name.name)
                    cure = cure or f"declare it: `class {name.name} {{ ... }}`"
                    self._report.error(name.span, f"there is no class `{name.name}`", help=cure)
                    return ct.UNKNOWN
                found = ct.ClassT(name.name)
        if name.dimensions and isinstance(found, ct.SeqT | ct.SetT):
            message = f"there are no arrays of `{found}`"
            self._report.error(name.span, message, help="make a class that holds it")
        for _ in range(name.dimensions):
            found = ct.ArrayT(found)
        return found

    def field(self, type_: ct.CoolType, name: str) -> FieldInfo | None:
        info = self.classes.get(type_.name) if isinstance(type_, ct.ClassT) else None
        return None if info is None else info.fields.get(name)

    def method(self, type_: ct.CoolType, name: str) -> MethodInfo | None:
        info = self.classes.get(type_.name) if isinstance(type_, ct.ClassT) else None
        return None if info is None else info.methods.get(name)

    def is_predicate(self, name: str) -> bool:
        """Whether some class has a predicate of this name."""
        found = [info.methods.get(name) for info in self.classes.values()]
        return any(method is not None and method.kind == "predicate" for method in found)

    def core_field_type(self, name: str) -> core.Type:
        """The type of a field of the core, by its qualified name."""
        owner, _, field = name.rpartition(".")
        kinds: dict[str, core.Type] = {
            "int[]": core.INT,
            "bool[]": core.BOOL,
            "object[]": core.REF,
        }
        if owner.endswith("[]"):
            return core.SeqType(kinds.get(owner, core.REF))
        return ct.core_type(self.classes[owner].fields[field].type)

    def implementers(self, interface: str) -> list[ClassInfo]:
        return [c for c in self.classes.values() if interface in c.interfaces]

    def has_dispatch(self, type_: ct.CoolType) -> bool:
        """Whether objects of the type have to know their class.

        They do where others may be meant as well: the file has interfaces, or speaks of `Object`
        or of all objects of a class.
        """
        info = self.classes.get(type_.name) if isinstance(type_, ct.ClassT) else None
        return info is not None and not info.is_interface and self.knows_classes

    def numbers_of_class(self, type_: ct.CoolType) -> tuple[int, ...]:
        """The number of a class, where objects have to know theirs."""
        if not self.has_dispatch(type_):
            return ()
        assert isinstance(type_, ct.ClassT)
        return (self.classes[type_.name].number,)

    def numbers_of(self, type_: ct.CoolType) -> tuple[int, ...]:
        """The numbers of the classes that objects of a type may be of, where that matters.

        Of an interface that no class of the file implements, nothing is known: its classes may be
        in another file, and nobody wants a proof from there being none.
        """
        own = self.numbers_of_class(type_)
        if own or not isinstance(type_, ct.ClassT):
            return own
        return tuple([c.number for c in self.implementers(type_.name)])

    def known_of(self, type_: ct.CoolType) -> Known | None:
        """What a type tells about the classes of objects: of its own, or of its elements."""
        match type_:
            case ct.SeqT(element):
                inside = self.known_of(element)
                return None if inside is None else inside.within(SEQ)
            case ct.SetT(element):
                inside = self.known_of(element)
                return None if inside is None else inside.within(SET)
            case _:
                numbers = self.numbers_of(type_)
                return Known(numbers) if numbers else None

    @property
    def array_classes(self) -> tuple[str, ...]:
        """The classes and interfaces of whose arrays the types tell what is in them.

        A class `object` is none: the arrays of all others have the field that would be its own.
        """
        found = [name for name in self.classes if name in self.in_arrays and name != "object"]
        return tuple([name for name in found if self.known_of(ct.ClassT(name)) is not None])

    def elems_field(self, array: ct.ArrayT) -> str:
        """The field that holds the elements of an array."""
        return ct.elems_field(array, self.array_classes)

    @property
    def knows_classes(self) -> bool:
        return self.has_objects or bool(self._interfaces())

    def fits(self, given: ct.CoolType, wanted: ct.CoolType) -> bool:
        """Whether a value of one type may stand where another is wanted."""
        if given == wanted or {ct.NOTHING, ct.UNKNOWN} & {given, wanted}:
            return True
        match given, wanted:
            case (_, ct.ClassT("Object")):
                return given == ct.NULL or isinstance(given, ct.ClassT | ct.ArrayT)
            case (ct.ClassT(name), ct.ClassT(interface)):
                info = self.classes.get(name)
                return info is not None and interface in info.interfaces
            case _:
                return given == ct.NULL and isinstance(wanted, ct.ClassT | ct.ArrayT)

    def names(self, type_: ct.CoolType) -> Iterable[str]:
        info = self.classes.get(type_.name) if isinstance(type_, ct.ClassT) else None
        return () if info is None else (*info.fields, *info.methods)
