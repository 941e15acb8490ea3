"""Recorded states under the names that their program has for variables (`base/written.py`)."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.base.written import Written, as_written
from pitviper.results.cursor import HeldAt, StateAt
from pitviper.results.debugging import DebugNode
from pitviper.results.symbolic_states import HeldLine, StoredValue, SymbolicState


def written_state(state: SymbolicState, source: str) -> SymbolicState:
    """Returns a recorded state with the names that its program has for them."""
    texts = [*_stored_texts(state.store), *[text for fact in state.facts for text in _texts(fact)]]
    for view in (*[line.view for line in state.heap], *state.gone, *_all(state.old_heaps)):
        texts += _held_texts(view)
    if not any("$" in text for text in texts):
        return state
    to = Written(texts, source)
    return replace(
        state,
        store=tuple([_stored(value, to) for value in state.store]),
        heap=tuple([HeldLine(_held(line.view, to), line.is_new) for line in state.heap]),
        gone=_heap(state.gone, to),
        old_heaps=tuple([(title, _heap(heap, to)) for title, heap in state.old_heaps]),
        facts=tuple([_fact(fact, to) for fact in state.facts]),
    )


def written_state_at(state: StateAt, source: str) -> StateAt:
    """Returns a state at a place with the names that its program has for them."""
    texts = [*[part for pair in state.store for part in pair], *state.conditions, *state.facts]
    for view in (*state.heap, *_all(state.old_heaps)):
        texts += _held_texts(view)
    if not any("$" in text for text in (state.text, *texts)):
        return state
    to = Written(texts, source)
    return replace(
        state,
        text=as_written(state.text, source),
        store=tuple([(to.text(name), to.text(value)) for name, value in state.store]),
        heap=_heap(state.heap, to),
        old_heaps=tuple([(title, _heap(heap, to)) for title, heap in state.old_heaps]),
        conditions=tuple([to.text(text) for text in state.conditions]),
        facts=tuple([to.text(text) for text in state.facts]),
    )


def written_changes(
    changes: tuple[tuple[str, str], ...], source: str
) -> tuple[tuple[str, str], ...]:
    """Returns what a statement has changed, names and values."""
    to = Written([f"{name} {value}" for name, value in changes], source)
    return tuple([(to.text(name), to.text(value)) for name, value in changes])


def _held(view: HeldAt, to: Written) -> HeldAt:
    """Returns what is held; the variables of its quantifier are in all its parts."""
    whole = _held_text(view)
    return replace(
        view,
        location=to.text(view.location, whole),
        value=None if view.value is None else to.text(view.value, whole),
        amount=to.text(view.amount, whole),
        quantifier=to.text(view.quantifier, whole),
        when=to.text(view.when),
        contents=_heap(view.contents, to),
    )


def _heap(heap: tuple[HeldAt, ...], to: Written) -> tuple[HeldAt, ...]:
    return tuple([_held(view, to) for view in heap])


def _fact(node: DebugNode, to: Written) -> DebugNode:
    final = None if node.final is None else to.text(node.final)
    return replace(node, final=final, children=tuple([_fact(child, to) for child in node.children]))


def _stored(value: StoredValue, to: Written) -> StoredValue:
    before = None if value.before is None else to.text(value.before)
    return replace(value, name=to.text(value.name), value=to.text(value.value), before=before)


def _stored_texts(store: tuple[StoredValue, ...]) -> list[str]:
    return [text for row in store for text in (row.name, row.value, row.before or "")]


def _texts(fact: DebugNode) -> list[str]:
    own = [] if fact.final is None else [fact.final]
    return own + [text for child in fact.children for text in _texts(child)]


def _all(heaps: tuple[tuple[str, tuple[HeldAt, ...]], ...]) -> list[HeldAt]:
    return [view for _, heap in heaps for view in heap]


def _held_text(view: HeldAt) -> str:
    return f"{view.quantifier} {view.location} {view.value or ''} {view.amount}"


def _held_texts(view: HeldAt) -> list[str]:
    inner = [text for part in view.contents for text in _held_texts(part)]
    return [_held_text(view), view.when, *inner]
