"""What speaks for each member, as text."""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.results.certificate import Certification, MemberCertificate, Queries, Runs
from pitviper.views.terminal.style import visible


def certificate_line(member: MemberCertificate) -> str:
    """`  certified      method swap: both engines, 12 questions again, 40 runs, all paths`."""
    word = "certified" if member.certified else "not certified"
    engines = f"symbolic {member.symbolic.value}, vcg {member.vcg.value}"
    said = f"{engines}; {_queries(member.queries)}; {_runs(member.runs)}"
    lines = [f"  {word:<14} {member.kind} {visible(member.name)}: {said}"]
    lines += [f"    {visible(reason)}" for reason in member.reasons]
    lines += [f"    a run fails: {visible(failure)}" for failure in member.runs.failing]
    return "".join(f"{line}\n" for line in lines)


def _queries(queries: Queries) -> str:
    if not queries.asked:
        return "no question to a solver"
    again = queries.z3 + queries.cvc5
    by = f" ({queries.cvc5} by cvc5 only)" if queries.cvc5 else ""
    return f"{again} of {queries.asked} questions proved again{by}"


def _runs(runs: Runs) -> str:
    if runs.why_none:
        return f"no runs ({runs.why_none})"
    outcome = "some fail" if runs.failing else "none fails"
    return f"{runs.count} runs, {outcome}{', all paths' if runs.complete else ''}"


def closing_line(done: Sequence[Certification]) -> str:
    certified = sum(one.certified for one in done)
    members = sum(len(one.members) for one in done)
    whole = sum(bool(one.members) and one.certified == len(one.members) for one in done)
    seconds = sum(one.seconds for one in done)
    return (
        f"{certified} of {members} members certified, {whole} of {len(done)} files whole"
        f" ({seconds:.1f} s)"
    )
