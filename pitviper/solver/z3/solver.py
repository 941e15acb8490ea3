"""One Z3 solver object: scopes, assertions, checks under a limit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from threading import Lock
from time import perf_counter
from typing import Final, TypeAlias

from pitviper.solver.session import Statistics
from pitviper.solver.z3.library import SolverError, Z3Context, text
from pitviper.solver.z3.terms import Z3Terms
from pitviper.terms.term import Term

UNSAT: Final = -1
UNKNOWN: Final = 0
MAX_LIMIT: Final = 2**32 - 1

OptionValue: TypeAlias = bool | int | float | str

DEEP: Final = "1000"
"""How long a chain of instances of quantifiers may become where that is wanted: NOTE(deep)."""

_EAGER: Final = "smt.qi.eager_threshold"

_making: Final = Lock()
"""The library reads how eager a solver is from its global options, when the solver is made."""

_kinds: dict[str, int] = {}
"""The kind of each option that was ever set, a Z3_param_kind: it belongs to the library."""


class Z3Solver:
    """A `Sink` for scopes; asking is `check`, after which `reason` and `take_model` describe it."""

    def __init__(
        self,
        context: Z3Context,
        terms: Z3Terms,
        statistics: Statistics,
        settings: Mapping[str, str],
        *,
        deep: bool = False,
    ) -> None:
        self._z3 = context
        self._terms = terms
        self._statistics = statistics
        self._limit = 0
        ready = None if deep else context.take_solver(settings)
        self.pointer: Final = new_solver(context, settings, deep=deep) if ready is None else ready

    @property
    def context(self) -> Z3Context:
        return self._z3

    def push(self) -> None:
        self._statistics.pushes += 1
        self._z3.checked(self._z3.lib.solver_push(self._z3.pointer, self.pointer))

    def pop(self, count: int) -> None:
        self._statistics.pops += count
        self._z3.checked(self._z3.lib.solver_pop(self._z3.pointer, self.pointer, count))

    def add(self, fact: Term) -> None:
        self._statistics.assertions += 1
        z3, handle = self._z3, self._terms.handle(fact)
        z3.checked(z3.lib.solver_assert(z3.pointer, self.pointer, handle))

    def check(self, limit: int) -> int:
        """UNSAT, UNKNOWN, or positive for satisfiable; a limit of 0 is none."""
        if limit != self._limit:
            self._set_limit(limit)
        start = perf_counter()
        result = self._z3.checked(self._z3.lib.solver_check(self._z3.pointer, self.pointer))
        self._statistics.seconds += perf_counter() - start
        return int(result)

    def reason(self) -> str:
        """Why the last check ended with UNKNOWN."""
        return text(self._z3.lib.solver_get_reason_unknown(self._z3.pointer, self.pointer))

    def take_model(self) -> int | None:
        """The model of the last check, to be given back with `model_dec_ref`; None without one."""
        z3 = self._z3
        try:
            model: int = z3.checked(z3.lib.solver_get_model(z3.pointer, self.pointer))
        except SolverError:
            return None  # Z3 says "there is no current model" as an error
        z3.lib.model_inc_ref(z3.pointer, model)
        return model

    def resources(self) -> int:
        """What limits count, since the context was made."""
        return self._counted(b"rlimit count")

    def _counted(self, what: bytes) -> int:
        lib, pointer = self._z3.lib, self._z3.pointer
        numbers = lib.solver_get_statistics(pointer, self.pointer)
        lib.stats_inc_ref(pointer, numbers)
        keys = [
            lib.stats_get_key(pointer, numbers, i) for i in range(lib.stats_size(pointer, numbers))
        ]
        used = 0
        if what in keys:
            used = lib.stats_get_uint_value(pointer, numbers, keys.index(what))
        lib.stats_dec_ref(pointer, numbers)
        return used

    def missed(self) -> bool:
        """Whether instances of quantifiers were left out because their chains are too long."""
        return self._counted(b"missed quant instantiations") > 0

    def close(self) -> None:
        self._z3.lib.solver_dec_ref(self._z3.pointer, self.pointer)

    def _set_limit(self, limit: int) -> None:
        """Apart from `configure`, because limits change with almost every query."""
        require_limit(limit)
        lib, pointer = self._z3.lib, self._z3.pointer
        params = lib.mk_params(pointer)
        lib.params_inc_ref(pointer, params)
        lib.params_set_uint(pointer, params, self._z3.symbol("rlimit"), limit)
        lib.solver_set_params(pointer, self.pointer, params)
        lib.params_dec_ref(pointer, params)
        self._limit = limit


def new_solver(context: Z3Context, settings: Mapping[str, str], *, deep: bool = False) -> int:
    """A solver with options of its own, to be given back with `solver_dec_ref`."""
    lib, pointer = context.lib, context.pointer
    made: int = context.checked(lib.mk_simple_solver(pointer))
    lib.solver_inc_ref(pointer, made)
    with _making:
        lib.global_param_set(_EAGER.encode(), (DEEP if deep else settings[_EAGER]).encode())
        _configure(context, made, settings)
    return made


def _configure(z3: Z3Context, solver: int, settings: Mapping[str, str]) -> None:
    """Set options of the solver, in the notation of its command line."""
    if not _kinds.keys() >= settings.keys():
        _find_kinds(z3, solver, settings)
    params = z3.lib.mk_params(z3.pointer)
    z3.lib.params_inc_ref(z3.pointer, params)
    for name, value in settings.items():
        key = z3.symbol(name.removeprefix("smt."))
        _set(z3, params, key, _option_value(_kinds[name], name, value))
    z3.lib.solver_set_params(z3.pointer, solver, params)
    z3.lib.params_dec_ref(z3.pointer, params)
    z3.checked()


def _find_kinds(z3: Z3Context, solver: int, names: Iterable[str]) -> None:
    """Asking for the descriptions of all options takes longer than all else here."""
    known = z3.lib.solver_get_param_descrs(z3.pointer, solver)
    z3.lib.param_descrs_inc_ref(z3.pointer, known)
    for name in names:
        key = z3.symbol(name.removeprefix("smt."))
        _kinds[name] = z3.lib.param_descrs_get_kind(z3.pointer, known, key)
    z3.lib.param_descrs_dec_ref(z3.pointer, known)


def _set(z3: Z3Context, params: int, key: int | None, value: OptionValue) -> None:
    lib, pointer = z3.lib, z3.pointer
    match value:
        case bool():
            lib.params_set_bool(pointer, params, key, value)
        case int():
            lib.params_set_uint(pointer, params, key, value)
        case float():
            lib.params_set_double(pointer, params, key, value)
        case str():
            lib.params_set_symbol(pointer, params, key, z3.symbol(value))


def require_limit(limit: int) -> None:
    """The library would cut off what it cannot count to."""
    if not 0 <= limit <= MAX_LIMIT:
        raise SolverError(f"a limit of {limit} resources")


class OptionError(SolverError):
    """A solver option that does not exist or has another type: a mistake of the user."""


def _option_value(kind: int, name: str, text_value: str) -> OptionValue:
    """The value of an option; `kind` is a Z3_param_kind."""
    try:
        match kind:
            case 0:
                return int(text_value)
            case 1:
                return {"true": True, "false": False}[text_value]
            case 2:
                return float(text_value)
            case 3 | 4:
                return text_value
    except (ValueError, KeyError):
        raise OptionError(f"{text_value} is no value for the solver option {name}") from None
    raise OptionError(f"the solver has no option {name}")
