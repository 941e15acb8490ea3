"""Terms as SMT-LIB 2.6 text that any solver reads."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Final

from pitviper.terms.sort import Sort, SortKind
from pitviper.terms.symbol import Function, FunctionKind, Symbol
from pitviper.terms.term import App, Literal, Quantified, Term, Var

SHORT: Final = 40
"""Texts up to this length are repeated rather than named."""
LONG: Final = 2000
"""Longer texts are named even if they occur once: nesting and copying stay bounded."""


class Script:
    """Writes terms; what a term needs is declared, each thing once, before its first use.

    NOTE(sharing). Terms are graphs, as trees they would grow exponentially. A closed term that
    occurs again, in this term or a later one, gets a definition; a term with bound variables gets a
    `let` in the body of its quantifier. Definitions are made at any scope: the script needs the
    option :global-declarations.
    """

    def __init__(self, emit: Callable[[str], None]) -> None:
        self._emit = emit
        self._names = Names()
        self._defined: dict[Term, str] = {}
        self._written: set[Term] = set()
        self._lets = 0

    def term(self, root: Term) -> str:
        """The text of a term, after the declarations and definitions it needs."""
        texts: dict[Term, str] = {}
        lets: list[str] = []
        order, shared = self._layer(root)
        for term in order:
            text = self._node(term, texts)
            if term.args and term is not root:
                if not term.free:
                    text = self._closed(term, text, once=term not in shared)
                elif term in shared and len(text) > SHORT:
                    self._lets += 1
                    name = f"let!{self._lets}"
                    lets.append(f"(let (({name} {text})) ")
                    text = name
            texts[term] = text
        return "".join(lets) + texts[root] + ")" * len(lets)

    def sort(self, sort: Sort) -> str:
        """The text of a sort, after its declaration."""
        if sort.kind in (SortKind.INT, SortKind.BOOL, SortKind.REAL, SortKind.TEXT):
            return sort.name
        if sort.kind is SortKind.ARRAY:
            return f"(Array {' '.join(map(self.sort, sort.parts))})"
        known = self._names.known(sort)
        if known is not None:
            return known
        text = self._names.give(sort, sort.name)
        if sort.kind is SortKind.DATATYPE:
            self._emit(f"(declare-datatypes (({text} 0)) (({self._constructors(sort)})))")
        else:
            self._emit(f"(declare-sort {text} 0)")
        return text

    def _layer(self, root: Term) -> tuple[list[Term], set[Term]]:
        """Terms to write for the root, arguments first, and those among them that occur again.

        Ends at quantifiers, whose bodies are layers of their own, and at terms that have a name.
        """
        order: list[Term] = []
        shared: set[Term] = set()
        state: dict[Term, bool] = {}  # False: on the stack, True: in the order
        stack = [root]
        while stack:
            term = stack[-1]
            if term in state:
                stack.pop()
                if state[term]:
                    shared.add(term)
                else:
                    state[term] = True
                    order.append(term)
                continue
            state[term] = False
            if isinstance(term, Quantified) or term in self._defined:
                continue
            stack.extend(reversed(term.args))
        return order, shared

    def _closed(self, term: Term, text: str, *, once: bool) -> str:
        if term in self._defined or len(text) <= SHORT:
            return text
        if once and term not in self._written and len(text) <= LONG:
            self._written.add(term)
            return text
        name = f"def!{len(self._defined) + 1}"
        self._emit(f"(define-fun {name} () {self.sort(term.sort)} {text})")
        self._defined[term] = name
        return name

    def _node(self, term: Term, texts: dict[Term, str]) -> str:
        if term in self._defined:
            return self._defined[term]
        match term:
            case App(symbol=symbol, args=args):
                head = self._symbol(symbol)
                return f"({head} {' '.join([texts[arg] for arg in args])})" if args else head
            case Literal():
                return literal_text(term)
            case Var():
                return self._names.known(term) or self._names.give(term, f"{term.name}?")
            case Quantified():
                return self._quantified(term)

    def _quantified(self, term: Quantified) -> str:
        bound = " ".join(f"({self.term(v)} {self.sort(v.sort)})" for v in term.variables)
        body = self.term(term.body)
        notes = [f":pattern ({' '.join(map(self._tree, group))})" for group in term.triggers]
        if term.name:
            notes.append(f":qid {quote(term.name)}")
        if term.weight is not None:
            notes.append(f":weight {term.weight}")
        if notes:
            body = f"(! {body} {' '.join(notes)})"
        return f"({term.binder.value} ({bound}) {body})"

    def _tree(self, term: Term) -> str:
        """A trigger term; no `let` is allowed inside."""
        if not term.free or not term.args:
            return self.term(term)
        texts = {arg: self._tree(arg) for arg in term.args}
        return self._node(term, texts)

    def _symbol(self, symbol: Symbol) -> str:
        if not isinstance(symbol, Function) or symbol.kind is FunctionKind.TEXT:
            return symbol.name
        known = self._names.known(symbol)
        if known is not None:
            return known
        if symbol.kind is FunctionKind.DECLARED:
            domain = " ".join(map(self.sort, symbol.domain))
            range_ = self.sort(symbol.range)
            text = self._names.give(symbol, symbol.name)
            self._emit(f"(declare-fun {text} ({domain}) {range_})")
            return text
        owner = symbol.range if symbol.kind is FunctionKind.CONSTRUCTOR else symbol.domain[0]
        self.sort(owner)
        return self._member(owner, symbol.name)

    def _constructors(self, sort: Sort) -> str:
        texts = []
        for candidate in sort.constructors:
            fields = "".join(
                f" ({self._member(sort, name)} {self.sort(field or sort)})"
                for name, field in candidate.fields
            )
            texts.append(f"({self._member(sort, candidate.name)}{fields})")
        return " ".join(texts)

    def _member(self, sort: Sort, name: str) -> str:
        """A constructor or a field; names are unique within their data type."""
        key = (sort, name)
        return self._names.known(key) or self._names.give(key, name)


def text(*terms: Term) -> str:
    """Declarations and one assertion per term: a small script, for tests and debugging."""
    lines: list[str] = []
    script = Script(lines.append)
    for term in terms:
        written = script.term(term)
        lines.append(f"(assert {written})")
    return "\n".join(lines)


_SIMPLE = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*\Z")
_MARKED = re.compile(r"[A-Za-z_].*[@?$%#'<>~ ]")


def quote(name: str) -> str:
    """The symbol with this name; the two characters a quoted symbol cannot have are replaced."""
    if _SIMPLE.match(name):
        return name
    return f"|{name.translate(_UNQUOTABLE)}|"


_UNQUOTABLE = str.maketrans({"|": "!", "\\": "/"})


class Names:
    """Gives each object one text. Objects with the same name get different texts, in order.

    A name that a solver could know already, such as `abs` or `set.card`, is marked with a dollar:
    no list of reserved words is complete for two solvers and their next releases. Exclamation marks
    belong to the script itself (`def!1`).
    """

    def __init__(self) -> None:
        self._texts: dict[object, str] = {}
        self._taken: set[str] = set()

    def known(self, thing: object) -> str | None:
        return self._texts.get(thing)

    def give(self, thing: object, name: str) -> str:
        """The text for something new."""
        base = name.replace("!", "~") if _MARKED.match(name) else f"${name}"
        text, number = quote(base), 0
        while text in self._taken:
            number += 1
            text = quote(f"{base}!{number}")
        self._taken.add(text)
        self._texts[thing] = text
        return text


def literal_text(term: Literal) -> str:
    """A literal; SMT-LIB has neither negative numbers nor fractions."""
    value = term.value
    if isinstance(value, bool):
        return "true" if value else "false"
    if value < 0:
        return f"(- {_magnitude(-value)})"
    return _magnitude(value)


def _magnitude(value: int | Fraction) -> str:
    if isinstance(value, int):
        return str(value)
    if value.denominator == 1:
        return f"{value.numerator}.0"
    return f"(/ {value.numerator}.0 {value.denominator}.0)"
