"""The program model apart from any search: types, text, data, analyses, callbacks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitviper.driver.front.frontend import load, load_text
from pitviper.engines.explore.analysis.dataflow import single_assignment, uninitialised
from pitviper.engines.explore.analysis.entry_facts import method_facts
from pitviper.engines.explore.analysis.graph import graph_of
from pitviper.engines.explore.model.check import check_model, type_of
from pitviper.engines.explore.model.printer import model_text
from pitviper.engines.explore.model.program import (
    Assign,
    Blame,
    Branch,
    Constraint,
    ConstraintKind,
    Method,
    Model,
    Return,
)
from pitviper.engines.explore.model.serialise import BadData, read_method, read_term, write_method
from pitviper.engines.explore.model.term import Fresh, Literal, Local, Operation, Term
from pitviper.engines.explore.model.types import (
    BOOLEAN,
    INT,
    INVALID,
    NULL,
    OBJECT,
    Hierarchy,
    Nominal,
)
from pitviper.engines.explore.runtime.ending import Ended, Status
from pitviper.engines.explore.runtime.inputs import Assignment
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.value import Value, plain
from pitviper.engines.explore.search.compile import compile_model
from pitviper.engines.explore.search.engine import execute
from pitviper.engines.explore.search.tracker import OutOfStep, Tracker
from pitviper.engines.explore.viper.calls import entry_name
from pitviper.engines.explore.viper.program import model_of
from pitviper.source.span import NO_SPAN
from tests.unit.engines.explore.test_features import FIELD, ROWS

EXAMPLES = Path(__file__).parents[4] / "examples" / "explore"

A, B = Local("a", INT), Local("b", INT)
BLAME = Blame("assert.failed", "assertion.false", "m", "no", NO_SPAN, NO_SPAN)


def _number(value: int) -> Literal:
    return Literal(value, INT)


def _less(one: Term, other: Term) -> Operation:
    return Operation("less", (one, other), BOOLEAN)


LISTING = Method(
    "m",
    "m",
    (),
    (),
    (
        Assign(A, Fresh(INT, "a")),
        Assign(B, Fresh(INT, "b")),
        Branch(Operation("not", (_less(_number(10), A),), BOOLEAN), 5),
        Branch(
            Operation("not", (_less(Operation("mul", (A, _number(2)), INT), B),), BOOLEAN),
            5,
        ),
        Constraint(ConstraintKind.ASSERT, Literal(value=False, type=BOOLEAN), BLAME),
        Return(),
    ),
)
MODEL = Model({"m": LISTING})


def _python_program(a: int, b: int, tracker: Tracker) -> None:
    """Listing 1.1 in another runtime, with the callbacks written by hand."""
    tracker.enter("m")
    tracker.instruction(0)
    tracker.instruction(1)
    tracker.instruction(2)
    tracker.transition(2, jumps=not a > 10)
    if a > 10:
        tracker.instruction(3)
        tracker.transition(3, jumps=not b > a * 2)
        if b > a * 2:
            tracker.instruction(4)
            tracker.constraint(4, holds=False)
    tracker.instruction(5)
    tracker.leave("m")


@pytest.mark.parametrize(("a", "b"), [(0, 0), (11, 0), (11, 23)])
def test_callbacks_alone_know_the_path_that_a_compiled_run_knows(a: int, b: int) -> None:
    values = Assignment({"a": a, "b": b})
    compiled = Run(MODEL, values)
    status, _, _ = execute(compile_model(MODEL), "m", compiled)
    tracker = Tracker(MODEL, Run(MODEL, values))
    told = Status.PASSED
    try:
        _python_program(a, b, tracker)
    except Ended as end:
        told = end.status

    assert told is status
    paths = [[(d.term, d.taken) for d in r.path.decisions] for r in (compiled, tracker.run)]
    assert paths[0] == paths[1]
    assert compiled.coverage.instructions == tracker.run.coverage.instructions


def test_a_runtime_that_goes_elsewhere_is_out_of_step() -> None:
    tracker = Tracker(MODEL, Run(MODEL, Assignment({"a": 11, "b": 0})))

    with pytest.raises(OutOfStep):
        _python_program(0, 0, tracker)


@pytest.mark.parametrize("row", ROWS)
def test_what_the_adapter_makes_is_well_typed_and_can_be_written(row: str) -> None:
    front = load_text(FIELD + ROWS[row], "t.vpr")
    assert front.program is not None
    model, _ = model_of(front.program, ("m",))

    assert check_model(model) == []
    assert "method m(" in model_text(model)
    for method in model.methods.values():
        data = json.loads(json.dumps(write_method(method)))
        again = read_method(data)
        assert write_method(again) == data
        assert len(again.instructions) == len(method.instructions)


def test_wrong_models_are_told() -> None:
    wrong = Method(
        "w",
        "w",
        (),
        (),
        (
            Assign(A, Literal(value=True, type=BOOLEAN)),
            Branch(Operation("less", (A, Literal(None, OBJECT)), BOOLEAN), 9),
            Return(),
        ),
    )

    problems = check_model(Model({"w": wrong}))
    assert len(problems) == 3
    assert type_of(Operation("unheard of", (), INT)) == INVALID
    with pytest.raises(BadData):
        read_term({"nothing": 1})


def test_subtypes_are_sets_of_numbers() -> None:
    animal, cat, dog = (Nominal("zoo", n) for n in ("Animal", "Cat", "Dog"))
    types = Hierarchy({animal: (), cat: (animal,), dog: (animal,)})

    assert types.subtypes(animal) == {1, 2, 3}
    assert types.subtypes(cat) == {2}
    assert types.extends(cat, OBJECT) and types.extends(NULL, dog)
    assert not types.extends(cat, dog)


def test_the_graph_knows_paths_loops_and_dead_code() -> None:
    graph = graph_of(LISTING)
    assert graph.paths == 3
    assert graph.loops == 0

    loop = Method(
        "l",
        "l",
        (A,),
        (),
        (
            Branch(_less(_number(9), A), 3),
            Assign(A, Operation("add", (A, _number(1)), INT)),
            Branch(Literal(value=True, type=BOOLEAN), 0),
            Return(),
            Assign(B, A),
            Return(),
        ),
    )
    graph = graph_of(loop)
    assert graph.paths is None
    assert graph.loops == 1
    assert graph.dead_instructions() == [4, 5]
    versions = single_assignment(loop, graph)
    assert len(versions.makes[1]) == 1
    (joined,) = [v for v in versions.joins[0] if v.name == "a"]
    assert versions.reads[0] == (joined,)
    assert versions.joins[0][joined] == versions.makes[1]


def test_known_conditions_need_no_second_branch() -> None:
    method = Method(
        "k",
        "k",
        (A,),
        (B,),
        (
            Branch(_less(_number(3), A), 4),
            Assign(B, _number(1)),
            Branch(_less(_number(3), A), 4),
            Assign(B, _number(2)),
            Return(),
        ),
    )

    assert method_facts(method, graph_of(method)).branches == {2: False}
    assert uninitialised(method, graph_of(method)) == []
    reads = Method("r", "r", (), (), (Assign(A, B), Return()))
    assert uninitialised(reads, graph_of(reads)) == ["b"]


class _Told(Run):
    """A run that keeps what it tells, as another runtime would tell it."""

    def __init__(self, model: Model, assignment: Assignment) -> None:
        super().__init__(model, assignment)
        self.said: list[tuple[str, str | int, bool]] = []

    def enter(self, method: str) -> None:
        self.said.append(("enter", method, True))
        super().enter(method)

    def leave(self, method: str) -> None:
        super().leave(method)
        self.said.append(("leave", method, True))

    def instruction(self, index: int) -> None:
        self.said.append(("instruction", index, True))
        super().instruction(index)

    def transition(self, index: int, condition: Value) -> bool:
        jumps = super().transition(index, condition)
        self.said.append(("transition", index, jumps))
        return jumps

    def constraint(self, index: int, condition: Value, *, assertion: bool = True) -> None:
        holds = bool(condition if isinstance(condition, bool) else plain(condition))
        self.said.append(("constraint", index, holds))
        super().constraint(index, condition, assertion=assertion)


def _follow(said: list[tuple[str, str | int, bool]], tracker: Tracker) -> Status | None:
    """Tells a tracker what another runtime told; how it ended, if not by itself."""
    try:
        for what, at, value in said:
            if isinstance(at, str):
                (tracker.enter if what == "enter" else tracker.leave)(at)
            elif what == "instruction":
                tracker.instruction(at)
            elif what == "transition":
                tracker.transition(at, jumps=value)
            else:
                tracker.constraint(at, holds=value)
    except Ended as end:
        return end.status
    return None


@pytest.mark.parametrize("values", [{}, {"a": 11, "b": 23}, {"a": 11, "b": 0}])
def test_callbacks_alone_follow_a_model_that_an_adapter_made(values: dict[str, int]) -> None:
    front = load(EXAMPLES / "two_branches.vpr")
    assert front.program is not None
    model, _ = model_of(front.program, ("check",))
    told = _Told(model, Assignment(values))
    status, _, _ = execute(compile_model(model, {}), entry_name("check"), told)
    tracker = Tracker(model, Run(model, Assignment(values)))
    ended = _follow(told.said, tracker)

    assert tracker.run.path.decisions == told.path.decisions
    assert tracker.run.coverage.reached == told.coverage.reached
    assert ended is (Status.FAILED if status is Status.FAILED else None)


@pytest.mark.parametrize("row", ROWS)
def test_callbacks_alone_follow_every_row_of_table_3_1(row: str) -> None:
    front = load_text(FIELD + ROWS[row], "t.vpr")
    assert front.program is not None
    model, _ = model_of(front.program, ("m",))
    told = _Told(model, Assignment())
    status, _, _ = execute(compile_model(model, {}), entry_name("m"), told)
    tracker = Tracker(model, Run(model, Assignment()))
    ended = _follow(told.said, tracker)

    seen = tracker.run.path.decisions
    assert seen == told.path.decisions[: len(seen)]
    if status is not Status.RETRY:  # ended in the middle of an instruction, which nobody tells of
        assert len(seen) == len(told.path.decisions)
    assert ended in (None, status)
