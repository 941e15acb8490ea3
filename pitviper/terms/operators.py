"""The operators of the logic with the sorts they accept."""

from __future__ import annotations

from pitviper.terms.sort import BOOL, INT, REAL, Sort, SortKind
from pitviper.terms.symbol import Args, Operator


def _connective(args: Args) -> Sort | None:
    return BOOL if all(a.sort is BOOL for a in args) else None


def _negation(args: Args) -> Sort | None:
    return BOOL if len(args) == 1 and args[0].sort is BOOL else None


def _implication(args: Args) -> Sort | None:
    return BOOL if len(args) == 2 and args[0].sort is args[1].sort is BOOL else None


def _equation(args: Args) -> Sort | None:
    return BOOL if len(args) == 2 and args[0].sort is args[1].sort else None


def _pairwise(args: Args) -> Sort | None:
    return BOOL if len({a.sort for a in args}) == 1 else None


def _choice(args: Args) -> Sort | None:
    if len(args) == 3 and args[0].sort is BOOL and args[1].sort is args[2].sort:
        return args[1].sort
    return None


def _arithmetic(args: Args) -> Sort | None:
    if len(args) == 2 and args[0].sort is args[1].sort and args[0].sort in (INT, REAL):
        return args[0].sort
    return None


def _comparison(args: Args) -> Sort | None:
    return BOOL if _arithmetic(args) else None


def _integer_division(args: Args) -> Sort | None:
    return INT if len(args) == 2 and args[0].sort is args[1].sort is INT else None


def _real_division(args: Args) -> Sort | None:
    return REAL if len(args) == 2 and args[0].sort is args[1].sort is REAL else None


def _conversion(args: Args) -> Sort | None:
    return REAL if len(args) == 1 and args[0].sort is INT else None


def _selection(args: Args) -> Sort | None:
    return args[0].sort.parts[-1] if _indexed(args) else None


def _update(args: Args) -> Sort | None:
    if len(args) < 3 or not _indexed(args[:-1]):
        return None
    return args[0].sort if args[-1].sort is args[0].sort.parts[-1] else None


def _indexed(args: Args) -> bool:
    """Whether these are an array and indices that fit it."""
    if not args or args[0].sort.kind is not SortKind.ARRAY:
        return False
    domain = args[0].sort.parts[:-1]
    return len(args) == len(domain) + 1 and all(
        arg.sort is sort for arg, sort in zip(args[1:], domain, strict=True)
    )


NOT = Operator("not", _negation)
AND = Operator("and", _connective)
OR = Operator("or", _connective)
IMPLIES = Operator("=>", _implication)
EQUAL = Operator("=", _equation)
DISTINCT = Operator("distinct", _pairwise)
ITE = Operator("ite", _choice)
PLUS = Operator("+", _arithmetic)
MINUS = Operator("-", _arithmetic)
TIMES = Operator("*", _arithmetic)
DIVIDE = Operator("/", _real_division)
DIV = Operator("div", _integer_division)
MOD = Operator("mod", _integer_division)
LESS = Operator("<", _comparison)
AT_MOST = Operator("<=", _comparison)
TO_REAL = Operator("to_real", _conversion)
SELECT = Operator("select", _selection)
STORE = Operator("store", _update)

OPERATORS = (
    NOT, AND, OR, IMPLIES, EQUAL, DISTINCT, ITE, PLUS, MINUS, TIMES, DIVIDE, DIV, MOD, LESS,
    AT_MOST, TO_REAL, SELECT, STORE,
)  # fmt: skip
"""Every operator; names are those of SMT-LIB, division is Euclidean as there."""
