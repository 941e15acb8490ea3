"""Under which key the answer about a member is remembered, and what its places mean.

NOTE(cache-key). A key stands for all that can change an answer: the member, what it depends on as
far as it is seen from there, which definitions of functions it is told, all fields, domains and
their axioms, the options, our own files and those of the solver. Theories that only other members
use are not part of it: their axioms add nothing to what is true of this one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from enum import Enum
from fractions import Fraction

from pitviper.base.digest import blake2b
from pitviper.base.json_text import read_json
from pitviper.base.record import names_of, replace
from pitviper.driver.cache.files import option_texts
from pitviper.driver.cache.folder import CacheFolder
from pitviper.driver.cache.serialise import Json, NotStorable, Unreadable, from_json, to_json
from pitviper.driver.cache.stamp import stamp
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.plan import Plan
from pitviper.plugins.build import ORIGIN
from pitviper.program.member import Declaration, Method, Program
from pitviper.program.node import Annotation, Node
from pitviper.program.stmt import If
from pitviper.results.finding import Finding
from pitviper.results.verdict import MemberAnswer
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
        """Returns all numbers under which tables know the place. Whoever reads them back accepts a
        place only if every number leads to the same one."""
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


Origin = tuple[str, ...]


class Outline:
    """Of one declaration, or of the part of it that others see."""

    def __init__(self, roots: Iterable[object]) -> None:
        self.numbers: dict[Span, int] = {}
        self.origins: dict[Origin, int] = {}
        self._said: list[str] = []
        for root in roots:
            self._add(root)
        self.digest = blake2b("\n".join(self._said).encode("utf-8", "surrogatepass")).hexdigest()
        self._said.clear()

    def places(self) -> list[Span]:
        """The place of each number."""
        return list(self.numbers)

    def _add(self, value: object) -> None:
        """Every node of a program comes here: tests by type, the most frequent ones first."""
        said = self._said
        cls = type(value)
        if isinstance(value, str):
            said.append(f"{len(value)} {value}")
        elif isinstance(value, tuple):
            said.append(f"({len(value)}")
            for item in value:
                self._add(item)
        elif value is None or cls in _PLAIN:
            said.append(repr(value))
        elif isinstance(value, Node):
            number = self.numbers.setdefault(value.span, len(self.numbers))
            said.append(f"{cls.__qualname__}@{number}")
            if cls is If and value.span.text.startswith("elseif"):
                said.append("elseif")  # where inferred statements go depends on it
            for name in _names(cls):
                self._add(getattr(value, name))
        elif isinstance(value, Annotation):
            self._add_annotation(value)
        elif isinstance(value, Enum):
            said.append(f"{cls.__qualname__}.{value.name}")
        else:
            said.append(cls.__qualname__)
            for name in _names(cls):
                self._add(getattr(value, name))

    def _add_annotation(self, annotation: Annotation) -> None:
        if annotation.key != ORIGIN:
            self._said.append("annotation")
            self._add(annotation.key)
            self._add(annotation.values)
            return
        number = self.origins.setdefault(annotation.values, len(self.origins))
        fixed = [value for value in annotation.values if not value.isdigit()]
        self._said.append(f"origin {number} {len(annotation.values)} {' '.join(fixed)}")


_PLAIN = frozenset([bool, int, Fraction])
_NAMES: dict[type, tuple[str, ...]] = {}


def _names(cls: type) -> tuple[str, ...]:
    found = _NAMES.get(cls)
    if found is None:
        found = tuple([name for name in names_of(cls) if name != "span"])
        _NAMES[cls] = found
    return found


def outline(declaration: Declaration) -> Outline:
    """All of a declaration."""
    return Outline([declaration])


def visible_outline(declaration: Declaration) -> Outline:
    """What others see of a declaration: all but the body of a method."""
    if not isinstance(declaration, Method):
        return outline(declaration)
    method = declaration
    contract = (method.params, method.returns, method.preconditions, method.postconditions)
    return Outline(["method", method.name, method.annotations, *contract])


class MemberCache:
    """Of one program. Only answers are remembered, never what was left open."""

    def __init__(self, folder: CacheFolder, keys: ProgramKeys) -> None:
        self._folder = folder
        self._keys = keys
        self._known: dict[str, MemberKey] = {}

    def find(self, member: str) -> tuple[MemberAnswer, str | None] | None:
        """The answer, and what others may know about the member; None if there is none."""
        key = self._key(member)
        text = self._folder.read(key.text)
        if text is None:
            return None
        try:
            return _read(text, key)
        except (Unreadable, ValueError):
            self._folder.forget(key.text)
            return None

    def save(self, member: str, answer: MemberAnswer, earned: str | None) -> None:
        if answer.undecided or answer.crash is not None:
            return
        key = self._key(member)
        try:
            written = _with_origins(answer, lambda origin: (str(key.write_origin(origin)),))
            data = [to_json(replace(written, seconds=0.0), key.write_span), earned]
        except NotStorable:
            return
        self._folder.write(key.text, json.dumps(data, separators=(",", ":")))

    def _key(self, member: str) -> MemberKey:
        found = self._known.get(member)
        if found is None:
            found = self._known[member] = self._keys.of(member)
        return found


def _read(text: str, key: MemberKey) -> tuple[MemberAnswer, str | None]:
    match read_json(text):
        case [dict(data), None | str() as earned]:
            answer = from_json(data, key.read_span)
            if isinstance(answer, MemberAnswer):
                told = _with_origins(answer, lambda o: key.read_origin(int(o[0])))
                return replace(told, remembered=True), earned
    raise Unreadable("no answer")


Renumber = Callable[[tuple[str, ...]], tuple[str, ...]]


def _with_origins(answer: MemberAnswer, renumber: Renumber) -> MemberAnswer:
    def changed(finding: Finding) -> Finding:
        return replace(finding, origin=renumber(finding.origin)) if finding.origin else finding

    return replace(answer, findings=tuple([changed(finding) for finding in answer.findings]))
