"""A second search where bodies of callees were run: what if they do all that contracts allow?

A complete search with bodies says that the program as it is holds. If a complete search with the
contracts alone passes as well, the method is proved, whatever callees will do; if it fails, the
contracts are too weak, and the inputs show how.
"""

from __future__ import annotations

from dataclasses import replace

from pitviper.driver.explore.options import ExploreOptions
from pitviper.engines.explore.options import Calls
from pitviper.program.member import Program
from pitviper.results.exploration import Claim, ExploredRun, MethodExploration


def asks_contracts(done: MethodExploration, program: Program, options: ExploreOptions) -> bool:
    """Whether a second search may say more: bodies of methods were run, and none failed."""
    is_inline = options.model.calls is Calls.INLINE
    return is_inline and done.claim in (Claim.HOLDS, Claim.OPEN) and bool(_callees(done, program))


def by_contracts(options: ExploreOptions) -> ExploreOptions:
    return replace(options, model=replace(options.model, calls=Calls.CONTRACT))


def combined(
    first: MethodExploration, second: MethodExploration, program: Program
) -> MethodExploration:
    """What a search with bodies and one with contracts say together."""
    seconds = first.seconds + second.seconds
    passes = second.is_complete and not second.failures
    if passes and first.claim is Claim.HOLDS:
        return replace(first, inlined=second.inlined, seconds=seconds)
    if passes:
        return replace(second, seconds=seconds)
    names = ", ".join(_callees(first, program))
    doubt = f"it fails for what the contract of {names} allows, not for what the body does"
    beyond: dict[tuple[str, int], ExploredRun] = {}
    for run in second.certain_failures:
        assert run.finding is not None
        key = (run.finding.id, run.finding.span.start)
        beyond.setdefault(key, replace(run, doubts=(doubt,)))
    return replace(first, beyond=tuple(beyond.values()), seconds=seconds)


def _callees(done: MethodExploration, program: Program) -> list[str]:
    methods = [name for name in done.inlined if name in program.methods]
    return [name for name in methods if name not in program.functions]
