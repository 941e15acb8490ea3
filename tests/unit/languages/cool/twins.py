"""Wrong twins of the examples of the object language: one change each."""

from __future__ import annotations

from pathlib import Path

from pitviper.base.record import record

EXAMPLES = Path(__file__).parents[4] / "examples" / "cool"


@record
class Twin:
    """An example in which `wrong` stands for `right`; `select` is what the change concerns."""

    name: str
    example: str
    right: str
    wrong: str
    select: str

    @property
    def text(self) -> str:
        text = (EXAMPLES / f"{self.example}.cool").read_text()
        assert self.right in text
        return text.replace(self.right, self.wrong)


TWINS = (
    Twin("bank", "bank", "balance := balance - amount", "balance := balance - amount - 1", ""),
    Twin("ring", "ring_buffer", "count := count + 1", "count := count + 2", ""),
    Twin("stack", "stack", "items := items[1..]", "items := items[0..]", ""),
    Twin("cache", "lazy_cache", "known := n * n;", "known := n + n;", ""),
    Twin("observer", "observer", "observer.notify(v)", "observer.notify(v + 1)", ""),
    Twin("order", "sorted_list", "if (next.first() <= v)", "if (next.first() >= v)", ""),
    Twin("visitor", "visitor", "return a + b", "return a - b", ""),
    Twin(
        "lost",
        "sorted_list",
        "Node rest := head; head := new Node(v, rest)",
        "head := new Node(v, null)",
        "",
    ),
    Twin("union", "union_find", "leader[k] := to", "leader[k] := from", "UnionFind.merge"),
    Twin("skipped", "expressions", "v.inner(); inside", "inside", "Negation.accept"),
)
