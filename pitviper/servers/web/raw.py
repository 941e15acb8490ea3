"""What is behind the views, as text: for those who look for a mistake, there or in the verifier."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pitviper.base.scratch import scratch_folder
from pitviper.base.usage_error import UsageError
from pitviper.driver.counterexample.retelling import retold
from pitviper.driver.debug.states import LookedAt
from pitviper.driver.front.frontend import FrontEnd
from pitviper.driver.verify import emission
from pitviper.driver.verify.options import RunOptions, VerifyOptions
from pitviper.driver.verify.profiling import Profiler
from pitviper.driver.verify.verify import open_verifier
from pitviper.results.counterexample import Counterexample, NoCounterexample, Result
from pitviper.results.heap_graph import graph_of
from pitviper.results.profile import MemberProfile
from pitviper.results.wording import VIPER, wording_of
from pitviper.servers.web.looking import Kept, first_instance, kept_in
from pitviper.servers.web.messages import Data
from pitviper.servers.web.worker import Say, Session
from pitviper.source.span import Span
from pitviper.views.pictures.heap import LIGHT, dot_text
from pitviper.views.terminal.counterexample import raw_lines
from pitviper.views.terminal.profile import profile_text

OBJECTS = 6


def emit(session: Session, request: Data, _: Say) -> Data:
    """What was recorded, in another form; a failed check is meant where the form is about one."""
    kept, form = kept_in(session), str(request["form"])
    if form not in FORMS:
        raise UsageError(f"there is no form {form!r}")
    return {"text": _label(form, kept.front) + FORMS[form](kept)}


def _label(form: str, front: FrontEnd) -> str:
    """For programs in other languages: that a form has the names of the core, and where to look."""
    sign = _OF_THE_CORE.get(form)
    if sign is None or wording_of(Span(front.source, 0, 0)) is VIPER:
        return ""
    return f"{sign} The program as Viper: `pitviper verify --emit viper` shows all of it.\n"


_OF_THE_CORE = {
    "trace": "#",
    "alloy": "//",
    "smt": ";",
    "boogie": "//",
    "ivl": "//",
    "profile": "#",
}
"""The forms that have the names of the core, and how their comments begin."""


# ---------------------------------------------------------------- the recorded run


def _trace(kept: Kept) -> str:
    """All steps with what the solver was asked in them."""
    members = [kept.program.member(view.name) for view in kept.program.members()]
    return "\n".join([line for member in members for line in member.trace()]) + "\n"


def _failed(kept: Kept) -> Iterator[tuple[str, LookedAt, int]]:
    for view in kept.program.members():
        member = kept.program.member(view.name)
        for number, failure in enumerate(view.failures):
            yield f"{view.name}: {failure.error.message}", member, number
    if not any(view.failures for view in kept.program.members()):
        raise UsageError("nothing fails: choose a state, and export what is drawn there")


def _instance(kept: Kept, member: LookedAt, failure: int) -> Result:
    """The first instance of a failed check, in words of the language."""
    found = first_instance(member, member.question_of(failure), OBJECTS)
    return retold(found, kept.front.types) if kept.front.types else found


def _models(kept: Kept) -> str:
    """The values of all that occurs in the first instance of each failed check."""
    parts = []
    for title, member, failure in _failed(kept):
        found = _instance(kept, member, failure)
        parts += [f"{title}", *[f"  {line}" for line in raw_lines(found)], ""]
    return "\n".join(parts)


def _dots(kept: Kept) -> str:
    parts = []
    for title, member, failure in _failed(kept):
        found = _instance(kept, member, failure)
        if isinstance(found, NoCounterexample):
            parts.append(f"// {title}\n// {found.message}\n")
        elif isinstance(found, Counterexample):
            parts.append(f"// {title}\n{dot_text(graph_of(found), LIGHT)}")
    return "\n".join(parts)


def _alloy(kept: Kept) -> str:
    parts = [member.alloy(member.question_of(number), 4) for _, member, number in _failed(kept)]
    return "\n".join(parts)


# ---------------------------------------------------------------- the verifiers


def _questions(kept: Kept) -> str:
    """All that the solver is told and asked, as it would read it from a file.

    The folder is that of this machine: who gets a report need not know it.
    """
    source = kept.front.source
    with scratch_folder("log") as folder:
        log = folder / "log.smt2"
        with open_verifier(VerifyOptions(solver_log=log)) as verifier:
            verifier.verify(kept.front)
        told = log.read_text(encoding="utf-8", errors="replace")
    return told.replace(f"; ==== file {source.path}\n", f"; ==== file {source.name}\n")


def _emitted(front: FrontEnd) -> emission.Emission:
    assert front.program is not None
    emitted = emission.emit(front.program, VerifyOptions())
    if emitted.rejected:
        raise UsageError(emitted.rejected[0].message)
    return emitted


def _ivl(kept: Kept) -> str:
    return emission.as_text(_emitted(kept.front).program)


def _boogie(kept: Kept) -> str:
    return emission.as_boogie(_emitted(kept.front).program).text


def _profile(kept: Kept) -> str:
    """Where time went, and how often each quantifier was instantiated: all of them."""
    profiler = Profiler()
    with open_verifier(VerifyOptions(), how=RunOptions(profiler=profiler)) as verifier:
        verifier.verify(kept.front)
    members = profiler.members
    counts = [line for member in members for line in _instantiations(member)]
    title = "\nInstances of quantifiers, all of them:\n"
    return profile_text(members, kept.front.source) + "\n".join([title, *counts]) + "\n"


def _instantiations(member: MemberProfile) -> Iterator[str]:
    yield f"  {member.member}: {member.questions} questions, {member.resources} units of work"
    for quantifier in member.quantifiers:
        yield f"  {quantifier.instances:>8}  {quantifier.name}"


FORMS: Mapping[str, Callable[[Kept], str]] = {
    "trace": _trace,
    "model": _models,
    "dot": _dots,
    "alloy": _alloy,
    "smt": _questions,
    "boogie": _boogie,
    "ivl": _ivl,
    "profile": _profile,
}
