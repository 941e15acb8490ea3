"""What a declaration says, whatever it looks like: a digest, and numbers for its places.

NOTE(places). Two versions of a declaration that differ in comments, blanks, or the file or line
they stand in have the same digest, and the n-th place of one means the n-th of the other. Places
are numbered where they first occur on the way through the tree. The numbers are part of the digest:
two nodes that stand in one place in one version do so in all versions with this digest.

What plugins write into `pitviper.origin` annotations counts statements of the whole program. It is
numbered in the same way, so that a change elsewhere does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from fractions import Fraction

from pitviper.base.digest import blake2b
from pitviper.base.record import names_of
from pitviper.plugins.build import ORIGIN
from pitviper.program.member import Declaration, Method
from pitviper.program.node import Annotation, Node
from pitviper.program.stmt import If
from pitviper.source.span import Span

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
