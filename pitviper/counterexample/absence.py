"""Why no instance was found, in words: bounds, a limit, or facts that exclude every state."""

from __future__ import annotations

from pitviper.counterexample.bounded.lemmas import Lemma
from pitviper.counterexample.bounded.reasons import Contradiction, contradiction
from pitviper.counterexample.bounded.search import Found, GaveUp, NoneAtAll, Search
from pitviper.counterexample.question import Earlier, Question, Sought
from pitviper.explain.final_expression import FinalExpressions, names_in, without_states
from pitviper.results.counterexample import Absence, NoCounterexample, Reason
from pitviper.source.span import Span
from pitviper.terms.substitute import substitute
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Quantified, Term

MOST_ADVICE = 3


def absence_of(outcome: object, question: Question, search: Search) -> NoCounterexample:
    """Returns what is told where a search ended with no instance."""
    if isinstance(outcome, NoneAtAll):
        return _at_all(question, search)
    most = search.bounds.objects
    if isinstance(outcome, GaveUp):
        text = f"the solver reached its limit while looking for up to {_objects(most)}"
        absence = Absence.UNDECIDED
    else:
        flat = ["predicate instances"] if search.problem.closed else []
        flat += ["values of data types"] if search.problem.theories.adts else []
        deep = f", where {' and '.join(flat)} are few levels deep" if flat else ""
        text = f"none with up to {_objects(most)}{deep}; "
        text += f"a larger one may exist (--objects {most + 2})"
        absence = Absence.WITHIN_BOUNDS
    return NoCounterexample(*_about(question), absence, text, most)


def only_untrue(found: Found, question: Question, search: Search) -> NoCounterexample:
    """Returns what is told where all that the solver proposed is none: a fact is false in it.

    method m(n: Int) { assert n * (n + 1) % 2 == 0 }   // the solver proposes n = 5, say
    """
    text = "none was found: the solver proposes a state which is none"
    goal = search.problem.goal
    reasons = tuple(
        [
            Reason(f"{without_states(goal.text)} holds in it", goal.span)
            if goal is not None and fact is search.facts[-1]
            else Reason(f"{without_states(fact.text)} does not hold in it", fact.span)
            for fact in found.untrue
        ]
    )
    most = search.bounds.objects
    return NoCounterexample(*_about(question), Absence.UNDECIDED, text, most, reasons)


def _stated(found: Contradiction) -> list[Reason]:
    facts = [fact for fact in found.facts if not _is_marker(fact.term)]
    return [Reason(without_states(fact.text), fact.span) for fact in facts]


def _objects(count: int) -> str:
    return "one object" if count == 1 else f"{count} objects"


def _about(question: Question) -> tuple[str, str | None, Span]:
    return question.member, question.failing_id, question.span


def _at_all(question: Question, search: Search) -> NoCounterexample:
    found, earlier = contradiction(search), question.earlier
    reasons = [
        Reason(without_states(f.text), f.span) for f in found.facts if not _is_marker(f.term)
    ]
    because = tuple(dict.fromkeys([*reasons, *_axioms(found, search)]))
    absence, message = _verdict(found, earlier, stated=question.finding is not None)
    if absence is Absence.SPURIOUS and not because:
        message = _needs_nothing(found)
    advice = _advice(found, question.sought, search) if absence is Absence.SPURIOUS else ()
    if absence is Absence.AFTER_FAILURE:
        advice = tuple([f"first mend line {e.span.line}: {e.text}" for e in earlier[-1:]])
    return NoCounterexample(*_about(question), absence, message, 0, because, advice)


def excluded_by_constraint(question: Question, search: Search) -> NoCounterexample:
    """Returns the facts that no state meets which is as the user wants it."""
    found = contradiction(search)
    reasons = [
        Reason(without_states(f.text), f.span) for f in found.facts if not _is_marker(f.term)
    ]
    text = "no state that fails here is as you want it: these facts exclude it"
    if question.finding is None:
        text = "no state here is as you want it: these facts exclude it"
    because = tuple(dict.fromkeys([*reasons, *_axioms(found, search)]))
    return NoCounterexample(*_about(question), Absence.EXCLUDED, text, 0, because)


def _is_marker(term: Term) -> bool:
    """That a function is applied where its precondition holds goes without saying."""
    if not isinstance(term, App) or not isinstance(term.symbol, Function):
        return False
    return term.symbol.name.endswith("%precondition")


def _verdict(
    found: Contradiction, earlier: tuple[Earlier, ...], *, stated: bool
) -> tuple[Absence, str]:
    assumed = {fact for each in earlier for fact in each.assumed()}
    relies = any(
        fact.term in assumed or any(_overlap(fact.span, each.span) for each in earlier)
        for fact in found.facts
    )
    if found.needs_goal and not relies:
        text = "none at all: the error is spurious, the assumptions below imply what failed"
        return Absence.SPURIOUS, text
    if earlier:
        text = "none after the failure before it: what was assumed there excludes every state"
        return Absence.AFTER_FAILURE, text
    said = "none at all: the assumptions below contradict each other"
    return Absence.UNREACHABLE, f"{said}, so no execution comes here" if stated else said


def _needs_nothing(found: Contradiction) -> str:
    """No assumption takes part, but perhaps that functions are applied where they may be."""
    where = "in every state" if not found.facts else "wherever the functions in it may be applied"
    return f"none at all: what failed is true {where}, and the solver did not see it"


def _overlap(fact: Span | None, failed: Span) -> bool:
    """A fact from the place of a failure may be what failed, said in another form."""
    if fact is None or fact.file is not failed.file:
        return False
    return fact.start < failed.end and failed.start < fact.end


def _axioms(found: Contradiction, search: Search) -> list[Reason]:
    """The axioms among what the proof needs."""
    sources = {lemma.source for lemma in found.lemmas}
    return [Reason(a.text, a.span) for a in search.problem.axioms if a.term in sources]


def _advice(found: Contradiction, sought: Sought, search: Search) -> tuple[str, ...]:
    """Quantifiers that the solver did not instantiate, and how to make it."""
    shown = FinalExpressions(sought.origins, names_in(sought.state, sought.origins))
    said: dict[str, None] = {}
    own = frozenset(search.problem.definitions)
    for lemma in found.lemmas:
        if lemma.quantifier is not None and lemma.quantifier not in own:
            said[_missed(lemma, lemma.quantifier, shown, search)] = None
    for lemma in found.lemmas:
        if lemma.quantifier in own and lemma.quantifier.name.endswith(".definition"):
            function = lemma.quantifier.name.removesuffix(".definition")
            args = ", ".join([shown.text(value) for value in lemma.values[1:]])
            said[f"the solver did not unroll {function}({args}): mention it before"] = None
    if not said and found.lemmas:
        text = "the solver did not compare the collections: assert that they are equal before"
        said[text] = None
    return tuple(said)[:MOST_ADVICE]


def _missed(lemma: Lemma, term: Quantified, shown: FinalExpressions, search: Search) -> str:
    values = [
        f"{v.name.partition('@')[0]} := {shown.text(value)}"
        for v, value in zip(term.variables, lemma.values, strict=True)
    ]
    text = f"the solver did not use `{_name(term, shown, search)}` for {', '.join(values)}"
    if not term.triggers:
        return f"{text}: it has no trigger; assert the instance where it is needed"
    trigger = ", ".join([_instance(t, lemma, shown) for t in term.triggers[0]])
    return (
        f"{text}: nothing matches its trigger; mention {trigger} before, or give it another trigger"
    )


def _name(term: Quantified, shown: FinalExpressions, search: Search) -> str:
    for fact in search.problem.axioms:
        if fact.term is term:
            return fact.text
    return shown.text(term)


def _instance(trigger: Term, lemma: Lemma, shown: FinalExpressions) -> str:
    assert lemma.quantifier is not None
    pairs: dict[Term, Term] = dict(zip(lemma.quantifier.variables, lemma.values, strict=True))
    return shown.text(substitute(trigger, pairs))
