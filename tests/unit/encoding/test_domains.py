"""Which axioms of domains are in use."""

from __future__ import annotations

from pitviper.driver.front.frontend import load_text
from pitviper.encoding.background import register_types
from pitviper.encoding.domains import domain_axioms
from pitviper.encoding.symbols import DomainInstance, Symbols
from pitviper.program.types import INT, SeqType


def _instances(text: str) -> tuple[set[DomainInstance], int]:
    program = load_text(text).program
    assert program is not None
    symbols = Symbols(program)
    register_types(symbols)
    return set(symbols.instances), len(domain_axioms(symbols))


def test_axioms_of_a_domain_without_functions_hold() -> None:
    text = """
    domain D[T] { function d(x: T): Int }
    domain E { axiom { forall i: Int :: { d(i) } d(i) > 0 } }
    method m() { assert d(3) > 0 }
    """
    instances, axioms = _instances(text)
    assert DomainInstance("E", ()) in instances
    assert axioms == 1


def test_an_axiom_is_instantiated_for_what_it_speaks_about() -> None:
    text = """
    domain D[T] { function d(x: T): Int }
    domain E[T] { axiom { forall x: T :: { d(x) } d(x) > 0 } }
    domain F[T] { axiom { forall r: Ref :: { d(r) } d(r) > 0 } }
    method m(r: Ref) { assert d(r) > 0 }
    """
    _, axioms = _instances(text)
    assert axioms == 2


def test_an_axiom_may_speak_about_larger_instances_of_its_own_domain() -> None:
    text = """
    domain D[T] {
      function d(x: T): Int
      axiom { forall s: Seq[T] :: { d(s) } d(s) > 0 }
    }
    method m(s: Seq[Int]) { assert d(s) > 0 }
    """
    program = load_text(text).program
    assert program is not None
    symbols = Symbols(program)
    register_types(symbols)
    domain_axioms(symbols)

    followed = [i.args for i in symbols.instances]
    assert (INT,) in followed
    deepest = SeqType(SeqType(SeqType(SeqType(INT))))
    assert (deepest,) not in followed
