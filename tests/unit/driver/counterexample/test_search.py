"""Counterexamples of the programs that the thesis on visual debugging discusses, and of others."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.base.usage_error import UsageError
from pitviper.driver.counterexample.search import CounterexampleOptions, counterexamples
from pitviper.driver.verify.options import VerifyOptions
from pitviper.results.counterexample import (
    Absence,
    Counterexample,
    NoCounterexample,
    Result,
    Standing,
)

PROGRAMS = Path(__file__).parents[3] / "programs" / "counterexamples"
EXAMPLES = Path(__file__).parents[4] / "examples"
DEFAULTS = CounterexampleOptions()


def find(name: str, options: CounterexampleOptions = DEFAULTS) -> tuple[Result, ...]:
    return counterexamples(PROGRAMS / f"{name}.vpr", options).results


def instance(name: str, options: CounterexampleOptions = DEFAULTS) -> Counterexample:
    first = find(name, options)[0]
    assert isinstance(first, Counterexample)
    assert first.standing is not Standing.CANDIDATE
    return first


def absence(name: str, options: CounterexampleOptions = DEFAULTS) -> NoCounterexample:
    first = find(name, options)[0]
    assert isinstance(first, NoCounterexample)
    return first


def values(found: Counterexample) -> dict[str, str]:
    return {v.name: v.value.text for v in found.variables}


def held(found: Counterexample, label: str = "") -> dict[str, tuple[str, str]]:
    heap = next(h for h in found.heaps if h.label == label)
    return {f"{at.object}.{at.field}": (at.amount, at.value.text) for at in heap.locations}


def test_listing_3_3_two_names_for_one_object() -> None:
    found = instance("given_away")
    assert found.standing is Standing.REPLAYED
    assert found.objects == ("Ref1",)
    assert values(found)["given"] == values(found)["kept"] == "Ref1"
    assert held(found) == {}
    assert list(held(found, "old")) == ["Ref1.val"]


def test_listing_6_1_a_link_that_leaves_the_set() -> None:
    leaves = "exists n: Ref :: n in ns && n.next != null && !(n.next in ns)"
    found = instance("open_graph", CounterexampleOptions(at=9, where=(leaves,)))
    assert found.finding is None
    assert values(found) == {"ns": "Set(Ref1)", "x": "Ref1"}
    assert held(found) == {"Ref1.next": ("write", "Ref2")}


def test_listing_6_2_no_ring() -> None:
    found = find("no_ring", CounterexampleOptions(instances=3))
    shapes = []
    for each in found:
        assert isinstance(each, Counterexample)
        assert each.standing is Standing.REPLAYED
        successors = {place: value for place, (_, value) in held(each).items()}
        assert values(each)["n"] not in successors.values()
        assert all(value != place.partition(".")[0] for place, value in successors.items())
        shapes.append(tuple(sorted(successors.items())))
    assert len(shapes[0]) == 3
    assert len(set(shapes)) == 3


def test_listing_6_3_its_own_successor() -> None:
    found = instance("own_successor")
    assert found.member == "addBoth"
    assert held(found)["Ref1.next"] == ("write", "Ref1")
    assert "Ref1.val" not in held(found)
    assert len(find("own_successor")) == 1


def test_listing_6_4_what_was_learnt_under_unfolding_holds() -> None:
    found = instance("learnt_unfolding")
    assert held(found)["Ref1.ref"][1] != "null"
    assert held(found)["Ref1.val"][1] != "3"


def test_listing_6_5_a_wrong_swap_in_an_array() -> None:
    found = instance("array_swap")
    assert found.standing is Standing.REPLAYED
    assert values(found)["i"] != values(found)["j"]
    assert {f.text: f.value.text for f in found.functions}["len(Array1)"] == "2"


def test_section_6_1_2_contradictory_preconditions() -> None:
    found = absence("small_set", CounterexampleOptions(at=6))
    assert found.absence is Absence.UNREACHABLE
    assert {r.text for r in found.because} == {
        "(forall i: Int :: (i in ints) ==> i == 1)",
        "|ints| > 1",
    }


@pytest.mark.parametrize("name", ["same_twice", "some_number", "never_triggered"])
def test_section_6_1_2_spurious_errors(name: str) -> None:
    found = absence(name)
    assert found.absence is Absence.SPURIOUS
    assert found.advice


def test_the_quantifier_that_the_solver_did_not_use_is_told() -> None:
    found = absence("never_triggered")
    assert [r.text for r in found.because] == ["axiom always"]
    assert "wake(0)" in found.advice[0]


@pytest.mark.parametrize("line", range(11, 17))
def test_section_6_3_2_all_six_states(line: int) -> None:
    found = instance("in_portions", CounterexampleOptions(at=line))
    assert len(found.objects) == 4
    amounts = [amount for amount, _ in held(found).values()]
    assert amounts.count("write") == (4 if line == 11 else 3)
    assert len(amounts) == (3 if line == 16 else 4)


def test_listing_6_6_five_twins() -> None:
    small = instance("twins", CounterexampleOptions(at=9, select=("twins",)))
    numbers = [value for _, value in held(small).values()]
    assert len(numbers) == 5
    assert all(numbers.count(n) > 1 for n in numbers)
    large = instance("twins", CounterexampleOptions(at=17, select=("largeTwins",)))
    assert all(int(value) > 1000000 for _, value in held(large).values())


def test_section_6_3_4_four_arguments() -> None:
    found = instance("four_arguments")
    assert values(found) == {"i": "7"}
    assert [f.text for f in found.functions] == ["f0(1, 2, 3, 4)"]


def test_the_example_of_the_readme() -> None:
    results = counterexamples(EXAMPLES / "broken" / "swap.vpr", DEFAULTS).results
    assert len(results) == 1
    assert isinstance(results[0], Counterexample)
    assert results[0].standing is Standing.REPLAYED
    assert results[0].caption.startswith("line 10 fails: b.value == old(a.value) is false (0 == 1)")


# ---------------------------------------------------------------- bounds and constraints


def test_none_within_bounds() -> None:
    found = absence("no_ring", CounterexampleOptions(objects=2))
    assert found.absence is Absence.WITHIN_BOUNDS
    assert found.objects == 2


def test_each_variable_may_have_an_object_of_its_own(tmp_path: Path) -> None:
    names = [f"x{i}" for i in range(9)]
    held_all = " && ".join([f"acc({name}.f)" for name in names])
    params = ", ".join([f"{name}: Ref" for name in names])
    file = tmp_path / "nine.vpr"
    file.write_text(f"field f: Int\nmethod m({params}) requires {held_all} {{ assert x0.f > 0 }}\n")
    found = counterexamples(file, DEFAULTS).results[0]
    assert isinstance(found, Counterexample)
    assert len(found.objects) == 9


def test_amounts_without_a_simple_common_part_are_found_at_once(tmp_path: Path) -> None:
    amounts = [f"p{i}" for i in range(20)]
    params = ", ".join([f"{p}: Perm" for p in amounts])
    positive = " && ".join([f"{p} > none" for p in amounts])
    exhales = "\n".join([f"exhale acc(x.f, {p})" for p in amounts])
    file = tmp_path / "twenty.vpr"
    file.write_text(
        f"field f: Int\nmethod m(x: Ref, {params})\n"
        f"requires acc(x.f) && {positive} && {' + '.join(amounts)} < write\n"
        f"{{ {exhales}\nassert x.f > 0 }}\n"
    )
    found = counterexamples(file, DEFAULTS, VerifyOptions(timeout=300)).results[0]
    assert isinstance(found, Counterexample)
    assert found.standing is Standing.REPLAYED


def test_constraints_hold_in_what_is_found() -> None:
    where = ("|nodes| == 4", "n.next != null && n.next.next.next != n.next")
    found = instance("no_ring", CounterexampleOptions(where=where))
    assert len(found.objects) == 4


@pytest.mark.parametrize(
    ("where", "complaint"),
    [
        ("n +", "expected"),
        ("n == 3", "type"),
        ("nodez == nodes", "nodez"),
        ("acc(n.next)", "perm"),
    ],
)
def test_wrong_constraints(where: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        find("no_ring", CounterexampleOptions(where=(where,)))


def test_contradictory_constraints() -> None:
    found = absence("no_ring", CounterexampleOptions(where=("n == null",)))
    assert found.absence is Absence.EXCLUDED
    assert "n == null" in {r.text for r in found.because}


def test_a_line_without_statement() -> None:
    with pytest.raises(UsageError, match="line 2"):
        find("no_ring", CounterexampleOptions(at=2))


def test_variables_are_those_of_the_user_not_those_of_a_contract(tmp_path: Path) -> None:
    """The formal parameter of a callee and of a predicate may have the name of a variable."""
    program = """
    method callee(n: Int) requires n != 5 { }
    method caller(n: Int) requires n > 0 { callee(n + 1) }
    field f: Int
    predicate P(x: Ref) { acc(x.f) && x.f > 0 }
    method folding(x: Ref, y: Ref)
      requires acc(y.f) && y.f == 0 && acc(x.f) && x.f == 1
    { fold P(y) }
    """
    file = tmp_path / "formals.vpr"
    file.write_text(program)
    called, folded = counterexamples(file, DEFAULTS).results
    assert isinstance(called, Counterexample)
    assert isinstance(folded, Counterexample)
    assert (values(called), called.standing) == ({"n": "4"}, Standing.REPLAYED)
    shown = values(folded)
    assert held(folded) == {
        f"{shown['x']}.f": ("write", "1"),
        f"{shown['y']}.f": ("write", "0"),
    }
