"""Function symbols: the heads of applications."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias, final
from weakref import WeakValueDictionary, ref

from pitviper.terms.sort import SolverTextError, Sort, SortError, SortKind, TermError, is_balanced

if TYPE_CHECKING:
    from pitviper.terms.term import App, Term

Args: TypeAlias = "tuple[Term, ...]"
Table: TypeAlias = "dict[Args, ref[App]]"
Signature: TypeAlias = "Callable[[Args], Sort | None]"


class FunctionKind(Enum):
    DECLARED = "uninterpreted; a constant if it has no arguments"
    TEXT = "known to the solver, given as SMT-LIB text"
    CONSTRUCTOR = "constructor of a data type"
    SELECTOR = "field of a constructor"

    __hash__ = object.__hash__  # part of the key of every symbol; that of Enum is slow


@final
class Operator:
    """A symbol of the logic itself, such as `and` or `+`; made once each, in `operators`.

    `signature` gives the sort of an application, or None where the arguments do not fit.
    """

    __slots__ = ("name", "signature", "terms", "unsimplified")

    def __init__(self, name: str, signature: Signature) -> None:
        self.name: Final = name
        self.signature: Final = signature
        self.terms: Final[Table] = {}
        self.unsimplified: Final[Table] = {}

    def result_sort(self, args: Args) -> Sort:
        sort = self.signature(args)
        if sort is None:
            raise SortError(f"{self.name} applied to {_sorts(args)}")
        return sort

    def __repr__(self) -> str:
        return f"<operator {self.name}>"


@final
class Function:
    """A symbol with fixed sorts; `undoes` names the function whose inverse it is.

    Built only by the functions below, so `is` is equality.
    """

    __slots__ = (
        "__weakref__", "domain", "kind", "name", "range", "terms", "undoes", "unsimplified",
    )  # fmt: skip

    def __init__(self, key: _Key) -> None:
        name, domain, range_, kind, undoes = key
        self.name: Final = name
        self.domain: Final = domain
        self.range: Final = range_
        self.kind: Final = kind
        self.undoes: Final = undoes
        self.terms: Final[Table] = {}
        self.unsimplified: Final[Table] = {}

    def result_sort(self, args: Args) -> Sort:
        domain = self.domain
        if len(args) != len(domain):
            raise SortError(f"{self.name} takes {len(domain)} arguments, not {len(args)}")
        for arg, sort in zip(args, domain, strict=True):
            if arg.sort is not sort:
                raise SortError(f"{self!r} applied to {_sorts(args)}")
        return self.range

    def __repr__(self) -> str:
        return f"<{self.name}: {', '.join(map(str, self.domain))} -> {self.range}>"

    def __reduce__(self) -> str:
        raise TypeError("sorts and terms stay in their process: send plain data")


Symbol: TypeAlias = Operator | Function

_Key: TypeAlias = tuple[str, tuple[Sort, ...], Sort, FunctionKind, Function | None]
_interned: WeakValueDictionary[_Key, Function] = WeakValueDictionary()


def _intern(key: _Key) -> Function:
    found = _interned.get(key)
    return found if found is not None else _interned.setdefault(key, Function(key))


def function(
    name: str, domain: tuple[Sort, ...], range_: Sort, *, undoes: Function | None = None
) -> Function:
    """An uninterpreted function; `undoes=f` promises that it maps f(x) to x."""
    return _intern((name, domain, range_, FunctionKind.DECLARED, undoes))


def solver_function(text: str, domain: tuple[Sort, ...], range_: Sort) -> Function:
    """A function of the solver; `text` is what stands before the arguments: `(_ int2bv 32)`."""
    text = " ".join(text.split())
    if not is_balanced(text):
        raise SolverTextError(f"not an SMT-LIB function: {text}")
    return _intern((text, domain, range_, FunctionKind.TEXT, None))


def constructor(sort: Sort, name: str) -> Function:
    """The constructor of a data type that has this name."""
    for candidate in sort.constructors:
        if candidate.name == name:
            fields = tuple(field or sort for _, field in candidate.fields)
            return _intern((name, fields, sort, FunctionKind.CONSTRUCTOR, None))
    raise TermError(f"{sort} has no constructor {name}")


def selector(sort: Sort, name: str) -> Function:
    """The field of a data type that has this name; on other constructors its value is open."""
    if sort.kind is SortKind.DATATYPE:
        for candidate in sort.constructors:
            for field_name, field in candidate.fields:
                if field_name == name:
                    return _intern((name, (sort,), field or sort, FunctionKind.SELECTOR, None))
    raise TermError(f"{sort} has no field {name}")


def _sorts(args: Args) -> str:
    return f"({', '.join(str(a.sort) for a in args)})"
