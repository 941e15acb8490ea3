"""Long chains of instances of quantifiers: followed to a proof, and not for ever."""

from __future__ import annotations

from pitviper.solver.limits import ASSERT, CHECK
from pitviper.solver.session import Path
from pitviper.solver.z3.engine import DEEP_SESSION, LONG
from pitviper.solver.z3.session import Z3Session
from pitviper.solver.z3.solver import DEEP
from pitviper.terms import build as b
from pitviper.terms.sort import BOOL, INT
from pitviper.terms.term import Term, variable

i = variable("i", INT)
holds = b.function("holds", (INT,), BOOL)
here = b.apply(holds, i)
STEP = b.forall(
    [i],
    b.implies(here, b.apply(holds, b.minus(i, b.integer(1)))),
    ((here,),),
    "one step down, without end",
)
TOP = Path().assume(b.apply(holds, b.integer(60)))


def at(number: int) -> Term:
    return b.apply(holds, b.integer(number))


def test_a_long_chain_is_a_proof() -> None:
    with Z3Session() as session:
        session.declare([STEP])
        assert session.entails(TOP, at(0)).proved
        assert session.entails(TOP, at(59), CHECK).proved


def test_cheap_questions_stay_cheap() -> None:
    with Z3Session() as session:
        session.declare([STEP])
        assert not session.entails(TOP, at(0), CHECK).proved
        assert session.statistics().resources < CHECK


def test_what_does_not_follow_is_not_proved() -> None:
    """The chain goes on for ever: a limit ends it, also that of all such questions together."""
    with Z3Session() as session:
        session.declare([STEP])
        for number in range(61, 68):
            answer = session.entails(TOP, at(number), ASSERT)
            assert (answer.proved, answer.exhausted) == (False, False)
        assert session.statistics().resources < DEEP_SESSION + LONG


def test_facts_of_other_paths_are_not_known() -> None:
    with Z3Session() as session:
        session.declare([STEP])
        other = Path().branch(at(70))
        assert session.entails(other, at(65)).proved
        assert session.entails(TOP, at(1)).proved
        assert not session.entails(TOP, at(65)).proved


def test_a_term_that_no_chain_can_follow_is_undecided_not_refuted() -> None:
    """Each layer of `more` takes an instance; a literal of 20,000 pairs looks like that."""
    wrap = b.function("more", (INT,), INT)
    layer = b.apply(wrap, i)
    unwrapped = b.forall(
        [i],
        b.equal(b.apply(holds, layer), here),
        ((b.apply(holds, layer),),),
        "one layer off",
    )
    with Z3Session() as session:
        session.declare([unwrapped])
        for count, proved, exhausted in ((60, True, False), (int(DEEP) + 200, False, True)):
            nested = b.integer(0)
            for _ in range(count):
                nested = b.apply(wrap, nested)
            answer = session.entails(Path().assume(at(0)), b.apply(holds, nested))
            assert (answer.proved, answer.exhausted) == (proved, exhausted)
