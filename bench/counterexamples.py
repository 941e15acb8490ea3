"""How long counterexamples take after verification: every example of the thesis, and growth.

    python bench/counterexamples.py

The limits are those of the issue: the first instance (or the reason why there is none) within 1 s,
the next one within 0.5 s, twenty exhales within 3 s.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from pitviper.base.deep_stack import run_deep
from pitviper.counterexample.instance import instances
from pitviper.counterexample.options import CounterexampleOptions
from pitviper.counterexample.question import Question, questions_of, states_at
from pitviper.driver.counterexample.search import constrained_program
from pitviper.driver.front.frontend import DEFAULTS
from pitviper.driver.verify.sessions import Sessions
from pitviper.engines.symbolic.options import Options
from pitviper.explain.recorded_run import recorded_members
from pitviper.plugins.options import PluginOptions
from pitviper.plugins.pipeline import apply_plugins
from pitviper.results.counterexample import Counterexample, Result

PROGRAMS = Path(__file__).parent.parent / "tests" / "programs" / "counterexamples"
FIRST, NEXT, TWENTY = 1.0, 0.5, 3.0
LEAVES = "exists n: Ref :: n in ns && n.next != null && !(n.next in ns)"

CASES = (
    ("Listing 3.3", "given_away", None, ()),
    ("Listing 6.1", "open_graph", 9, ()),
    ("Listing 6.1, link leaves", "open_graph", 9, (LEAVES,)),
    ("Listing 6.2", "no_ring", None, ()),
    ("Listing 6.3", "own_successor", None, ()),
    ("Listing 6.4", "learnt_unfolding", None, ()),
    ("Listing 6.5", "array_swap", None, ()),
    ("6.1.2 singleton", "small_set", 6, ()),
    ("6.1.2 multiset", "same_twice", None, ()),
    ("6.1.2 exists n > 0", "some_number", None, ()),
    ("6.1.2 trigger", "never_triggered", None, ()),
    *[(f"6.3.2 ({n})", "in_portions", 10 + n, ()) for n in range(1, 7)],
    ("Listing 6.6", "twins", 9, ()),
    ("Listing 6.6, above a million", "twins", 17, ()),
    ("6.3.4 four arguments", "four_arguments", None, ()),
)


def main() -> None:
    late = run_deep(_measure, stop=lambda: None)
    sys.exit(1 if late else 0)


def _measure() -> bool:
    sys.stdout.write(f"{'example':30}{'answer':>24}{'first':>9}{'next':>9}\n")
    late = False
    for title, name, line, where in CASES:
        late |= _case(title, PROGRAMS / f"{name}.vpr", line, where)
    for count in (5, 10, 20):
        late |= _growth(count)
    return late


def _case(title: str, path: Path, line: int | None, where: tuple[str, ...]) -> bool:
    question = next(_questions(path, line, where))
    times, answers = _timed(question)
    first, following = times[0], times[1] if len(times) > 1 else None
    shown = "-" if following is None else f"{1000 * following:.0f} ms"
    sys.stdout.write(f"{title:30}{_answer(answers[0]):>24}{1000 * first:6.0f} ms{shown:>9}\n")
    return first > FIRST or (following or 0) > NEXT


def _timed(question: Question) -> tuple[list[float], list[Result]]:
    """Seconds until each of the first two instances; the end of the search counts as one."""
    times, answers = [], list[Result]()
    running = instances(question, CounterexampleOptions(instances=2))
    for _ in range(2):
        began = time.perf_counter()
        found = next(running, None)
        times.append(time.perf_counter() - began)
        if found is None:
            break
        answers.append(found)
    return times, answers


def _answer(result: Result) -> str:
    if isinstance(result, Counterexample):
        return f"{result.standing.value}, {len(result.objects)} objects"
    return result.absence.value


def _growth(count: int) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "portions.vpr"
        path.write_text(_portions(count))
        question = next(_questions(path, count + 9, ()))
        times, answers = _timed(question)
    title = f"6.3.2 with {count} exhales"
    sys.stdout.write(f"{title:30}{_answer(answers[0]):>24}{1000 * times[0]:6.0f} ms\n")
    return times[0] > TWENTY


def _portions(count: int) -> str:
    amounts = [f"p{i}" for i in range(count)]
    params = ", ".join([f"{p}: Perm" for p in amounts])
    positive = " && ".join([f"{p} > none" for p in amounts])
    exhales = "\n".join([f"  exhale acc(n.val, {p})" for p in amounts])
    return f"""field val: Int
method portions(ns: Set[Ref], n: Ref, {params})
  requires forall r: Ref :: r in ns ==> acc(r.val)
  requires n in ns
  requires |ns| == 4
  requires {" + ".join(amounts)} == write
  requires {positive}
{{
{exhales}
  assert true
}}
"""


def _questions(path: Path, line: int | None, where: tuple[str, ...]) -> Iterator[Question]:
    front, constraints = constrained_program(path, where, DEFAULTS, ())
    assert front.program is not None
    encoded = apply_plugins(front.program, PluginOptions())
    with Sessions() as sessions:
        own = constraints.methods.values()
        for recorded in recorded_members(encoded, Options(), sessions.open, own):
            if line is None:
                asked = questions_of(recorded, front.program)
            else:
                asked = states_at(line, recorded, front.program)
            for question, *_ in asked:
                yield constraints.applied(question)


if __name__ == "__main__":
    main()
