"""The verifier's counterexamples as inputs of a first run.

A hint is only tried: whether it fails the run says, so that a value which is read wrongly, or
which the instance leaves open, costs a run and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from pitviper.driver.counterexample.search import instances_of
from pitviper.driver.verify.options import VerifyOptions
from pitviper.engines.explore.runtime.inputs import Assignment
from pitviper.program.member import Program
from pitviper.results.counterexample import Counterexample, HeapState, Location
from pitviper.results.testcase import Scalar

SECONDS = 5.0
"""That the verifier has for instances of one method."""

LARGEST = 1000
"""Elements of a collection in a hint; larger ones are not worth a run."""

_COLLECTION = re.compile(r"(?:Seq|Set|Multiset|Map)\((.*)\)", re.DOTALL)
_AMOUNTS = {"write": Fraction(1), "none": Fraction(0)}


def hints_for(program: Program, method: str) -> list[Assignment]:
    """Inputs with which the method may fail, one for each instance that the verifier's states have.

    None where the verifier has no such instance, or no time for it.
    """
    found = instances_of(program, method, VerifyOptions(timeout=SECONDS))
    params = [p.name for p in program.methods[method].params]
    return list({repr(hint): hint for hint in [hint_of(one, params) for one in found]}.values())


def hint_of(found: Counterexample, params: list[str]) -> Assignment:
    """The state in which the method starts, by the names that runs give to their inputs.

    Runs number objects in the order in which they meet them: parameters first, then fields.
    """
    start = next((heap for heap in found.heaps if heap.label == "old"), found.heaps[0])
    values = {v.name: v.value.text for v in found.variables if v.name in params}
    numbers = _numbered(values, start)
    chosen: dict[str, Scalar] = {}
    for name, text in values.items():
        _read(name, text, numbers, chosen)
    for location in _locations(start):
        owner = numbers.get(location.object)
        if owner:
            _read(f"object{owner}.{location.field}", location.value.text, numbers, chosen)
    return Assignment(chosen)


def _locations(start: HeapState) -> list[Location]:
    inside = [location for instance in start.instances for location in instance.owns]
    return [*start.locations, *inside]


def _numbered(values: Mapping[str, str], start: HeapState) -> dict[str, int]:
    """Objects by name, null is 0."""
    numbers = {"null": 0}
    locations = _locations(start)
    names = {location.object for location in locations}
    todo = [text for text in values.values() if text in names or text.startswith("Ref")]
    while todo:
        name = todo.pop(0)
        if name not in numbers:
            numbers[name] = len(numbers)
            fields = [location.value for location in locations if location.object == name]
            todo += [other for value in fields for other in value.objects]
    for name in sorted(names):
        numbers.setdefault(name, len(numbers))
    return numbers


def _read(name: str, text: str, numbers: Mapping[str, int], chosen: dict[str, Scalar]) -> None:
    """Values of parts have names of their own, made from that of the whole."""
    collection = _COLLECTION.fullmatch(text)
    if collection is None:
        value = _scalar(text, numbers)
        if value is not None:
            chosen[name] = value
        return
    parts = _parts(collection.group(1))
    if len(parts) > LARGEST:
        return
    chosen[f"|{name}|"] = len(parts)
    for index, part in enumerate(parts):
        key, assigned, value_text = part.partition(" := ")
        _read(f"{name}[{index}]", key, numbers, chosen)
        if assigned:
            _read(f"{name}[{index}]=", value_text, numbers, chosen)


def _scalar(text: str, numbers: Mapping[str, int]) -> Scalar | None:
    if text in numbers:
        return numbers[text]
    if text in ("true", "false"):
        return text == "true"
    if text in _AMOUNTS:
        return _AMOUNTS[text]
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None
    return int(value) if "/" not in text else value


def _parts(text: str) -> list[str]:
    """The elements of a collection; commas inside of inner ones do not count."""
    found, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            found.append(text[start:at].strip())
            start = at + 1
    last = text[start:].strip()
    return [*found, last] if last else found
