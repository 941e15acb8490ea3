"""Symbolic states at a place as JSON objects: for editors, the page and tools of agents."""

from __future__ import annotations

from pitviper.results.cursor import HeldAt, StateAt, StatesAt, StepAt, Track
from pitviper.views.json.lines import Json, JsonObject


def states_object(found: StatesAt) -> JsonObject:
    """Returns the states at a place; lines and columns count from 1."""
    return {
        "member": found.member,
        "reason": found.reason,
        "omitted": found.omitted,
        "states": [state_object(state) for state in found.states],
    }


def state_object(state: StateAt) -> JsonObject:
    asked = state.asked
    return {
        "step": state.step,
        "after": state.after,
        "start": [*state.span.start_position],
        "end": [*state.span.end_position],
        "text": state.text,
        "store": [{"name": name, "value": value} for name, value in state.store],
        "heap": _held(state.heap),
        "oldHeaps": [{"label": name, "heap": _held(heap)} for name, heap in state.old_heaps],
        "conditions": [*state.conditions],
        "facts": [*state.facts],
        "problems": [*state.problems],
        "asked": None
        if asked is None
        else {"text": asked.text, "value": asked.value, "permission": asked.permission},
    }


def _held(heap: tuple[HeldAt, ...]) -> list[Json]:
    return [
        {
            "location": held.location,
            "value": held.value,
            "amount": held.amount,
            "quantifier": held.quantifier,
            "when": held.when,
            "text": held.text,
            "contents": _held(held.contents),
        }
        for held in heap
    ]


def track_object(track: Track) -> JsonObject:
    """Returns one way through a member."""
    return {
        "conditions": [*track.conditions],
        "ending": track.ending,
        "steps": [step_object(step) for step in track.steps],
    }


def step_object(step: StepAt) -> JsonObject:
    return {
        "number": step.number,
        "rule": step.rule,
        "text": step.text,
        "start": _place(step.span.start_position),
        "end": _place(step.span.end_position),
        "problems": [*step.problems],
    }


def _place(position: tuple[int, int]) -> list[Json]:
    return [*position]
