"""Changes that advice names are kept where more is verified with them, and nowhere else."""

from __future__ import annotations

from pathlib import Path

from pitviper.driver.verify.mending import Mended, mended
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import open_verifier
from pitviper.results.report import problems_of_outcome
from pitviper.source.reading import decode

LOOP = """field f: Int
predicate cell(x: Ref) { acc(x.f) }
method count(x: Ref)
  requires cell(x)
  ensures cell(x)
{
  var i: Int := 0
  x.f := 0
  while (i < 3)
  {
    x.f := i
    i := i + 1
  }
}
"""


def tried(text: str) -> Mended:
    with open_verifier(VerifyOptions()) as verifier:
        return mended(decode(Path("loop.vpr"), text.encode()), verifier)


def test_changes_are_kept_while_each_leaves_fewer_problems() -> None:
    wrong = LOOP + "method wrong(n: Int) { assert n > 0 }\n"
    done = tried(wrong)
    assert done.members == ("count",)
    assert "  unfold cell(x)\n  x.f := 0\n" in done.text
    assert "  while (i < 3)\n    invariant acc(x.f)\n" in done.text
    assert "  fold cell(x)\n}\n" in done.text
    assert "requires n > 0" not in done.text, "what a contract says is for people to decide"


def test_a_text_stays_where_no_member_is_verified_with_the_changes() -> None:
    hopeless = LOOP.replace("x.f := i\n", "x.f := i\n    assert false\n")
    assert tried(hopeless) == Mended(hopeless)


SUM = """method sum(n: Int) returns (total: Int)
  requires n >= 0
  ensures 2 * total == n * (n + 1)
{
  var i: Int := 0
  total := 0
  while (i < n)
  {
    i := i + 1
    total := total + i
  }
}
"""


def test_what_was_seen_to_work_is_what_is_written() -> None:
    with (
        open_verifier(VerifyOptions()) as verifier,
        open_verifier(VerifyOptions(cures=True)) as advisor,
    ):
        decoded = decode(Path("sum.vpr"), SUM.encode())
        assert mended(decoded, verifier) == Mended(SUM), "advice alone has no text for it"
        done = mended(decoded, verifier, advisor)
    assert done.members == ("sum",)
    assert "    invariant i <= n\n    invariant 2 * total == i * (i + 1)\n" in done.text


def test_code_is_not_changed() -> None:
    wrong = """method max(a: Int, b: Int) returns (m: Int)
  ensures m >= a && m >= b && (m == a || m == b)
{
  m := a
  if (b < m) { m := b }
}
"""
    with open_verifier(VerifyOptions(cures=True)) as advisor:
        decoded = decode(Path("max.vpr"), wrong.encode())
        (problem, *_) = problems_of_outcome(advisor.verify(advisor.read(decoded)).members["max"])
        assert problem.cures
        assert not any(cure.harmless for cure in problem.cures)
        assert mended(decoded, advisor) == Mended(wrong)
