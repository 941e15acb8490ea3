"""Under which key the answer about a member is remembered, and what its places mean.

NOTE(cache-key). A key stands for all that can change an answer: the member, what it depends on as
far as it is seen from there, which definitions of functions it is told, all fields, domains and
their axioms, the options, our own files and those of the solver. Theories that only other members
use are not part of it: their axioms add nothing to what is true of this one.
"""

from __future__ import annotations

from collections.abc import Iterable

from pitviper.base.digest import blake2b
from pitviper.driver.cache.option_texts import option_texts
from pitviper.driver.cache.outline import Origin, Outline, outline, visible_outline
from pitviper.driver.cache.serialise import Json, NotStorable, Unreadable
from pitviper.driver.cache.stamp import stamp
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.plan import Plan
from pitviper.program.member import Declaration, Program
from pitviper.source.span import Span


class ProgramKeys:
    """The keys of all members of a program in the core language."""

    def __init__(self, program: Program, plan: Plan, options: VerifyOptions) -> None:
        self._program = program
        self._plan = plan
        self._visible: dict[str, Outline] = {}
        shared: list[Declaration] = [
            *sorted(program.fields.values(), key=lambda d: d.name),
            *sorted(program.domains.values(), key=lambda d: d.name),
            *sorted(program.adts.values(), key=lambda d: d.name),
        ]
        self._shared = [(f"{type(d).__name__} {d.name}", outline(d)) for d in shared]
        said = [stamp(), *option_texts(options), *[o.digest for _, o in self._shared]]
        self.shared = _hash(said)
        """Of all that every key depends on."""

    def of(self, member: str) -> MemberKey:
        own = outline(self._plan.members[member])
        used = sorted(self._plan.dependencies.of(self._plan.members[member]))
        tables = [("own", own), *[(name, self._outline(name)) for name in used], *self._shared]
        said = [self.shared, member, own.digest]
        said += [f"{name} {self._outline(name).digest}" for name in used]
        said += ["told", *sorted(self._plan.needs(member))]
        return MemberKey(_hash(said), own, tables)

    def _outline(self, name: str) -> Outline:
        found = self._visible.get(name)
        if found is None:
            program = self._program
            declared = program.methods.get(name) or program.functions.get(name)
            found = visible_outline(declared or program.predicates[name])
            self._visible[name] = found
        return found


class MemberKey:
    """`text` is the key; places and origins of the member as numbers, and back."""

    def __init__(self, text: str, own: Outline, tables: list[tuple[str, Outline]]) -> None:
        self.text = text
        self._own = own
        self._tables = tables

    def write_span(self, span: Span) -> Json:
        """All numbers that the place has: it is one only if all of them lead to it again."""
        places: list[Json] = [
            [name, table.numbers[span]] for name, table in self._tables if span in table.numbers
        ]
        if not places:
            raise NotStorable(f"{span} is no place of a node")
        return places

    def read_span(self, data: Json) -> Span:
        tables = dict(self._tables)
        found: list[Span] = []
        for place in data if isinstance(data, list) else []:
            match place:
                case [str(name), int(number)] if name in tables:
                    places = tables[name].places()
                    if 0 <= number < len(places):
                        found.append(places[number])
                        continue
            raise Unreadable("no place")
        if not found or any(span != found[0] for span in found):
            raise Unreadable("places that were one are no longer")
        return found[0]

    def write_origin(self, origin: Origin) -> int:
        number = self._own.origins.get(origin)
        if number is None:
            raise NotStorable("an origin that is not in the member")
        return number

    def read_origin(self, number: int) -> Origin:
        origins = list(self._own.origins)
        if not 0 <= number < len(origins):
            raise Unreadable("no origin")
        return origins[number]


def _hash(said: Iterable[str]) -> str:
    digest = blake2b(digest_size=24)
    for text in said:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(b"%d " % len(data) + data)
    return digest.hexdigest()
