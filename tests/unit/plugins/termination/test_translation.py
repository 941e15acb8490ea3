from __future__ import annotations

from dataclasses import replace

from pitviper.results.finding import Finding
from pitviper.source.span import Span
from tests.unit.plugins.encoded_texts import ELSEWHERE, checks, encode, failed_check, told

TEXT = """
field f: Int
function g(x: Ref): Int
  requires acc(x.f)
  decreases x.f
{
  g(x)
}
method m(n: Int)
  decreases n
{
  m(n)
}
"""


def the_check(member: str) -> tuple[str, ...]:
    return next(origin for name, _, origin in checks(encode(TEXT)) if name == member)


def found(error: str, member: str, origin: tuple[str, ...] = ()) -> Finding:
    text = "Assert might fail. There might be insufficient permission to access x.f"
    return Finding(error, "insufficient.permission", ELSEWHERE, member, text, origin=origin)


def test_a_measure_without_a_value_is_told_at_the_call() -> None:
    encoded = encode(TEXT)
    finding = found("assert.failed", "g_termination_proof", the_check("g_termination_proof"))

    assert told(encoded, finding) == [("termination.failed:insufficient.permission", 7, "g")]
    message = encoded.translate((finding,))[0].message
    assert message == (
        "Function might not terminate. There might be insufficient permission to access x.f"
    )


def test_what_the_function_itself_fails_with_is_told_once() -> None:
    encoded = encode(TEXT)
    own = replace(found("not.wellformed", "g"), span=Span(ELSEWHERE.file, 2, 3))
    copy = found("not.wellformed", "g_termination_proof")

    assert encoded.translate((own, copy)) == (own,)
    assert encoded.translate((copy, own)) == (own,)


def test_a_proof_that_got_stuck_is_told() -> None:
    encoded = encode(TEXT)
    stuck = found("not.wellformed", "g_termination_proof")

    assert encoded.translate((stuck, stuck)) == (replace(stuck, member="g"),)


def test_failed_checks_and_side_findings_of_other_members_do_not_mix() -> None:
    encoded = encode(TEXT)
    failed = failed_check("m", the_check("m"))
    stuck = found("unfold.failed", "g_termination_proof")

    assert told(encoded, failed, stuck) == [
        ("termination.failed:tuple.false", 12, "m"),
        ("unfold.failed:insufficient.permission", 1, "g"),
    ]


def test_findings_about_the_source_are_left_alone() -> None:
    encoded = encode(TEXT)
    own = found("exhale.failed", "m")

    assert encoded.translate((own,)) == (own,)


def test_the_failing_part_of_a_single_measure_is_named() -> None:
    encoded = encode(TEXT)
    failed = failed_check("m", the_check("m"))
    measure = TEXT.index("decreases n") + len("decreases ")
    call = encoded.translate((failed,))[0].span

    def message(offending: Span) -> str:
        return encoded.translate((replace(failed, offending=offending),))[0].message

    assert message(call) == "Method might not terminate. Termination measure might not decrease."
    bound = Span(call.file, measure, measure + 1)
    assert message(bound).endswith("Termination measure might not be bounded.")
    assert message(ELSEWHERE).endswith("might not decrease or might not be bounded.")
