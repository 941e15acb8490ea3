from __future__ import annotations

from dataclasses import replace

from pitviper.plugins.predicate_instance import ERROR
from pitviper.program.expr import PredicateInstance
from pitviper.program.print.printer import member_text
from pitviper.program.walk import descendants
from pitviper.results.finding import Finding
from tests.unit.plugins.encoded_texts import (
    ELSEWHERE,
    complaints_about,
    encode,
    encode_program,
    program_of,
)

TEXT = """
import <predicateinstance/pi.vpr>
field f: Int
predicate cell(x: Ref) { acc(x.f) }
method m(x: Ref)
  requires cell(x)
{
  assert #cell(x) == #cell(x)
}
"""


def test_an_instance_is_a_function_of_what_the_predicate_holds() -> None:
    encoded = encode(TEXT)
    function = encoded.program.functions["PI_cell"]

    assert member_text(function).splitlines() == [
        "function PI_cell(x: Ref): PredicateInstance",
        "  requires acc(cell(x), wildcard)",
    ]
    assert "assert PI_cell(x) == PI_cell(x)" in member_text(encoded.program.methods["m"])
    assert complaints_about(encoded) == []


def test_only_used_predicates_get_a_function() -> None:
    encoded = encode("import <predicateinstance/pi.vpr> predicate P() method m() { }")

    assert encoded.program.functions == {}


def test_the_type_has_to_be_declared() -> None:
    """The checker rejects such a program; one that is built by a tool may get here."""
    encoded = encode_program(replace(program_of(TEXT), domains={}))

    assert [(d.code, d.span.line) for d in encoded.diagnostics if d.span] == [
        ("consistency.error", 8),
        ("consistency.error", 8),
    ]


def test_missing_access_is_told_about_the_instance() -> None:
    program = program_of(TEXT)
    body = program.methods["m"].body
    assert body is not None
    instance = next(n for n in descendants(body) if isinstance(n, PredicateInstance))
    finding = Finding(
        "application.precondition",
        "insufficient.permission",
        instance.span,
        "m",
        "Precondition of function PI_cell might not hold. There might be insufficient permission"
        " to access cell(x)",
    )
    told = encode_program(program).translate((finding,))

    assert [f.id for f in told] == [f"{ERROR}:insufficient.permission"]
    assert told[0].message == (
        "Accessing predicate instance might fail."
        " There might be insufficient permission to access cell(x)"
    )


def test_other_applications_are_left_alone() -> None:
    finding = Finding("application.precondition", "assertion.false", ELSEWHERE, "m", "text")

    assert encode(TEXT).translate((finding,)) == (finding,)
