"""What an exhale asks for at one location."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.engines.vcg.heap.entry import Index, Kind
from pitviper.program.node import Node
from pitviper.terms.term import Term


@record
class Request:
    """An amount at an index; with `wildcard`, some part of what is there. `node` is to blame."""

    kind: Kind
    index: Index
    amount: Term
    wildcard: bool
    node: Node
