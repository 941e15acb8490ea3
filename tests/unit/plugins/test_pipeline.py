from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pitviper.plugins.names import all_members
from pitviper.plugins.pipeline import Encoded
from pitviper.program.expr import Construct, Destruct, Discriminate, PredicateInstance
from pitviper.program.member import Function, Method, Program
from pitviper.program.stmt import Refute, Unreachable, While
from pitviper.program.types import AdtType, Type
from pitviper.program.walk import descendants
from tests.unit.plugins.encoded_texts import (
    DEFAULTS,
    FOLDERS,
    PROGRAMS,
    SMOKE,
    SUITE,
    complaints_about,
    encode,
    encode_program,
    program_in,
    program_of,
)

REMOVED = (Construct, Destruct, Discriminate, PredicateInstance, Refute, Unreachable)


def programs() -> list[Path]:
    found: list[Path] = []
    for root in (PROGRAMS, SUITE):
        for folder in FOLDERS:
            found += sorted((root / folder).rglob("*.vpr"))
    return found


def encoded_in(path: Path) -> Encoded | None:
    """None if the front end rejects the program."""
    smoke = "smoke" in path.parts
    program = program_in(path, smoke=smoke)
    return None if program is None else encode_program(program, SMOKE if smoke else DEFAULTS)


@pytest.mark.parametrize("path", programs(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_encoded_programs_are_programs_of_the_core_language(path: Path) -> None:
    encoded = encoded_in(path)
    if encoded is None:
        assert PROGRAMS not in path.parents
        return

    assert encoded.diagnostics == ()
    assert left_over(encoded.program) == []
    assert complaints_about(encoded) == []


def left_over(program: Program) -> list[str]:
    """What plugins should have removed."""
    found = [] if not program.adts else ["adts"]
    for member in all_members(program):
        if isinstance(member, Function | Method) and member.decreases:
            found.append(f"clauses of {member.name}")
        for node in descendants(member):
            loop = isinstance(node, While) and node.decreases
            if isinstance(node, REMOVED) or loop or has_adt(getattr(node, "type", None)):
                found.append(f"{type(node).__name__} in {member.name}")
    return found


def has_adt(type_: Type | None) -> bool:
    return isinstance(type_, AdtType) or "AdtType" in repr(type_)


def test_encoding_the_same_program_gives_the_same_program() -> None:
    path = PROGRAMS / "predicateinstance" / "nesting.vpr"
    first, second = encoded_in(path), encoded_in(path)

    assert first is not None
    assert second is not None
    assert repr(first.program) == repr(second.program)


def test_the_first_plugin_that_rejects_a_program_is_the_last() -> None:
    text = "import <predicateinstance/pi.vpr> predicate P() method m() { refute #P() == #P() }"
    encoded = encode_program(replace(program_of(text), domains={}))

    assert [d.code for d in encoded.diagnostics] == ["consistency.error"] * 2
    assert encoded.translate(()) == ()


def test_a_program_of_the_core_language_is_not_touched() -> None:
    program = program_of("field f: Int method m(x: Ref) { inhale acc(x.f) }")

    assert encode_program(program).program is program


def test_smoke_detection_comes_first() -> None:
    encoded = encode("method m() { refute false }", SMOKE)

    assert [f.message[:5] for f in encoded.translate(())] == ["Refut", "Smoke"]


def test_all_plugins_together() -> None:
    encoded = encode(
        """
        adt List { Nil() Cons(tail: List) }
        function length(xs: List): Int decreases xs { xs.isNil ? 0 : 1 + length(xs.tail) }
        predicate P(x: Ref)
        method m(x: Ref, xs: List)
          requires P(x)
          decreases P(x)
        {
          refute length(xs) == 0
        }
        """
    )

    assert complaints_about(encoded) == []
    assert sorted(encoded.program.methods) == ["length_termination_proof", "m"]
    assert list(encoded.owners.items()) == [("length_termination_proof", "length")]


def test_all_generated_members_have_an_owner() -> None:
    path = PROGRAMS / "predicateinstance" / "nesting.vpr"
    program, encoded = program_in(path), encoded_in(path)
    assert program is not None
    assert encoded is not None
    source = {member.name for member in all_members(program)}
    generated = {*encoded.program.methods, *encoded.program.functions} - source

    assert generated == set(encoded.owners)
    assert set(encoded.owners.values()) <= source
    assert encoded.owners["PI_list"] == "list"
