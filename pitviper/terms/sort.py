"""Sorts of the logic: equal sorts are one object."""

from __future__ import annotations

from enum import Enum
from weakref import WeakValueDictionary

from pitviper.base.record import record
from pitviper.base.usage_error import UsageError


class TermError(Exception):
    """A term that the logic does not allow: a bug of whoever builds it, never of a user."""


class SortError(TermError):
    """An operation applied to arguments of the wrong sorts."""


class SolverTextError(TermError, UsageError):
    """SMT-LIB text of an interpreted domain that no solver reads: a mistake of the user."""


class SortKind(Enum):
    INT = "integers"
    BOOL = "truth values"
    REAL = "rational numbers"
    FREE = "an uninterpreted sort"
    DATATYPE = "an algebraic data type"
    ARRAY = "total maps from tuples of values to values"
    TEXT = "a sort the solver knows, given as SMT-LIB text"


@record
class Constructor:
    """One constructor of a data type; a field of sort None has the data type itself as its sort."""

    name: str
    fields: tuple[tuple[str, Sort | None], ...] = ()


@record(eq=False, weakref_slot=True)
class Sort:
    """Built only by the functions below, so `is` is equality. `name` is the text of a TEXT sort.

    `parts` are the sorts of an array's indices, then that of its values.
    """

    kind: SortKind
    name: str
    constructors: tuple[Constructor, ...] = ()
    parts: tuple[Sort, ...] = ()

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<sort {self.name}>"

    def __reduce__(self) -> str:
        raise TypeError("sorts and terms stay in their process: send plain data")


_Key = tuple[SortKind, str, tuple[Constructor, ...], tuple["Sort", ...]]
_interned: WeakValueDictionary[_Key, Sort] = WeakValueDictionary()


def _intern(
    kind: SortKind,
    name: str,
    constructors: tuple[Constructor, ...] = (),
    parts: tuple[Sort, ...] = (),
) -> Sort:
    key = (kind, name, constructors, parts)
    found = _interned.get(key)
    return found if found is not None else _interned.setdefault(key, Sort(*key))


def uninterpreted(name: str) -> Sort:
    """A sort without structure: Ref, Seq<Int>, a domain instance, a field map."""
    return _intern(SortKind.FREE, name)


def datatype(name: str, *constructors: Constructor) -> Sort:
    """A freely generated sort; constructors and fields have names of their own."""
    return _intern(SortKind.DATATYPE, name, constructors)


def array(domain: tuple[Sort, ...], range_: Sort) -> Sort:
    """Total maps from one or more indices to a value; two maps with the same values are equal."""
    if not domain:
        raise SortError("an array without an index")
    name = f"[{', '.join(map(str, domain))}]{range_}"
    return _intern(SortKind.ARRAY, name, (), (*domain, range_))


def solver_sort(text: str) -> Sort:
    """The sort behind an interpreted domain, such as `(_ BitVec 32)`."""
    text = " ".join(text.split())
    if text in _BUILT_IN:
        return _BUILT_IN[text]
    if not is_balanced(text):
        raise SolverTextError(f"not an SMT-LIB sort: {text}")
    return _intern(SortKind.TEXT, text)


def is_balanced(text: str) -> bool:
    """Whether SMT-LIB text is complete: it can neither close nor comment out what follows."""
    depth = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth < 0 or character in ';|"':
            return False
    return depth == 0 and bool(text.strip())


INT = _intern(SortKind.INT, "Int")
BOOL = _intern(SortKind.BOOL, "Bool")
REAL = _intern(SortKind.REAL, "Real")
PERM = REAL
"""Permission amounts are rational numbers."""
REF = uninterpreted("Ref")

_BUILT_IN = {"Int": INT, "Bool": BOOL, "Real": REAL}
