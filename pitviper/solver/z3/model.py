"""A model of Z3 as plain data."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from pitviper.solver.model import Element, FunctionTable, Model, Structure, Text, Value
from pitviper.solver.z3.library import Z3Context, text
from pitviper.solver.z3.symbols import Z3Symbols
from pitviper.solver.z3.terms import Z3Terms
from pitviper.terms.sort import INT
from pitviper.terms.symbol import Function
from pitviper.terms.term import App

_NUMERAL, _APPLICATION = 0, 1  # Z3_ast_kind
_UNINTERPRETED, _BOOL, _INT, _REAL, _ARRAY, _DATATYPE = 0, 1, 2, 3, 5, 6  # Z3_sort_kind


class ModelReader:
    """Reads the values of declared symbols; helper symbols of the solver are left out."""

    def __init__(self, context: Z3Context, symbols: Z3Symbols, model: int) -> None:
        self._z3: Final = context
        self._symbols: Final = symbols
        self._model: Final = model

    def read(self) -> Model:
        lib, pointer, model = self._z3.lib, self._z3.pointer, self._model
        constants: dict[Function, Value] = {}
        for index in range(lib.model_get_num_consts(pointer, model)):
            declaration = lib.model_get_const_decl(pointer, model, index)
            symbol = self._symbols.declared.get(declaration)
            if symbol is not None:
                handle = lib.model_get_const_interp(pointer, model, declaration)
                is_number = symbol.range is INT
                constants[symbol] = self._integer(handle) if is_number else self._value(handle)
        functions: dict[Function, FunctionTable] = {}
        for index in range(lib.model_get_num_funcs(pointer, model)):
            declaration = lib.model_get_func_decl(pointer, model, index)
            symbol = self._symbols.declared.get(declaration)
            if symbol is not None:
                functions[symbol] = self._table(declaration)
        self._z3.checked()
        return Model(constants, functions)

    def with_values(self, model: Model, terms: Z3Terms, applications: Sequence[App]) -> Model:
        """The model with entries for these applications, which are evaluated in it.

        The tables of a model of quantifiers may be computed by helper functions.
        """
        entries: dict[Function, dict[tuple[Value, ...], Value]] = {}
        for app in applications:
            assert isinstance(app.symbol, Function)
            values = [self._evaluated(terms.handle(term)) for term in (*app.args, app)]
            entries.setdefault(app.symbol, {})[tuple(values[:-1])] = values[-1]
        functions = dict(model.functions)
        for symbol, known in entries.items():
            table = functions.get(symbol, FunctionTable({}))
            functions[symbol] = FunctionTable({**table.entries, **known}, table.default)
        return Model(model.constants, functions)

    def _evaluated(self, handle: int) -> Value:
        out = ctypes.c_void_p()
        lib, pointer = self._z3.lib, self._z3.pointer
        lib.model_eval(pointer, self._model, handle, True, ctypes.addressof(out))  # noqa: FBT003
        return self._value(self._z3.checked(out.value))

    def _table(self, declaration: int) -> FunctionTable:
        lib, pointer = self._z3.lib, self._z3.pointer
        table = self._z3.checked(lib.model_get_func_interp(pointer, self._model, declaration))
        lib.func_interp_inc_ref(pointer, table)
        entries: dict[tuple[Value, ...], Value] = {}
        for index in range(lib.func_interp_get_num_entries(pointer, table)):
            entry = lib.func_interp_get_entry(pointer, table, index)
            lib.func_entry_inc_ref(pointer, entry)
            count = lib.func_entry_get_num_args(pointer, entry)
            args = [self._value(lib.func_entry_get_arg(pointer, entry, i)) for i in range(count)]
            entries[tuple(args)] = self._value(lib.func_entry_get_value(pointer, entry))
            lib.func_entry_dec_ref(pointer, entry)
        other = lib.func_interp_get_else(pointer, table)
        default = self._value(other) if other is not None else None
        lib.func_interp_dec_ref(pointer, table)
        return FunctionTable(entries, default)

    def _integer(self, handle: int) -> Value:
        """The short way for most values; the model holds what is looked at."""
        lib, pointer = self._z3.lib, self._z3.pointer
        if lib.get_ast_kind(pointer, handle) != _NUMERAL:
            return self._value(handle)
        return int(lib.get_numeral_string(pointer, handle))

    def _value(self, handle: int) -> Value:
        """Data types nest as deep as the snapshots of a program: recursion is enough."""
        lib, pointer = self._z3.lib, self._z3.pointer
        lib.inc_ref(pointer, handle)
        sort = lib.get_sort(pointer, handle)
        kind = lib.get_sort_kind(pointer, sort)
        is_application = lib.get_ast_kind(pointer, handle) == _APPLICATION
        value: Value
        if kind == _BOOL and lib.get_bool_value(pointer, handle) != 0:
            value = lib.get_bool_value(pointer, handle) > 0
        elif kind in (_INT, _REAL) and lib.get_ast_kind(pointer, handle) == _NUMERAL:
            number = Fraction(text(lib.get_numeral_string(pointer, handle)))
            value = int(number) if kind == _INT else number
        elif kind == _DATATYPE and is_application:
            value = Structure(self._name(handle), tuple(map(self._value, self._args(handle))))
        elif kind == _UNINTERPRETED and is_application:
            sort_name = text(lib.get_symbol_string(pointer, lib.get_sort_name(pointer, sort)))
            value = Element(self._symbols.by_sort_name[sort_name], self._name(handle))
        elif kind == _ARRAY:  # its text would have every element, and theirs
            value = Text(f"array!{lib.get_ast_id(pointer, handle)}")
        else:
            value = Text(text(lib.ast_to_string(pointer, handle)))
        lib.dec_ref(pointer, handle)
        return value

    def _args(self, handle: int) -> list[int]:
        lib, pointer = self._z3.lib, self._z3.pointer
        count = lib.get_app_num_args(pointer, handle)
        return [lib.get_app_arg(pointer, handle, index) for index in range(count)]

    def _name(self, handle: int) -> str:
        lib, pointer = self._z3.lib, self._z3.pointer
        symbol = lib.get_decl_name(pointer, lib.get_app_decl(pointer, handle))
        return text(lib.get_symbol_string(pointer, symbol))
