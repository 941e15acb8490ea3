"""What a heap holds, in words; quantified chunks in those of the quantifiers they come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pitviper.base.qualified import call_words, short_name, wand_words
from pitviper.base.record import field, record
from pitviper.engines.symbolic.heap.chunk import Args, Chunk, Heap, Kind, QuantifiedChunk, Resource
from pitviper.explain.expression import TermExpressions
from pitviper.explain.quantified import Inverses, denoted, is_wildcard, mostly_denoted
from pitviper.program.print.expressions import text_of
from pitviper.results.debugging import HeldView
from pitviper.terms import build as tb
from pitviper.terms.substitute import subterms
from pitviper.terms.term import App, Literal, Term, Var

AT_MOST = "at most "
"""Where some was taken out that has no words."""
SOME = "some"
"""Where there are no words for how much is held of which locations."""


@record
class HeapWords:
    """Describes heaps of one run: `text` is some text for a term, `words` are expressions."""

    text: Callable[[Term], str]
    words: TermExpressions
    inverses: Inverses
    insides: Mapping[int, Heap] = field(default_factory=dict)
    """What is inside of predicate instances, by the identities of their chunks."""

    def held(self, heap: Heap) -> tuple[HeldView, ...]:
        """Gives chunks in the order of the heap, quantified ones last."""
        plain = [
            HeldView(
                self._location(c.resource, c.args),
                self._value(c.resource, c.value),
                self.text(c.amount),
                contents=self._contents(c),
            )
            for c in heap
        ]
        return (*plain, *[self._quantified(c) for c in heap.quantified_chunks()])

    def _contents(self, chunk: Chunk) -> tuple[tuple[str, str], ...]:
        """Fields inside of an instance with their values; those of its first argument by name."""
        found: list[tuple[str, str]] = []
        for c in self.insides.get(id(chunk), ()):
            value = self.words.of(c.value) if c.resource.kind is Kind.FIELD else None
            if value is None:
                continue
            own = bool(chunk.args) and c.args[0] is chunk.args[0]
            place = short_name(c.resource.name) if own else self._location(c.resource, c.args)
            found.append((place, text_of(value)))
        return tuple(found)

    def _quantified(self, c: QuantifiedChunk) -> HeldView:
        if c.only is not None and c.value is not None:
            amount = self.text(c.amount_at(c.only))
            return HeldView(
                self._location(c.resource, c.only), self._value(c.resource, c.value), amount
            )
        for bound, find in (("", denoted), (AT_MOST, mostly_denoted)):
            found = find(c, self.inverses)
            texts = None if found is None else self._under(*found)
            if texts is not None:
                quantifier, places, amount = texts
                return HeldView(place_text(c.resource, places), None, bound + amount, quantifier)
        used = {t.symbol for t in subterms(c.amount) if isinstance(t, App)}
        ours = any(not used.isdisjoint(symbols) for symbols in self.inverses.values())
        amount = SOME if ours else self.text(c.amount)
        return HeldView(self._location(c.resource, c.formals), None, amount)

    def _under(
        self, variables: tuple[Var, ...], condition: Term, args: Args, amount: Term
    ) -> tuple[str, list[str], str] | None:
        """The quantifier, the arguments of the location and the amount, each in words."""
        if any(is_wildcard(t) for t in subterms(amount)):
            texts, part = self.words.under(variables, (condition, *args)), "wildcard"
        elif isinstance(amount, Literal):
            texts, part = self.words.under(variables, (condition, *args)), self.text(amount)
        else:
            texts, part = self.words.under(variables, (condition, *args, amount)), ""
        if texts is None:
            return None
        bound, (when, *places) = texts
        means = "" if condition is tb.TRUE else f" {when} ==>"
        return f"forall {bound} ::{means}", places[: len(args)], part or places[-1]

    def _location(self, resource: Resource, args: Args) -> str:
        return place_text(resource, [self.text(a) for a in args])

    def _value(self, resource: Resource, value: Term | None) -> str | None:
        if value is None or resource.kind is not Kind.FIELD:
            return None
        return self.text(value)


def place_text(resource: Resource, args: list[str]) -> str:
    """Returns a location from the texts of its arguments."""
    if resource.kind is Kind.FIELD:
        return f"{_as_operand(args[0])}.{short_name(resource.name)}"
    if resource.kind is Kind.WAND:
        return wand_words(resource.name, args)
    return call_words(resource.name, args)


def _as_operand(text: str) -> str:
    return f"({text})" if " " in text and not text.endswith(")") else text
