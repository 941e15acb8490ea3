"""Explored runs end as the reference interpreter says, on the inputs that the solver chose."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pitviper.driver.explore.explore import Explorer
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load_text
from pitviper.engines.concrete.interpreter import run_member
from pitviper.engines.concrete.options import ZEROES, Calls, Options
from pitviper.engines.concrete.outcome import Failed, Infeasible, Passed
from pitviper.engines.explore.options import SearchOptions
from pitviper.engines.explore.report.inputs import finding_of
from pitviper.engines.explore.runtime.ending import Status
from tests.property.exploration_claims import concrete_inputs

HEAD = """field f: Int  field n: Ref
predicate cell(x: Ref) { acc(x.f) && acc(x.n) && x.f >= 0 }
function get(x: Ref): Int requires acc(x.f, wildcard) { x.f }
method bump(x: Ref) returns (r: Int) requires acc(x.f) ensures acc(x.f) && x.f == old(x.f) + 1
{ x.f := x.f + 1  r := x.f }
method m(a: Int, b: Int, x: Ref, y: Ref, s: Seq[Int])
  requires acc(x.f) && acc(x.n) && acc(y.f, 1/2) && |s| <= 2
  ensures acc(x.f)
{
  var t: Int := 0
"""

CONDITIONS = ["a > 3", "b == a + 1", "x.f < y.f", "x == y", "|s| == 2", "x.n == null", "t % 3 == 1"]
STATEMENTS = [
    "t := t + a", "t := x.f - b", "x.f := t", "x.f := a * 2", "x.n := y", "t := bump(x)",
    "t := get(y)", "assert t != 4", "assert x.f == y.f", "exhale acc(y.f, 1/4)", "t := s[0]",
    "assert x.f <= 10", "t := a \\ b", "assert a in s", "assert perm(y.f) == 1/2", "x := x.n",
]  # fmt: skip
STATEMENTS.remove("x := x.n")
PARAMS = ["a", "b", "x", "y", "s"]


@st.composite
def bodies(draw: st.DrawFn, depth: int = 2) -> str:
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        if depth and draw(st.booleans()):
            then, other = draw(bodies(depth - 1)), draw(bodies(depth - 1))
            condition = draw(st.sampled_from(CONDITIONS))
            lines.append(f"if ({condition}) {{\n{then}\n}} else {{\n{other}\n}}")
        else:
            lines.append(draw(st.sampled_from(STATEMENTS)))
    return "\n".join(lines)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(bodies())
def test_runs_end_alike(body: str) -> None:
    front = load_text(f"{HEAD}{body}\n}}", "m.vpr")
    assert front.program is not None
    options = ExploreOptions(methods=("m",), search=SearchOptions(runs=25, nodes=60))
    explorer = Explorer(front.program, "m.vpr", options)
    compared = 0
    for node in explorer.search("m").nodes():
        if node.run is None or node.status not in (Status.PASSED, Status.FAILED):
            continue
        ours = None
        if node.status is Status.FAILED and node.site is not None:
            ours = finding_of(explorer.code.model, node.site)
        inputs = concrete_inputs(node.run, PARAMS)
        theirs = run_member(front.program, "m", inputs, ZEROES, Options(calls=Calls.INLINE)).outcome
        assert not isinstance(theirs, Infeasible), (body, inputs, theirs)
        if ours is None:
            assert isinstance(theirs, Passed), (body, inputs, theirs)
        else:
            assert isinstance(theirs, Failed), (body, inputs, ours)
            assert (theirs.id, theirs.finding.span) == (ours.id, ours.span), (body, inputs)
        compared += 1
    explorer.close()
    assert compared > 0
