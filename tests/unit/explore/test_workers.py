"""Worker processes: the same answers, and none lost with a worker but the run under way."""

from __future__ import annotations

from pitviper.driver import explore_workers as workers
from pitviper.driver.explore import Explorer, explore_program
from pitviper.driver.explore_options import ExploreOptions
from pitviper.driver.frontend import load_text
from pitviper.results.claim import Claim

BRANCHES = 7

PROGRAM = (
    f"method m({', '.join(f'x{i}: Int' for i in range(BRANCHES))}) returns (r: Int)\n{{\n"
    + "\n".join(f"if (x{i} > {i}) {{ r := {i} }}" for i in range(BRANCHES))
    + "\n}"
)


def test_two_workers_find_what_one_process_finds() -> None:
    front = load_text(PROGRAM, "p.vpr")
    (done,) = explore_program(front, ExploreOptions(workers=2))

    assert done.counts == {"passed": 2**BRANCHES}
    assert done.claim is Claim.PROVED


def test_a_killed_worker_costs_one_run_and_the_report_says_so() -> None:
    front = load_text(PROGRAM, "p.vpr")
    assert front.program is not None
    host = workers._Host(front, ExploreOptions(workers=2))
    summary = workers.Summary(Explorer(front.program, "p.vpr", ExploreOptions()).code.model, "m")
    seen = 0
    try:
        for run, trace in host.runs("m"):
            summary.add(run, trace)
            seen += 1
            if seen == 20:
                busy = next(w for w in host._workers if w.given)
                busy.process.kill()
        summary.left_open(host.waiting)
    finally:
        host.close()
    done = summary.result(0.0)

    assert done.counts["worker died"] == 1
    lost = [run for run in done.runs if run.status == "worker died"]
    assert lost[0].detail == "exit code -9"
    assert done.claim is Claim.OPEN
    assert done.open == ("worker died: exit code -9",)
    assert done.counts["passed"] == 2**BRANCHES
