"""What nobody judged is not assumed: contents of a half instance do not have full permission."""

from pitviper.base.deep_stack import run_deep
from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify.verification import verify_program
from pitviper.engines.symbolic.options import Options

PROGRAM = """
field f: Int
predicate cell(c: Ref) { acc(c.f) }
function full(c: Ref): Bool requires acc(cell(c)) { true }
predicate sealed(c: Ref) { acc(cell(c)) && full(c) }
method half(c: Ref)
  requires acc(sealed(c), 1/2)
{
  unfold acc(sealed(c), 1/2)
  assert false
}
"""


def test_the_contents_of_a_half_instance_are_taken_as_they_are() -> None:
    program = load_text(PROGRAM).program
    assert program is not None
    found = run_deep(lambda: verify_program(program, Options(respect_function_amounts=True)))
    assert [f.id for f in found.findings] == ["assert.failed:assertion.false"]
