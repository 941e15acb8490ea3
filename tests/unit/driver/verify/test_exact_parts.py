"""Where amounts that functions require count exactly, a part of an instance is judged as a part.

The body of a predicate is found well-formed for a whole instance. Once the functions in it were
applied unchecked where a half was folded, and what they require was known: both engines proved
`false`.
"""

from __future__ import annotations

import pytest

from pitviper.base.deep_stack import run_deep
from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify.options import EngineOptions, SymbolicOptions, VcgOptions
from pitviper.driver.verify.verification import verify_program
from pitviper.results.verdict import Verdict

PROGRAM = """
field f: Int
predicate cell(x: Ref) { acc(x.f) }
function apart(x: Ref, y: Ref): Bool requires acc(x.f) && cell(y) ensures result ==> x != y
{ unfolding cell(y) in x != y }
function differ(x: Ref, y: Ref): Bool requires acc(x.f) && acc(y.f) ensures result ==> x != y
{ x != y }
predicate two(x: Ref, y: Ref) { acc(x.f) && cell(y) && apart(x, y) }
predicate both(x: Ref, y: Ref) { acc(x.f) && acc(y.f) && differ(x, y) }
predicate opened(x: Ref, y: Ref) { acc(x.f) && cell(y) && (unfolding cell(y) in differ(x, y)) }

method wrong_half(x: Ref) requires acc(x.f)
{ fold acc(cell(x), 1/2); fold acc(two(x, x), 1/2); assert false }
method wrong_fields(x: Ref) requires acc(x.f)
{ fold acc(both(x, x), 1/2); assert false }
method wrong_opened(x: Ref) requires acc(x.f)
{ fold acc(cell(x), 1/2); fold acc(opened(x, x), 1/2); assert false }
method wrong_wildcard(x: Ref) requires acc(x.f)
{ fold acc(cell(x), 1/2); fold acc(two(x, x), wildcard); assert false }
method wrong_amount(x: Ref, p: Perm) requires acc(x.f) && none < p && p < 1/2
{ fold acc(cell(x), p); fold acc(two(x, x), p); assert false }

method right_whole(x: Ref, y: Ref) requires acc(x.f) && acc(y.f)
{ fold cell(y); fold two(x, y); assert unfolding two(x, y) in apart(x, y) }
method right_half(x: Ref, y: Ref) requires acc(x.f) && acc(y.f)
{ fold cell(y); fold acc(two(x, y), 1/2); unfold acc(two(x, y), 1/2); assert apart(x, y) }
"""

ENGINES: list[EngineOptions] = [
    SymbolicOptions(respect_function_amounts=True),
    VcgOptions(respect_function_amounts=True),
]


@pytest.mark.parametrize("engine", ENGINES, ids=["symbolic", "vcg"])
def test_a_part_is_folded_only_where_its_functions_may_be_applied(engine: EngineOptions) -> None:
    program = load_text(PROGRAM).program
    assert program is not None
    found = run_deep(lambda: verify_program(program, engine))
    methods = [member for member in found.members if member.name in program.methods]
    expected = {
        name: Verdict.REFUTED if name.startswith("wrong") else Verdict.VERIFIED
        for name in program.methods
    }
    assert {member.name: member.verdict for member in methods} == expected
