"""Our terms as Z3 terms, each translated once per context."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pitviper.solver.z3.library import Z3Context, own_array
from pitviper.solver.z3.symbols import Z3Symbols
from pitviper.terms import operators as op
from pitviper.terms.symbol import Operator
from pitviper.terms.term import App, Binder, Literal, Quantified, Term, Var

Build = Callable[..., int | None]

CACHE_LIMIT: Final = 300_000
"""Translated terms kept before the cache is emptied; what is asserted stays in the solver."""

DEFAULT_WEIGHT: Final = 1
"""Of quantifiers without one, as in SMT-LIB."""


class Z3Terms:
    """The translation, with its cache of handles.

    NOTE(same quantifiers). Quantifiers that differ in their place in the source and in what their
    variables are called are one for the solver: it gets them without names, and their variables
    are called by their places. So `forall i :: ...` in an invariant is what an assertion assumes;
    with names of their own the solver would have to find out that the one implies the other, by
    searching for a value. `names_wanted` is for counting instances: each has the name of the first.
    """

    def __init__(
        self, context: Z3Context, symbols: Z3Symbols, *, names_wanted: bool = False
    ) -> None:
        self._context = context
        self._symbols = symbols
        self._nameless = Z3Terms(context, symbols) if names_wanted else None
        self._first: dict[int, Quantified] = {}
        self._handles: dict[Term, int] = {}
        self._forgotten = 0
        lib = context.lib
        self._direct: dict[Operator, Build] = {
            op.NOT: lib.mk_not,
            op.EQUAL: lib.mk_eq,
            op.IMPLIES: lib.mk_implies,
            op.ITE: lib.mk_ite,
            op.LESS: lib.mk_lt,
            op.AT_MOST: lib.mk_le,
            op.DIVIDE: lib.mk_div,
            op.DIV: lib.mk_div,
            op.MOD: lib.mk_mod,
            op.TO_REAL: lib.mk_int2real,
        }
        self._listed: dict[Operator, Build] = {
            op.AND: lib.mk_and,
            op.OR: lib.mk_or,
            op.DISTINCT: lib.mk_distinct,
            op.PLUS: lib.mk_add,
            op.MINUS: lib.mk_sub,
            op.TIMES: lib.mk_mul,
        }

    def handle(self, root: Term) -> int:
        """The Z3 term; valid until `trim` or `clear`."""
        handles = self._handles
        found = handles.get(root)
        if found is not None:
            return found
        context, get, stack = self._context, handles.get, [root]
        inc_ref, pointer = context.lib.inc_ref, context.pointer
        apply, operate = self._symbols.apply, self._operation
        while stack:
            term = stack[-1]
            if term in handles:
                stack.pop()
                continue
            args = [get(arg) for arg in term.args]
            if None in args:
                stack += [arg for arg in term.args if arg not in handles]
                continue
            stack.pop()
            if isinstance(term, App):
                symbol = term.symbol
                if isinstance(symbol, Operator):
                    made = operate(symbol, args)
                else:
                    made = apply(symbol, args)
            else:
                made = self._other(term)
            if made is None:
                raise context.error()
            inc_ref(pointer, made)
            handles[term] = made
        return handles[root]

    def know_axiom(self, axiom: Term) -> None:
        """Translates what is said once: no other quantifier needs to be the same as this one, so
        its variables keep their names. Those of quantifiers inside do not."""
        if isinstance(axiom, Quantified) and self._nameless is None and axiom not in self._handles:
            for arg in reversed(axiom.args):
                self.handle(arg)
            bound = [self._symbols.bound(v) for v in axiom.variables]
            groups = [[self._handles[inner] for inner in group] for group in axiom.triggers]
            made = self._abstracted(axiom, bound, self._handles[axiom.body], groups, None)
            self._handles[axiom] = self._context.keep(made)

    def trim(self) -> None:
        """Forget all handles when there are too many; to be called when none is in use."""
        if len(self._handles) > CACHE_LIMIT:
            self.clear()

    @property
    def nodes(self) -> int:
        """How many terms were translated so far."""
        return self._forgotten + len(self._handles)

    def clear(self) -> None:
        self._forgotten += len(self._handles)
        dec_ref, pointer = self._context.lib.dec_ref, self._context.pointer
        for handle in self._handles.values():
            dec_ref(pointer, handle)
        self._handles.clear()
        self._first.clear()
        if self._nameless is not None:
            self._nameless.clear()

    def _operation(self, symbol: Operator, args: list[int | None]) -> int | None:
        """None after an error."""
        z3, direct = self._context, self._direct.get(symbol)
        if direct is not None:
            return direct(z3.pointer, *args)
        if symbol is op.SELECT:
            read: int | None = z3.lib.mk_select_n(
                z3.pointer, args[0], len(args) - 1, own_array(args[1:])
            )
            return read
        if symbol is op.STORE:
            written: int | None = z3.lib.mk_store_n(
                z3.pointer, args[0], len(args) - 2, own_array(args[1:-1]), args[-1]
            )
            return written
        return self._listed[symbol](z3.pointer, len(args), z3.array(args))

    def _other(self, term: Literal | Var | Quantified) -> int | None:
        match term:
            case Literal():
                return self._literal(term)
            case Var():
                return self._symbols.bound(term)
            case Quantified():
                return self._quantifier(term)

    def _literal(self, term: Literal) -> int | None:
        lib, pointer, value = self._context.lib, self._context.pointer, term.value
        made: int | None
        if isinstance(value, bool):
            made = lib.mk_true(pointer) if value else lib.mk_false(pointer)
        else:
            made = lib.mk_numeral(pointer, str(value).encode(), self._symbols.sort(term.sort))
        return made

    def _quantifier(self, term: Quantified) -> int | None:
        """NOTE(same quantifiers)."""
        if self._nameless is None:
            return self._new_quantifier(term, None)
        first = self._first.setdefault(self._nameless.handle(term), term)
        if first is not term:
            return self._handles[first]
        return self._new_quantifier(term, self._context.symbol(term.name))

    def _new_quantifier(self, term: Quantified, name: int | None) -> int | None:
        z3, lib, pointer = self._context, self._context.lib, self._context.pointer
        places = [self._symbols.place(i, v.sort) for i, v in enumerate(term.variables)]
        old, new = own_array([self._symbols.bound(v) for v in term.variables]), own_array(places)

        def moved(inner: Term) -> int:
            return z3.keep(lib.substitute(pointer, self._handles[inner], len(places), old, new))

        body = moved(term.body)
        groups = [[moved(inner) for inner in group] for group in term.triggers]
        made = self._abstracted(term, places, body, groups, name)
        for used in (body, *[inner for group in groups for inner in group]):
            lib.dec_ref(pointer, used)
        return made

    def _abstracted(
        self,
        term: Quantified,
        bound: list[int],
        body: int,
        groups: list[list[int]],
        name: int | None,
    ) -> int | None:
        """The quantifier over the constants that stand for its variables in the body."""
        lib, pointer = self._context.lib, self._context.pointer
        patterns = own_array([self._pattern(group) for group in groups])
        made: int | None = lib.mk_quantifier_const_ex(
            pointer,
            term.binder is Binder.FORALL,
            DEFAULT_WEIGHT if term.weight is None else term.weight,
            name,
            None,
            len(bound), own_array(bound),
            len(patterns), patterns,
            0, None,
            body,
        )  # fmt: skip
        for pattern in patterns:
            lib.dec_ref(pointer, pattern)
        return made

    def _pattern(self, group: list[int]) -> int:
        z3 = self._context
        return z3.keep(z3.lib.mk_pattern(z3.pointer, len(group), own_array(group)))
