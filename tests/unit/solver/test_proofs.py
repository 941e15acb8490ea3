"""A proof can be given again by another session."""

from __future__ import annotations

from pitviper.solver.proofs import Proof, ProofRecording, Proved, only, prove_again
from pitviper.solver.session import ASSERT, Path
from pitviper.solver.z3.options import Z3Options
from pitviper.solver.z3.session import Z3Session
from pitviper.terms.build import constant, greater, integer
from pitviper.terms.sort import INT

X = constant("x", INT)
LARGE, POSITIVE = greater(X, integer(5)), greater(X, integer(0))


def recorded() -> Proof:
    proof: Proof = []
    with Z3Session() as session:
        recording = ProofRecording(session, proof)
        recording.declare([LARGE])
        assert recording.entails(Path(), POSITIVE).proved
        assert not recording.entails(Path(), greater(X, integer(7))).proved
    return proof


def test_only_what_was_proved_is_part_of_a_proof() -> None:
    goals = [step.goal for step in recorded() if isinstance(step, Proved)]
    assert goals == [POSITIVE]


def test_another_session_proves_it_again() -> None:
    with Z3Session(Z3Options(seed=3)) as session:
        again = prove_again(recorded(), session)
    assert (again.asked, again.missed, again.denied) == (1, (), ())


def test_what_is_not_true_is_denied() -> None:
    wrong = Proved(Path(), POSITIVE, ASSERT, "wrong")
    with Z3Session() as session:
        again = prove_again([wrong], session)
    assert again.denied == (wrong,)


def test_a_part_of_a_proof_keeps_the_axioms() -> None:
    proof = recorded()
    assert only(proof, []) == proof[:1]
