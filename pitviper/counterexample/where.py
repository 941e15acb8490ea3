"""Constraints of the user: Viper expressions that must hold in a state, as facts about it.

Each expression stands in the body of a method that was added to the program, with the variables of
the state as parameters; so it is parsed, typed and encoded by the same rules as everything else.
"""

from __future__ import annotations

from pitviper.base.record import field, record, replace
from pitviper.base.usage_error import UsageError
from pitviper.counterexample.bounded.search import Fact
from pitviper.counterexample.question import Question
from pitviper.counterexample.recorded_state import values_of
from pitviper.program import expr as pe
from pitviper.program.member import Method
from pitviper.program.stmt import Inhale
from pitviper.program.walk import descendants, free_vars
from pitviper.results.finding import Finding


@record
class Constraints:
    """The expressions, and by member the method that inhales them, where they make sense."""

    texts: tuple[str, ...] = ()
    methods: dict[str, str] = field(default_factory=dict)

    def required(self, question: Question) -> Question:
        """Returns the restricted question; UsageError where the expressions mean nothing."""
        applied = self.applied(question)
        if isinstance(applied, str):
            raise UsageError(applied)
        return applied

    def applied(self, question: Question) -> Question | str:
        """Returns the question, restricted to states in which the expressions hold; or why they
        mean nothing there."""
        if not self.texts:
            return question
        program, named = question.sought.run.program, " && ".join(self.texts)
        for member in (question.sought.member.name, question.member):
            method = program.methods.get(self.methods.get(member, ""))
            if method is not None:
                break
        else:
            return f"{named}: no expression over the variables of {question.member}"
        facts = _evaluated(question, method)
        return facts if isinstance(facts, str) else replace(question, constraints=facts)


def _evaluated(question: Question, method: Method) -> tuple[Fact, ...] | str:
    """Returns the constraints as terms over the state, with what evaluating them tells."""
    assert method.body is not None
    nodes = [n.assertion for n in descendants(method.body) if isinstance(n, Inhale)]
    expressions = [node for node in nodes if isinstance(node, pe.Expr)]
    if len(expressions) < len(nodes):
        raise UsageError("in the constraint: permissions cannot be constrained, use perm")
    for expression in expressions:
        for name in sorted(free_vars(expression)):
            if name not in question.sought.state.store:
                return f"in the constraint: `{name}` has no value yet in line {question.span.line}"
    values = values_of(expressions, question.sought, "inhale.failed", "%where")
    if isinstance(values, Finding):
        return f"in the constraint: {values.message}"
    return tuple(
        [
            Fact(term, node.span.text)
            for node, value in zip(expressions, values, strict=True)
            for term in (*value.learnt, value.term)
        ]
    )
