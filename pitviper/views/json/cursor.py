"""Symbolic states at a place as JSON objects: for editors, the page and tools of agents."""

from __future__ import annotations

from pitviper.results.cursor import HeldAt, HeldChange, StateAt, StatesAt, StepAt, Track
from pitviper.views.json.lines import Json, JsonObject, parts_of


def states_object(found: StatesAt) -> JsonObject:
    """Returns the states at a place; lines and columns count from 1."""
    states = [state_object(state) for state in found.states]
    return {**parts_of(found, "member", "reason", "omitted"), "states": [*states]}


def state_object(state: StateAt) -> JsonObject:
    return {
        **parts_of(state, "step", "after"),
        "start": [*state.span.start_position],
        "end": [*state.span.end_position],
        "text": state.text,
        "store": [{"name": name, "value": value} for name, value in state.store],
        "heap": _held(state.heap),
        "oldHeaps": [{"label": name, "heap": _held(heap)} for name, heap in state.old_heaps],
        **parts_of(state, "conditions", "facts", "problems", "asked"),
    }


def _held(heap: tuple[HeldAt, ...]) -> list[Json]:
    return [
        {
            **parts_of(held, "location", "value", "amount", "quantifier", "when", "text"),
            "contents": _held(held.contents),
        }
        for held in heap
    ]


def track_object(track: Track) -> JsonObject:
    """Returns one way through a member."""
    steps = [step_object(step) for step in track.steps]
    return {**parts_of(track, "conditions", "ending"), "steps": [*steps]}


def step_object(step: StepAt) -> JsonObject:
    return {
        **parts_of(step, "number", "rule", "text"),
        "start": [*step.span.start_position],
        "end": [*step.span.end_position],
        **parts_of(step, "problems"),
    }


def change_object(change: HeldChange) -> JsonObject:
    """What a statement brings and takes; `end` is the offset behind it."""
    return {"end": change.span.end, "gained": list(change.gained), "lost": list(change.lost)}
