"""Our sorts and function symbols as Z3 sorts and declarations."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Final

from pitviper.base.record import record
from pitviper.solver.z3.library import SolverError, Z3Context, own_array
from pitviper.terms.sort import Constructor, SolverTextError, Sort, SortKind
from pitviper.terms.symbol import Function, FunctionKind
from pitviper.terms.term import Var

_PLACES: Final = 1 << 29
"""The names of variables by their places begin here; those of other variables count from 0."""


@record
class _Template:
    """A solver function that is no plain declaration: a term in which arguments are put."""

    body: int
    holes: tuple[int, ...]


class Z3Symbols:
    """Declares each sort and symbol on first use; they live as long as the context.

    NOTE(bound variables). A variable becomes a constant that Z3 abstracts over when the quantifier
    is made, so terms under a quantifier are translated once wherever they occur. Its name is a
    number: declared symbols have texts as names, so no variable captures a constant.
    """

    def __init__(self, context: Z3Context) -> None:
        self._context = context
        self._mk_app: Callable[..., int | None] = context.lib.mk_app
        self._sorts: dict[Sort, int] = {}
        self._functions: dict[Function, int | _Template] = {}
        self._members: dict[tuple[Sort, str], int] = {}
        self._variables: dict[Var, int] = {}
        self._places: dict[tuple[int, Sort], int] = {}
        self._new: list[Function] = []
        self.declared: dict[int, Function] = {}
        self.by_sort_name: dict[str, Sort] = {}

    def sort(self, sort: Sort) -> int:
        handle = self._sorts.get(sort)
        if handle is None:
            handle = self._sorts[sort] = self._context.keep(self._new_sort(sort))
            self.by_sort_name[sort.name] = sort
        return handle

    def apply(self, symbol: Function, args: list[int | None]) -> int | None:
        """The application; None after an error."""
        found = self._functions.get(symbol)
        if found is None:
            found = self._functions[symbol] = self._new_function(symbol)
            self._new.append(symbol)
        z3 = self._context
        if isinstance(found, int):
            return self._mk_app(z3.pointer, found, len(args), z3.array(args) if args else None)
        holes, values = own_array(found.holes), own_array(args)
        made: int | None = z3.lib.substitute(z3.pointer, found.body, len(args), holes, values)
        return made

    def bound(self, variable: Var) -> int:
        """The constant that stands for a bound variable."""
        handle = self._variables.get(variable)
        if handle is None:
            z3 = self._context
            name = z3.lib.mk_int_symbol(z3.pointer, len(self._variables))
            handle = z3.keep(z3.lib.mk_const(z3.pointer, name, self.sort(variable.sort)))
            self._variables[variable] = handle
        return handle

    def place(self, index: int, sort: Sort) -> int:
        """The constant that stands for the variable of a quantifier at an index."""
        handle = self._places.get((index, sort))
        if handle is None:
            z3 = self._context
            name = z3.lib.mk_int_symbol(z3.pointer, _PLACES + index)
            handle = z3.keep(z3.lib.mk_const(z3.pointer, name, self.sort(sort)))
            self._places[index, sort] = handle
        return handle

    def known(self) -> tuple[Function, ...]:
        """All symbols that were applied so far."""
        self._new.clear()
        return tuple(self._functions)

    def take_new(self) -> list[Function]:
        """The symbols that were applied for the first time since this was asked last."""
        if not self._new:
            return self._new
        new, self._new = self._new, []
        return new

    def close(self) -> None:
        """Give everything back; parts of data types are among the members."""
        tables = (self._variables, self._places, self._sorts, self._members)
        kept = [handle for table in tables for handle in table.values()]
        for symbol, found in self._functions.items():
            if not isinstance(found, int):
                kept += (found.body, *found.holes)
            elif symbol.kind is FunctionKind.DECLARED:
                kept.append(found)
        dec_ref, pointer = self._context.lib.dec_ref, self._context.pointer
        for handle in kept:
            dec_ref(pointer, handle)
        for table in (*tables, self._functions):
            table.clear()

    def _new_sort(self, sort: Sort) -> int | None:
        lib, pointer = self._context.lib, self._context.pointer
        made: int | None
        match sort.kind:
            case SortKind.INT:
                made = lib.mk_int_sort(pointer)
            case SortKind.BOOL:
                made = lib.mk_bool_sort(pointer)
            case SortKind.REAL:
                made = lib.mk_real_sort(pointer)
            case SortKind.FREE:
                made = lib.mk_uninterpreted_sort(pointer, self._context.symbol(sort.name))
            case SortKind.DATATYPE:
                made = self._new_datatype(sort)
            case SortKind.ARRAY:
                *domain, range_ = [self.sort(part) for part in sort.parts]
                made = lib.mk_array_sort_n(pointer, len(domain), own_array(domain), range_)
            case SortKind.TEXT:
                equation = self._parse(f"(declare-const x {sort.name})(assert (= x x))", {})
                made = lib.get_sort(pointer, lib.get_app_arg(pointer, equation, 0))
        return made

    def _new_function(self, symbol: Function) -> int | _Template:
        match symbol.kind:
            case FunctionKind.DECLARED:
                return self._declare(symbol.name, symbol)
            case FunctionKind.CONSTRUCTOR:
                self.sort(symbol.range)
                return self._members[symbol.range, symbol.name]
            case FunctionKind.SELECTOR:
                self.sort(symbol.domain[0])
                return self._members[symbol.domain[0], symbol.name]
            case FunctionKind.TEXT:
                return self._interpreted(symbol)

    def _declare(self, name: str, symbol: Function) -> int:
        domain = own_array([self.sort(sort) for sort in symbol.domain])
        z3, range_ = self._context, self.sort(symbol.range)
        handle = z3.keep(
            z3.lib.mk_func_decl(z3.pointer, z3.symbol(name), len(domain), domain, range_)
        )
        self.declared[handle] = symbol
        return handle

    def _new_datatype(self, sort: Sort) -> int:
        z3 = self._context
        constructors = [self._new_constructor(sort, c) for c in sort.constructors]
        array = own_array(constructors)
        name = z3.symbol(sort.name)
        made = z3.checked(z3.lib.mk_datatype(z3.pointer, name, len(constructors), array))
        for candidate, handle in zip(sort.constructors, constructors, strict=True):
            size = len(candidate.fields)
            build, test = ctypes.c_void_p(), ctypes.c_void_p()
            fields = own_array([0] * size)
            references = ctypes.byref(build), ctypes.byref(test), fields
            z3.checked(z3.lib.query_constructor(z3.pointer, handle, size, *references))
            self._members[sort, candidate.name] = z3.keep(build.value)
            for (field, _), accessor in zip(candidate.fields, fields, strict=True):
                self._members[sort, field] = z3.keep(accessor)
            z3.lib.del_constructor(z3.pointer, handle)
        return int(made)

    def _new_constructor(self, sort: Sort, constructor: Constructor) -> int:
        z3 = self._context
        names = own_array([z3.symbol(name) for name, _ in constructor.fields])
        sorts = own_array([self.sort(s) if s is not None else 0 for _, s in constructor.fields])
        itself = (ctypes.c_uint * len(sorts))()
        name, test = z3.symbol(constructor.name), z3.symbol(f"is-{constructor.name}")
        made = z3.lib.mk_constructor(z3.pointer, name, test, len(sorts), names, sorts, itself)
        return int(z3.checked(made))

    def _interpreted(self, symbol: Function) -> int | _Template:
        """What the text means for arguments of these sorts, found by letting Z3 parse it."""
        names = [f"x!{position}" for position in range(len(symbol.domain))]
        constants = {
            name: Function((name, (), sort, FunctionKind.DECLARED, None))
            for name, sort in zip((*names, "y!"), (*symbol.domain, symbol.range), strict=True)
        }
        head = f"({symbol.name} {' '.join(names)})" if names else symbol.name
        z3 = self._context
        equation = self._parse(f"(assert (= {head} y!))", constants)
        body = z3.keep(z3.lib.get_app_arg(z3.pointer, equation, 0))
        holes = tuple(self._constant(constants[name]) for name in names)
        return _Template(body, holes)

    def _constant(self, symbol: Function) -> int:
        z3 = self._context
        return z3.keep(z3.lib.mk_const(z3.pointer, z3.symbol(symbol.name), self.sort(symbol.range)))

    def _parse(self, script: str, constants: dict[str, Function]) -> int:
        """The only assertion of a script, in which the constants are declared."""
        z3 = self._context
        names = own_array([z3.symbol(name) for name in constants])
        handles = [self._declare(name, symbol) for name, symbol in constants.items()]
        for handle in handles:
            del self.declared[handle]
        try:
            vector = z3.checked(
                z3.lib.parse_smtlib2_string(
                    z3.pointer, script.encode(), 0, None, None, len(names), names,
                    own_array(handles),
                )
            )  # fmt: skip
        except SolverError as error:
            raise SolverTextError(f"{error} in {script}") from error
        z3.lib.ast_vector_inc_ref(z3.pointer, vector)
        size = z3.lib.ast_vector_size(z3.pointer, vector)
        formula = z3.keep(z3.lib.ast_vector_get(z3.pointer, vector, 0)) if size == 1 else None
        z3.lib.ast_vector_dec_ref(z3.pointer, vector)
        if formula is None:
            raise SolverTextError(f"not one formula: {script}")
        return formula
