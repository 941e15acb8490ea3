"""What stands on a path is known without searching all of it again."""

from __future__ import annotations

from pitviper.solver.known import KnownFacts
from pitviper.solver.session import Path
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL
from pitviper.terms.term import Term


def facts(count: int) -> list[Term]:
    return [tb.constant(f"p{number}", BOOL) for number in range(count)]


def test_each_fact_is_looked_at_once_along_a_path() -> None:
    known, path, all_of_them = KnownFacts(), Path(), facts(200)
    for fact in all_of_them:
        assert not known.has(path, fact)
        path = path.assume(fact)
        assert known.has(path, fact)
    assert known.has(path, all_of_them[0])
    assert known.looked_at == len(all_of_them)


def test_what_another_branch_knows_is_forgotten() -> None:
    known = KnownFacts()
    a, b, c, d = facts(4)
    stem = Path().assume(a)
    one, other = stem.branch(b).assume(c), stem.branch(tb.negate(b)).assume(d)
    for path, there, elsewhere in ((one, c, d), (other, d, c), (one, c, d), (stem, a, b)):
        assert known.has(path, there)
        assert known.has(path, a)
        assert not known.has(path, elsewhere)
    assert not known.has(Path(), a)
    assert known.has(Path(), tb.TRUE)


def test_a_longer_path_of_another_branch_brings_nothing_along() -> None:
    known = KnownFacts()
    a, b, c, d = facts(4)
    assert known.has(Path().assume(a), a)
    other = Path().assume(b).assume(c).assume(d)
    assert known.has(other, b)
    assert not known.has(other, a)
