"""What a heap holds, in words; quantified chunks in those of the quantifiers they come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pitviper.base.qualified import call_words, short_name, wand_words
from pitviper.base.record import field, record
from pitviper.engines.symbolic.heap.chunk import Args, Chunk, Heap, Kind, QuantifiedChunk, Resource
from pitviper.explain.expression import TermExpressions
from pitviper.explain.held import Inverses, denoted, own_formals
from pitviper.program.print.expressions import text_of
from pitviper.results.debugging import HeldView
from pitviper.terms.term import Term


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
        found = denoted(c, self.inverses) or own_formals(c)
        if found is None:
            return HeldView(self._location(c.resource, c.formals), None, self.text(c.amount))
        variables, condition, args, amount_term = found
        texts = self.words.under(variables, (condition, *args, amount_term))
        if texts is None:
            return HeldView(self._location(c.resource, c.formals), None, self.text(c.amount))
        bound, (when, *places, amount) = texts
        location = place_text(c.resource, places)
        return HeldView(location, None, amount, f"forall {bound} :: {when} ==>")

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
