"""What a process does that will fork others for verifications: it has tried everything once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pitviper.driver.cache.stamp import stamp
from pitviper.driver.verify.verify import open_verifier
from pitviper.solver.z3.spare import prepare_contexts

CELL = """\
field value: Int
predicate cell(x: Ref) { acc(x.value) && x.value >= 0 }
function get(x: Ref): Int requires cell(x) { unfolding cell(x) in x.value }
"""

SET = """\
field value: Int
predicate cell(x: Ref) { acc(x.value) && x.value >= 0 }
method set(x: Ref)
  requires cell(x)
  ensures cell(x)
{
  unfold cell(x)
  x.value := 1
  fold cell(x)
}
"""

FILL = """\
field value: Int
method fill(xs: Seq[Ref]) returns (i: Int)
  requires |xs| > 0
  requires forall j: Int, k: Int :: 0 <= j && j < k && k < |xs| ==> xs[j] != xs[k]
  requires forall j: Int :: 0 <= j && j < |xs| ==> acc(xs[j].value)
{
  i := 0
  while (i < |xs|)
    invariant 0 <= i && i <= |xs|
    invariant forall j: Int :: 0 <= j && j < |xs| ==> acc(xs[j].value)
  {
    if (xs[i].value > 0) { xs[i].value := 0 }
    i := i + 1
  }
}
"""


def warm_up() -> None:
    """Verify programs: what is done for the first time takes longer. No session stays open, but a
    context in store goes along into every process that is forked: NOTE(spare).

    First comes the stamp for the cache: answers are those of the code that was loaded just now,
    whatever happens to its files later.
    """
    stamp()
    for trial in trials():
        trial()


def trials() -> list[Callable[[], object]]:
    """What is worth trying once, in small parts; a context is in store behind them."""
    programs = [partial(_verify, text) for text in (CELL, SET, FILL)]
    return [*programs, partial(prepare_contexts, several=False)]


def _verify(text: str) -> None:
    with open_verifier() as verifier:
        verifier.verify(verifier.read_text(text, "warm_up.vpr"))
