"""The C library of Z3 through ctypes: signatures, contexts, errors.

The library of the installed `z3-solver` wheel is used without importing its Python package, which
costs three times as much to load and twenty times as much per term. This file, `z3_terms`,
`z3_model` and `z3_backend` are one unit: no Z3 object leaves them.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Final

from pitviper.base.memory import keep_freed

_TYPES: Final[dict[str, Any]] = {
    "p": ctypes.c_void_p,
    "u": ctypes.c_uint,
    "i": ctypes.c_int,
    "l": ctypes.c_ulonglong,
    "s": ctypes.c_char_p,
    "b": ctypes.c_bool,
    "d": ctypes.c_double,
    "-": None,
}

_FAST: Final = """
mk_config p:            del_config -:p          set_param_value -:pss
global_param_set -:ss    get_estimated_alloc_size l:
del_context -:p         set_error_handler -:pp  get_error_msg s:pi      get_full_version s:
inc_ref -:pp            dec_ref -:pp            mk_string_symbol p:ps   mk_int_symbol p:pi
mk_int_sort p:p         mk_bool_sort p:p        mk_real_sort p:p        mk_uninterpreted_sort p:pp
mk_constructor p:pppuppp  del_constructor -:pp  mk_datatype p:ppup      query_constructor -:ppuppp
mk_func_decl p:ppupp    mk_app p:ppup           mk_const p:ppp          mk_true p:p
mk_false p:p            mk_numeral p:psp        mk_not p:pp             get_sort_kind u:pp
mk_eq p:ppp             mk_implies p:ppp        mk_ite p:pppp           mk_and p:pup
mk_or p:pup             mk_distinct p:pup       mk_add p:pup            mk_sub p:pup
mk_mul p:pup            mk_div p:ppp            mk_mod p:ppp            mk_lt p:ppp
mk_le p:ppp             mk_int2real p:pp        mk_pattern p:pup        substitute p:ppupp
mk_quantifier_const_ex p:pbuppupupupp           parse_smtlib2_string p:psuppupp
ast_vector_inc_ref -:pp  ast_vector_dec_ref -:pp  ast_vector_size u:pp  ast_vector_get p:ppu
get_sort p:pp           get_sort_name p:pp      get_symbol_string s:pp  get_ast_kind u:pp
get_app_decl p:pp       get_app_num_args u:pp   get_app_arg p:ppu
get_decl_name p:pp           get_bool_value i:pp     get_numeral_string s:pp
ast_to_string s:pp         get_ast_id u:pp
mk_array_sort_n p:pupp   mk_select_n p:ppup      mk_store_n p:ppupp
mk_params p:p           params_inc_ref -:pp     params_dec_ref -:pp     params_set_bool -:pppb
params_set_uint -:pppu  params_set_symbol -:pppp                        params_set_double -:pppd
solver_get_param_descrs p:pp                    param_descrs_get_kind u:ppp
param_descrs_inc_ref -:pp                       param_descrs_dec_ref -:pp
mk_simple_solver p:p    solver_inc_ref -:pp     solver_dec_ref -:pp     solver_set_params -:ppp
solver_get_reason_unknown s:pp                  solver_get_statistics p:pp
stats_inc_ref -:pp      stats_dec_ref -:pp      stats_size u:pp         stats_get_key s:ppu
stats_get_uint_value u:ppu
model_inc_ref -:pp      model_dec_ref -:pp      model_get_num_consts u:pp
model_get_const_decl p:ppu                      model_get_const_interp p:ppp
model_get_num_funcs u:pp                        model_get_func_decl p:ppu
model_get_func_interp p:ppp                     func_interp_inc_ref -:pp
func_interp_dec_ref -:pp                        func_interp_get_num_entries u:pp
func_interp_get_entry p:ppu                     func_interp_get_else p:pp
func_entry_inc_ref -:pp                         func_entry_dec_ref -:pp
func_entry_get_num_args u:pp                    func_entry_get_arg p:ppu
func_entry_get_value p:pp
"""
"""name result:arguments, without the prefix Z3_; calls that return at once keep the Python lock."""

_SLOW: Final = """
solver_check i:pp       interrupt -:p           solver_push -:pp        solver_pop -:ppu
solver_assert -:ppp     solver_get_model p:pp   model_eval b:pppbp
mk_context_rc p:p
"""
"""Calls that may take long, and let other threads run meanwhile: one of these ends us in time."""

_MEMOUT: Final = 7
"""Z3_MEMOUT_FAIL."""

ErrorHandler: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int)


class SolverError(Exception):
    """The solver library refused a call: a bug of ours, or a broken installation."""


class OutOfMemory(SolverError, MemoryError):
    """The solver needs more memory than it may have: no answer, and nobody's mistake."""

    def __init__(self) -> None:
        super().__init__(f"the solver needs more memory than {_told[0]} MB")


class Library:
    """Every function of the tables above as an attribute."""

    def __init__(self, path: FilePath) -> None:
        for loader, table in (ctypes.PyDLL, _FAST), (ctypes.CDLL, _SLOW):
            loaded = loader(str(path))
            words = iter(table.split())
            for name, signature in zip(words, words, strict=True):
                function = loaded[f"Z3_{name}"]
                result, _, arguments = signature.partition(":")
                function.restype = _TYPES[result]
                function.argtypes = [_TYPES[code] for code in arguments]
                setattr(self, name, function)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Callable[..., Any]: ...


@cache
def library() -> Library:
    """The library inside the installed wheel; loaded once per process."""
    loaded = Library(library_path())
    _limit(loaded, usual_memory())
    keep_freed()
    return loaded


MOST_MEMORY: Final = 8192
"""Megabytes that the solver of a process may have, where nobody says otherwise."""

_memory = [MOST_MEMORY]
"""What they may have before questions end."""

_told = [MOST_MEMORY]
"""What is said of that: the limit as somebody gave it."""


def usual_memory() -> int:
    """Half of what the machine has, and not more than is good for it; in megabytes."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    except (AttributeError, ValueError, OSError):
        return MOST_MEMORY
    return max(256, min(MOST_MEMORY, whole // 2))


_limited = [False]
"""Whether somebody has said what they may have."""


def is_memory_limited() -> bool:
    """Whether solvers have a limit that was given, and not only the one of every process."""
    return _limited[0]


def limit_solver_memory(megabytes: int) -> None:
    """What all solvers of this process together may have from now on."""
    _limited[0] = True
    _limit(library(), megabytes)


def limit_with_solver(megabytes: int) -> None:
    """The same in a worker that may have so much of its own: questions end at half of it.

    Z3 looks at its limit now and then, and tables double. What exceeds the whole may end it. What
    solvers of the parent had is counted by Z3, too, and belongs to nobody here.
    """
    loaded, _limited[0] = library(), True
    inherited = loaded.get_estimated_alloc_size() >> 20
    _limit(loaded, inherited + max(1, megabytes // 2), inherited + megabytes)
    _told[0] = megabytes


def is_memory_used_up() -> bool:
    """Whether the solvers of this process have all that they may: they then just give up."""
    used: int = library().get_estimated_alloc_size()
    return used >= _memory[0] << 20


def _limit(loaded: Library, megabytes: int, most: int | None = None) -> None:
    """A question ends at the limit; a single step that needs `most` ends with an error."""
    _memory[0], _told[0] = megabytes, most or megabytes
    for name, size in (
        (b"memory_high_watermark_mb", megabytes),
        (b"memory_max_size", most or megabytes + megabytes // 4),
    ):
        loaded.global_param_set(name, str(size).encode())


def library_path() -> FilePath:
    spec = find_spec("z3")
    if spec is None or spec.origin is None:
        raise SolverError("the package z3-solver is not installed")
    name = {"win32": "libz3.dll", "darwin": "libz3.dylib"}.get(sys.platform, "libz3.so")
    return FilePath(spec.origin).parent / "lib" / name


def version() -> str:
    """The version of the solver, for cache keys and reports."""
    return text(library().get_full_version())


def text(raw: bytes | None) -> str:
    """A string that the library returned."""
    return "" if raw is None else raw.decode("utf-8", "replace")


def own_array(handles: Sequence[int | None]) -> Any:
    """The handles for a call, in memory of their own."""
    return (ctypes.c_void_p * len(handles))(*handles)


class Z3Context:
    """A Z3 context: its own terms and symbols, reference counts kept by us.

    NOTE(reference counts). A context with automatic counts (Z3_mk_context) keeps every term until
    the context is deleted; measured it saves 0.15 of 1.0 microseconds per term. We count ourselves,
    so a long member does not keep every goal it ever asked.

    NOTE(solver errors). The handler only takes a note: without one Z3 ends the process. Calls that
    build return NULL on an error, so hot code tests its result; all other code uses `checked`.
    """

    def __init__(self, settings: Mapping[str, str]) -> None:
        self.lib: Final = library()
        self._inc_ref = self.lib.inc_ref
        self._errors: list[int] = []
        self._solver: tuple[dict[str, str], int] | None = None
        self.starved = False
        """Whether there was no memory for a call: parts may be half made, no other one is safe."""
        self._arrays: dict[int, Any] = {}
        errors = self._errors
        self._handler = ErrorHandler(lambda _, code: errors.append(code))
        config = self.lib.mk_config()
        for name, value in settings.items():
            self.lib.set_param_value(config, name.encode(), value.encode())
        self.pointer: int | None = self.lib.mk_context_rc(config)
        self.lib.del_config(config)
        if self.pointer is None:
            raise SolverError("no context")
        self.lib.set_error_handler(self.pointer, self._handler)

    def checked(self, result: Any = None) -> Any:
        """The result of a call that may have failed."""
        if self._errors:
            raise self.error()
        return result

    def error(self) -> SolverError:
        """What went wrong in the last call."""
        code = self._errors[0] if self._errors else 0
        self._errors.clear()
        if code == _MEMOUT or self.starved:
            self.starved = True
            return OutOfMemory()
        return SolverError(text(self.lib.get_error_msg(self.pointer, code)))

    def symbol(self, name: str) -> int | None:
        """A name; that of nothing is NULL."""
        made: int | None = self.lib.mk_string_symbol(self.pointer, name.encode())
        return made

    def keep(self, handle: int | None) -> int:
        """A new term, sort or declaration, with a reference of ours."""
        if handle is None:
            raise self.error()
        self._inc_ref(self.pointer, handle)
        return handle

    def array(self, handles: list[int | None]) -> Any:
        """The handles for a call; the next array of the same size overwrites this one."""
        size = len(handles)
        array = self._arrays.get(size)
        if array is None:
            array = self._arrays[size] = own_array(handles)
        else:
            array[:] = handles
        return array

    def keep_solver(self, settings: Mapping[str, str], solver: int) -> None:
        """A solver in which nothing was done, for the first who wants one with these settings."""
        self._solver = dict(settings), solver

    def take_solver(self, settings: Mapping[str, str]) -> int | None:
        if self._solver is None or self._solver[0] != settings:
            return None
        (_, solver), self._solver = self._solver, None
        return solver

    def close(self) -> None:
        """Free everything; the context cannot be used afterwards."""
        if self.pointer is not None:
            if self._solver is not None:
                self.lib.solver_dec_ref(self.pointer, self._solver[1])
                self._solver = None
            self.lib.del_context(self.pointer)
            self.pointer = None
