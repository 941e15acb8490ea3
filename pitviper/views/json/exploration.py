"""Explorations as JSON, one object a line."""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.results.exploration import (
    Exploration,
    ExploredRun,
    MethodExploration,
    Replayed,
    StaticMethod,
)
from pitviper.results.search_graph import SearchGraph, SearchNode
from pitviper.views.json.lines import JsonObject, parts_of, plain


def method_objects(method: MethodExploration, file: str) -> list[JsonObject]:
    """Its failing runs, and the method."""
    failures = (*method.failures, *method.called, *method.beyond)
    runs = [failing_run_object(run, method.method) for run in failures]
    return [*runs, _method(method, file)]


def closing_objects(done: Exploration) -> list[JsonObject]:
    """What was not explored, and the file."""
    objects: list[JsonObject] = []
    for name, why in done.skipped:
        objects.append({"kind": "skipped", "method": name, "reason": why})
    objects.append(
        {
            "kind": "exploration",
            "file": done.file,
            "claim": done.claim.value,
            "methods": {m.method: m.claim.value for m in done.methods},
            "seconds": round(done.seconds, 3),
        }
    )
    return objects


def static_object(found: StaticMethod, file: str) -> JsonObject:
    """Edges are source, target, condition, and whether what is known leaves them."""
    return {
        "kind": "static-method",
        "file": file,
        "method": found.method,
        "paths": found.paths,
        "feasible-paths": found.left,
        "loops": list(found.loops),
        "decided": found.decided,
        "dead-lines": list(found.dead_lines),
        "any-value": list(found.any_value),
        "versions": dict(found.versions),
        "blocks": plain(found.blocks),
        "edges": [[e.source, e.target, e.condition, e.feasible] for e in found.edges],
    }


def failing_run_object(run: ExploredRun, method: str) -> JsonObject:
    assert run.finding is not None
    line, column = run.finding.span.start_position
    inputs = () if run.test is None else run.test.inputs
    return {
        "kind": "failing-run",
        "method": method,
        "id": run.finding.id,
        "file": str(run.finding.span.file.path),
        "line": line,
        "column": column,
        "message": run.finding.message,
        "inputs": dict(inputs),
        "doubts": list(run.doubts),
        "assuming": list(run.assuming),
    }


def _method(done: MethodExploration, file: str) -> JsonObject:
    covered, lines = done.coverage
    return {
        "kind": "explored-method",
        "file": file,
        "method": done.method,
        "function": done.is_function,
        "claim": done.claim.value,
        "complete": done.is_complete,
        "open": list(done.open),
        "inlined": list(done.inlined),
        "open-ways": done.left,
        "counts": dict(done.counts),
        "covered-lines": covered,
        "lines": lines,
        "paths": done.static.paths,
        "loops": done.static.loops,
        "dead-lines": list(done.static.dead_lines),
        "graph": [[run.number, run.parent, run.status] for run in done.runs],
        "seconds": round(done.seconds, 3),
    }


def replayed_object(done: Replayed) -> JsonObject:
    return {
        "kind": "replay",
        "method": done.test.method,
        "status": done.status,
        "id": done.finding,
        "line": done.line,
        "message": done.message,
        "expected": done.as_expected,
        "was": {"status": done.test.status, "id": done.test.finding, "line": done.test.line},
        "changed": done.changed,
    }


def search_object(file: str, graphs: Sequence[SearchGraph]) -> JsonObject:
    """The search of a file as a graph: `docs/reference/search-schema.json` describes it."""
    return {
        "kind": "search",
        "version": 1,
        "file": file,
        "methods": [
            {
                **parts_of(graph, "method", "claim", "open"),
                "nodes": [_node(node) for node in graph.nodes],
            }
            for graph in graphs
        ],
    }


def _node(node: SearchNode) -> JsonObject:
    return {
        "number": node.number,
        "parent": None if node.parent < 0 else node.parent,
        **parts_of(node, "status", "detail", "condition"),
        "inputs": dict(node.inputs),
        "outputs": dict(node.outputs),
        **parts_of(node, "id", "line"),
    }
