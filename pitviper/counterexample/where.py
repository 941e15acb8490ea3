"""Constraints of the user: Viper expressions over a state, checked and evaluated like the program.

Each expression becomes the body of a method of its own, with the variables of the state as its
parameters; so it is parsed, typed and encoded by the same rules as everything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from pitviper.base.record import field, record, replace
from pitviper.base.usage_error import UsageError
from pitviper.checking.options import CheckOptions
from pitviper.counterexample.bounded.problem import Fact
from pitviper.counterexample.problem import Question
from pitviper.driver.front.frontend import FrontEnd, load, load_text
from pitviper.engines.symbolic.rules import evaluate as ev
from pitviper.engines.symbolic.verifier import context_for
from pitviper.program import expr as pe
from pitviper.program.member import Method
from pitviper.program.stmt import Declare, Inhale
from pitviper.program.types import Type
from pitviper.program.walk import descendants
from pitviper.results.finding import Finding
from pitviper.solver.z3.session import Z3Session
from pitviper.source.diagnostic import Diagnostic
from pitviper.terms.supply import Supply

_OWN = "pitviper_where_"
_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$']*")


@record
class Constraints:
    """The expressions, and for which members each of them makes sense."""

    texts: tuple[str, ...] = ()
    makers: Mapping[str, str] = field(default_factory=dict)

    def is_own(self, member: str) -> bool:
        return member in self.makers.values()

    def applied(self, question: Question) -> Question:
        """The question, restricted to states in which the expressions hold."""
        if not self.texts:
            return question
        maker = self.makers.get(question.sought.member.name)
        if maker is None:
            named = " && ".join(self.texts)
            raise UsageError(f"{named}: no expression over the variables of {question.member}")
        facts = _evaluated(question, question.sought.run.program.methods[maker])
        return replace(question, constraints=facts)


def extended(
    path: Path, where: tuple[str, ...], options: CheckOptions, library: tuple[Path, ...]
) -> tuple[FrontEnd, Constraints]:
    """The program with a method for the constraints; UsageError if they fit no member."""
    front = load(path, options, library)
    if not where or front.program is None:
        return front, Constraints(where)
    text, makers, complaint = front.source.text, dict[str, str](), ""
    for method in front.program.methods.values():
        maker = f"{_OWN}{method.name}"
        more = f"{text}\n{_method_text(maker, method, where)}"
        tried = load_text(more, str(path), options, library)
        if tried.program is not None:
            text, front = more, tried
            makers[method.name] = maker
        else:
            complaint = complaint or _complaint(tried.errors, len(text))
    if not makers:
        raise UsageError(complaint or "there is no method whose states could be constrained")
    return front, Constraints(where, makers)


def _method_text(name: str, method: Method, where: tuple[str, ...]) -> str:
    """One line for each constraint: macros and imports stay as they are."""
    params = ", ".join([f"{n}: {t}" for n, t in _variables(method).items() if _NAME.fullmatch(n)])
    lines = "\n".join([f"  inhale {' '.join(text.split())}" for text in where])
    return f"method {name}({params})\n{{\n{lines}\n}}"


def _variables(method: Method) -> dict[str, Type]:
    found = {v.name: v.type for v in (*method.params, *method.returns)}
    if method.body is not None:
        declared = [n.variable for n in descendants(method.body) if isinstance(n, Declare)]
        found.update({v.name: v.type for v in declared})
    return found


def _complaint(errors: tuple[Diagnostic, ...], length: int) -> str:
    for error in errors:
        if error.span is not None and error.span.start >= length:
            return f"in the constraint, at `{error.span.text}`: {error.message}"
    return f"in the constraint: {errors[0].message}" if errors else ""


def _evaluated(question: Question, maker: Method) -> tuple[Fact, ...]:
    """The constraints as terms over the state, with what evaluating them tells."""
    assert maker.body is not None
    sought, facts = question.sought, list[Fact]()
    with Z3Session() as solver:
        cx = context_for(sought.run, sought.member, solver)
        cx = cx.proving("inhale.failed", sought.member)
        cx = replace(cx, services=replace(cx.services, supply=Supply("%where")))
        st = sought.state
        for node in descendants(maker.body):
            if not isinstance(node, Inhale):
                continue
            if not isinstance(node.assertion, pe.Expr):
                raise UsageError("in the constraint: permissions cannot be constrained, use perm")
            base = st.path
            st, term = ev.evaluate(st, node.assertion, cx)
            _require_defined(cx.services.log.findings.values())
            text = node.assertion.span.text
            facts += [Fact(e.fact, text) for e in st.path.since(base)]
            facts.append(Fact(term, text))
    return tuple(facts)


def _require_defined(findings: Iterable[Finding]) -> None:
    for finding in findings:
        raise UsageError(f"in the constraint: {finding.message}")
