"""The engine under a language that is not Viper: types, binding, operators, callbacks, reports."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

import pytest

from pitviper.driver.explore.other_models import WrongModel, explore_code, explore_model
from pitviper.engines.explore.model import program as mp
from pitviper.engines.explore.model import types as mt
from pitviper.engines.explore.model.binding import Binder, Problem
from pitviper.engines.explore.model.term import Fresh, Literal, Local, Operation
from pitviper.engines.explore.options import SearchOptions
from pitviper.engines.explore.runtime.ending import Status
from pitviper.engines.explore.runtime.inputs import Assignment
from pitviper.engines.explore.runtime.run import Callbacks, Run
from pitviper.engines.explore.runtime.value import Scalar, Value
from pitviper.engines.explore.search.extensions import Extension
from pitviper.engines.explore.search.tracker import Monitored, Tracker
from pitviper.results.search_graph import SearchGraph
from pitviper.views.json.exploration import search_object
from tests.pages.run import ROOT
from tests.pages.test_pages import matches
from tests.unit.engines.explore.small_language import NotBound, SmallLanguage

ZOO = """
@abstract
class Animal:
    age: int
    friend: Animal
    def legs(self) -> int:
        return 4
class Cat(Animal):
    pass
class Lion(Cat):
    def legs(self) -> int:
        return 5
class Bird(Animal):
    def legs(self) -> int:
        return 2
class Vector:
    x: int
    y: int
    def __add__(self, other: Vector) -> Vector:
        r = Vector()
        r.x = self.x + other.x
        r.y = self.y + other.y
        return r
    def __mul__(self, k: int) -> Vector:
        r = Vector()
        r.x = self.x * k
        r.y = self.y * k
        return r
"""
HERE = ZOO.count("\n") + 1


def searched(main: str, *extensions: Extension, runs: int = 300) -> SearchGraph:
    model = SmallLanguage(ZOO + main).model
    return explore_model(model, "main %entry", SearchOptions(runs=runs), extensions)


def failures(graph: SearchGraph) -> list[tuple[str, int]]:
    return sorted({(n.id, n.line - HERE + 1) for n in graph.nodes if n.status == "failed"})


def failing(graph: SearchGraph, error: str = "assert.failed") -> dict[str, str]:
    return next(dict(n.inputs) for n in graph.nodes if n.id.startswith(error))


def test_types_of_objects_are_solved() -> None:
    graph = searched("""def main(a: Animal, b: Animal):
    if a is not None and b is not None:
        if isinstance(a, Cat) and not isinstance(a, Lion):
            if isinstance(b, Bird):
                assert a is b
""")
    inputs = failing(graph)

    assert failures(graph) == [("assert.failed:here", 5)]
    assert inputs["typeof object1"] == "small.Cat"
    assert inputs["typeof object2"] == "small.Bird"


def test_what_no_object_can_be_is_not_reached() -> None:
    graph = searched("""def main(a: Animal, c: Cat):
    if a is not None:
        assert isinstance(a, Cat) or isinstance(a, Bird)
        assert not (isinstance(a, Cat) and isinstance(a, Bird))
    if a is c and a is not None:
        assert isinstance(a, Cat)
""")

    assert (graph.claim, graph.open) == ("holds", ())


def test_an_alias_has_the_types_of_both() -> None:
    graph = searched("""def main(a: Animal, c: Cat):
    if a is c and a is not None:
        assert isinstance(a, Lion)
""")

    assert failures(graph) == [("assert.failed:here", 3)]
    assert failing(graph)["typeof object1"] == "small.Cat"


def test_methods_are_bound_by_the_type_at_run_time() -> None:
    graph = searched("""def main(a: Animal, b: Animal) -> int:
    n = a.legs() + b.legs()
    assert n != 7
    return n
""")
    inputs, outputs = failing(graph), {n.outputs for n in graph.nodes if n.status == "passed"}

    assert failures(graph) == [("assert.failed:here", 3), ("null.called:here", 2)]
    assert sorted([inputs["typeof object1"], inputs["typeof object2"]]) == [
        "small.Bird",
        "small.Lion",
    ]
    assert outputs == {(("result", str(n)),) for n in (4, 6, 8, 9, 10)}


def test_objects_that_the_program_makes_have_a_type() -> None:
    graph = searched("""def main(a: Animal):
    c = Lion()
    assert isinstance(c, Cat) and c.legs() == 5
    assert c is not a
    assert not isinstance(a, Lion)
""")

    assert failures(graph) == [("assert.failed:here", 5)]


def test_fields_of_the_input_alias() -> None:
    graph = searched("""def main(a: Animal, b: Animal):
    a.age = 1
    b.age = 2
    assert a.age == 1
    assert a.friend is not a
""")

    assert ("assert.failed:here", 4) in failures(graph)
    assert ("assert.failed:here", 5) in failures(graph)
    aliased = [dict(n.inputs) for n in graph.nodes if n.line == HERE + 3]
    assert aliased and all(one["a"] == one["b"] for one in aliased)


def test_operators_are_methods() -> None:
    graph = searched("""def main(v: Vector, w: Vector):
    if v is not None and w is not None:
        s = (v + w) * 2
        assert s.x != 14 or s.y != 6
""")
    inputs = failing(graph)
    x = [int(inputs[f"{inputs[n]}.x"]) for n in "vw"]

    assert failures(graph) == [("assert.failed:here", 4)]
    assert 2 * sum(x) == 14


def test_an_operator_that_no_operand_has_is_told() -> None:
    with pytest.raises(NotBound, match="has the operator"):
        SmallLanguage(ZOO + "def main(v: Vector, c: Cat):\n    w = v + c\n")
    with pytest.raises(NotBound, match=r"small.Cat has no bark"):
        SmallLanguage(ZOO + "def main(c: Cat):\n    w = c.bark()\n")


# ---------------------------------------------------------------- the binder alone

TOP, LEFT, RIGHT, BOTTOM = (mt.Nominal("t", n) for n in ("Top", "Left", "Right", "Bottom"))
DIAMOND = mt.Hierarchy({TOP: (), LEFT: (TOP,), RIGHT: (TOP,), BOTTOM: (LEFT, RIGHT)})


def method(name: str, *kinds: mt.Type) -> mp.Method:
    params = tuple([Local(f"p{n}", kind) for n, kind in enumerate(kinds)])
    return mp.Method(name, name, params, (), (mp.Return(),))


def test_the_most_special_overload_is_bound() -> None:
    wide, narrow = method("wide", TOP, TOP), method("narrow", TOP, LEFT)
    binder = Binder(DIAMOND, {TOP: {"f": (wide, narrow)}})

    assert binder.method(TOP, "f", (TOP, LEFT)) is narrow
    assert binder.method(TOP, "f", (TOP, BOTTOM)) is narrow
    assert binder.method(TOP, "f", (TOP, RIGHT)) is wide
    assert isinstance(binder.method(TOP, "f", (TOP,)), Problem)


def test_what_two_supertypes_have_is_ambiguous() -> None:
    members = {LEFT: {"f": (method("l", LEFT),)}, RIGHT: {"f": (method("r", RIGHT),)}}
    found = Binder(DIAMOND, members).method(BOTTOM, "f", (BOTTOM,))

    assert found == Problem("f of t.Bottom is ambiguous: l, r")


def test_what_is_compatible_can_be_replaced() -> None:
    takes = method("takes", TOP, mt.INT)
    strict = Binder(DIAMOND, {TOP: {"f": (takes,)}})
    loose = Binder(DIAMOND, {TOP: {"f": (takes,)}}, compatible=lambda got, wanted: True)

    assert isinstance(strict.method(TOP, "f", (TOP, mt.BOOLEAN)), Problem)
    assert loose.method(TOP, "f", (TOP, mt.BOOLEAN)) is takes


def test_static_methods_have_no_receiver() -> None:
    made = method("Top.make", mt.INT)
    binder = Binder(DIAMOND, {TOP: {"make": (made,)}}, frozenset(("Top.make",)))

    assert binder.method(BOTTOM, "make", (BOTTOM, mt.INT)) is made


# ---------------------------------------------------------------- extensions and callbacks


class Adds(Extension):
    """Tries a large number after every run."""

    def successors(self, run: Run, status: Status) -> Iterable[Assignment]:
        if run.inputs.assignment.values.get("n") != 1000:
            yield Assignment({"n": 1000})


class Counts(Extension):
    def __init__(self) -> None:
        self.calls: list[str] = []

    def listener(self, run: Run) -> Callbacks | None:
        return Ear(self.calls)


class Ear:
    def __init__(self, calls: list[str]) -> None:
        self._calls = calls

    def instruction(self, index: int) -> None: ...

    def transition(self, index: int, condition: Value) -> bool:
        return False

    def constraint(self, index: int, condition: Value) -> None: ...

    def enter(self, method: str) -> None:
        self._calls.append(method)

    def leave(self, method: str) -> None: ...


LOOP = """def main(n: int) -> int:
    i = 0
    while i < n:
        i = i + 1
    assert i < 900
    return i
"""


def test_extensions_add_successors_and_hear_the_interpreter() -> None:
    without = searched(LOOP, runs=5)
    counts = Counts()
    graph = searched(LOOP, Adds(), counts, runs=5)

    assert without.claim == "open"
    assert failures(graph) == [("assert.failed:here", 5)]
    assert counts.calls.count("main") >= 5


FOREIGN = mp.Model(
    {
        "m": mp.Method(
            "m",
            "m",
            (),
            (Local("r", mt.INT),),
            (
                mp.Assign(Local("a", mt.INT), Fresh(mt.INT, "a")),
                mp.Assign(Local("r", mt.INT), Literal(0, mt.INT)),
                mp.Branch(
                    Operation("at_most", (Local("a", mt.INT), Literal(10, mt.INT)), mt.BOOLEAN), 4
                ),
                mp.Constraint(
                    mp.ConstraintKind.ASSERT,
                    Operation("differ", (Local("a", mt.INT), Literal(77, mt.INT)), mt.BOOLEAN),
                ),
                mp.Return(),
            ),
        )
    }
)


def elsewhere(name: str, inputs: Mapping[str, Scalar], tracker: Tracker) -> None:
    """The same program in Python, which tells what it does and nothing else."""
    a = inputs.get("a", 0)
    tracker.enter(name)
    tracker.instruction(0)
    tracker.instruction(1)
    tracker.instruction(2)
    tracker.transition(2, jumps=a <= 10)
    if a > 10:
        tracker.instruction(3)
        tracker.constraint(3, holds=a != 77)
    tracker.instruction(4)
    tracker.leave(name)


def test_a_program_elsewhere_is_searched_by_its_callbacks_alone() -> None:
    monitored = explore_code(Monitored(FOREIGN, elsewhere), "m")
    compiled = explore_model(FOREIGN, "m")

    assert monitored == compiled
    assert [n.status for n in monitored.nodes].count("failed") == 1
    failed = next(n for n in monitored.nodes if n.status == "failed")
    assert failed.inputs == (("a", "77"),)


# ---------------------------------------------------------------- the report


def test_nodes_have_condition_inputs_and_outputs() -> None:
    graph = searched("def main(n: int) -> int:\n    if 5 < n:\n        return 1\n    return n\n")
    large = next(n for n in graph.nodes if n.outputs == (("result", "1"),))

    assert graph.claim == "holds"
    assert [("n" in d.term, d.kind) for d in large.condition] == [(True, "branch")]
    assert int(dict(large.inputs)["n"]) > 5
    assert {n.parent for n in graph.nodes} <= {-1, *[n.number for n in graph.nodes]}


def test_the_graph_as_json_follows_its_schema() -> None:
    graph = searched("def main(a: Animal) -> int:\n    assert a.legs() < 5\n    return 1\n")
    schema = json.loads((ROOT / "docs/reference/search-schema.json").read_text(encoding="utf-8"))
    data = json.loads(json.dumps(search_object("small.py", [graph])))
    assert matches(data, schema, schema["$defs"])
    (main,) = data["methods"]

    assert {"typeof object1": "small.Lion", "a": "object1"} in [n["inputs"] for n in main["nodes"]]


def test_a_wrong_model_is_refused() -> None:
    wrong = mp.Method("m", "m", (), (), (mp.Branch(Literal(3, mt.INT), 0), mp.Return()))

    with pytest.raises(WrongModel, match="int where boolean is expected"):
        explore_model(mp.Model({"m": wrong}), "m")
