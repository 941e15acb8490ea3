"""Warning about invariants of labels that head no loop."""

from __future__ import annotations

from pitviper.checking.wellformed.findings import Findings
from pitviper.program.cfg import flow_graph
from pitviper.program.stmt import Block


def warn_of_ignored_invariants(findings: Findings, body: Block) -> None:
    for block in flow_graph(body).blocks:
        label = block.ignored
        if label is not None:
            message = f"Label {label.name} declares an invariant, but is not the head of a loop."
            findings.warning(
                "verifier.warning", label.span, f"{message} The invariant will be ignored."
            )
