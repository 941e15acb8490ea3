from __future__ import annotations

from pitviper.plugins.names import Names
from tests.unit.plugins.encoded_texts import program_of

TEXT = """
field taken: Int
domain D[T] { function given(t: T): Int  axiom named { true } }
adt A { C(part: Int) }
method m(param: Int) { var local: Int  label place  assert forall bound: Int :: bound == bound }
"""


def test_no_name_of_the_program_is_given_out() -> None:
    names = Names(program_of(TEXT))
    used = "taken D T given named A C part isC m param local place bound".split()

    assert [names.fresh(name) for name in used] == [f"{name}_0" for name in used]


def test_no_name_is_given_out_twice() -> None:
    names = Names(program_of(TEXT))

    assert [names.fresh("x") for _ in range(3)] == ["x", "x_0", "x_1"]
    assert names.fresh("x_0") == "x_0_0"


def test_a_new_member_may_repeat_locals_of_others_but_no_global_name() -> None:
    names = Names(program_of(TEXT))
    inside = names.of_new_member(["parameter"])

    assert inside.fresh("local") == "local"
    assert inside.fresh("taken") == "taken_0"
    assert inside.fresh("parameter") == "parameter_0"


def test_global_names_and_names_in_new_members_stay_apart() -> None:
    names = Names(program_of(TEXT))
    inside = names.of_new_member([])

    assert inside.fresh("helper") == "helper"
    assert names.fresh("helper") == "helper_0"
    assert names.of_new_member([]).fresh("helper_0") == "helper_0_0"
