"""What costs a verification after an edit, and what does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pitviper.driver.cache import key as cache_key
from pitviper.driver.cache.stamp import PACKAGE
from pitviper.driver.verify import member_verifier as engine
from pitviper.driver.verify.options import RunOptions, VerifyOptions
from pitviper.driver.verify.sessions import Sessions
from pitviper.driver.verify.verify import ProgramOutcome, open_verifier
from pitviper.results.verdict import MemberAnswer

TEXT = """
field f: Int
domain D { function d(): Int  axiom { d() > 3 } }
function inc(n: Int): Int { n + 1 }
predicate cell(x: Ref) { acc(x.f) && x.f > inc(0) }
method callee(x: Ref)
  requires cell(x)
  ensures cell(x)
{ unfold cell(x)  fold cell(x) }
method caller(x: Ref)
  requires cell(x)
{ callee(x)  assert inc(1) == 3 }
method alone() { assert d() > 3 }
method endless(n: Int) decreases n { endless(n) }
method refuting(n: Int) { refute n == 3 }
"""
ALL = ["alone", "callee", "caller", "cell", "endless", "inc", "refuting"]


class Lab:
    """Verifies edited texts with one cache; `verified` are the members of the last run."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.verified: list[str] = []
        verify = engine.MemberVerifier.verify

        def noted(
            site: engine.MemberVerifier, name: str, sessions: Sessions | None = None
        ) -> MemberAnswer:
            self.verified.append(name.split("_")[0])
            return verify(site, name, sessions)

        monkeypatch.setattr(engine.MemberVerifier, "verify", noted)

    def run(
        self, text: str, options: VerifyOptions | None = None, name: str = "a.vpr"
    ) -> ProgramOutcome:
        self.verified.clear()
        how = RunOptions(cache=self.folder)
        with open_verifier(options or VerifyOptions(), how=how) as verifier:
            done = verifier.verify(verifier.read_text(text, name))
        assert verifier.problems == ()
        self.verified = sorted(set(self.verified))
        return done


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    lab = Lab(tmp_path, monkeypatch)
    lab.run(TEXT)
    assert lab.verified == ALL
    return lab


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", []),
        ("field f", "// a comment\nfield f", []),
        ("{ unfold cell(x)  fold", "{\n\n  unfold cell(x) /* here */\n  fold", []),
        ("assert inc(1) == 3", "assert inc(1) == 2", ["caller"]),
        ("assert d() > 3 }", "assert d() > 2 }", ["alone"]),
        ("{ unfold cell(x)  fold cell(x) }", "{ assert true }", ["callee"]),
        ("  ensures cell(x)\n", "", ["callee", "caller"]),
        ("acc(x.f) && x.f > inc(0)", "acc(x.f)", ["callee", "caller", "cell"]),
        ("{ n + 1 }", "{ 1 + n }", ["callee", "caller", "cell", "inc"]),
        ("d() > 3 } }", "d() > 4 } }", ALL),
        ("field f: Int", "field f: Int\nfield g: Int", ALL),
        ("refute n == 3", "refute n == 4", ["refuting"]),
    ],
)
def test_what_an_edit_costs(lab: Lab, old: str, new: str, expected: list[str]) -> None:
    lab.run(TEXT.replace(old, new, 1))
    assert lab.verified == expected


def test_moving_and_renaming_cost_nothing(lab: Lab) -> None:
    head, *methods = TEXT.split("\nmethod ")
    moved = head + "".join(f"\nmethod {text}" for text in reversed(methods))
    done = lab.run(moved, name="b.vpr")
    assert lab.verified == []
    (finding,) = done.members["caller"].findings
    assert finding.span.text == "inc(1) == 3"
    assert finding.span.file.name == "b.vpr"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (VerifyOptions(errors=1), []),
        (VerifyOptions(timeout=100.0), []),
        (VerifyOptions(select=("caller",)), []),
        (VerifyOptions(join=False), ALL),
        (VerifyOptions(limit=1_000_000), ALL),
        (VerifyOptions(infer_ghost=True), ALL),
    ],
)
def test_options(lab: Lab, options: VerifyOptions, expected: list[str]) -> None:
    lab.run(TEXT, options)
    assert lab.verified == expected


def test_another_version_remembers_nothing(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_key, "stamp", lambda: "another")
    lab.run(TEXT)
    assert lab.verified == ALL


def test_what_is_open_is_asked_again(lab: Lab) -> None:
    options = VerifyOptions(limit=1)
    first = lab.run(TEXT, options)
    again = lab.run(TEXT, options)
    open_members = {name for name, member in first.members.items() if member.undecided}
    assert open_members
    assert open_members <= set(lab.verified)
    assert [m.verdict for m in first.members.values()] == [
        m.verdict for m in again.members.values()
    ]


def test_what_rests_on_an_open_function_is_not_remembered(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its definition `caller` fails in another way: no answer of a run with more luck."""
    text = TEXT.replace("assert inc(1) == 3", "assert inc(1) == 2")
    crashes = engine.verify_member

    def fails(run: object, member: object) -> object:
        if getattr(member, "name", "") == "inc":
            raise ZeroDivisionError
        return crashes(run, member)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(engine, "verify_member", fails)
        options = VerifyOptions(join=False)
        assert lab.run(text, options).members["caller"].verdict.value == "refuted"
    assert lab.run(text, options).members["caller"].verdict.value == "verified"
    assert lab.verified == ["callee", "caller", "cell", "inc"]


def test_damaged_answers_are_found_again(lab: Lab) -> None:
    fresh = lab.run(TEXT, VerifyOptions(errors=5))
    for path in lab.folder.glob("v2/??/*"):
        path.write_bytes(path.read_bytes()[:40])
    assert lab.run(TEXT).verdict is fresh.verdict
    assert lab.verified == ALL


def test_answers_that_make_no_sense_are_found_again(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pitviper.driver.cache.folder import CacheFolder

    before = lab.run(TEXT)
    for text in (
        "null",
        "[]",
        "[{}, null]",
        '[{"a": "MemberAnswer", "findings": [3]}, 3]',
        "{",
        "[1, 2]",
    ):
        with monkeypatch.context() as patch:
            patch.setattr(CacheFolder, "read", lambda cache, key, text=text: text)
            done = lab.run(TEXT)
        assert lab.verified == ALL
        assert done.verdict is before.verdict


def test_a_definition_from_the_cache_is_a_definition(lab: Lab) -> None:
    done = lab.run(TEXT.replace("assert inc(1) == 3", "assert inc(1) == 2"))
    assert lab.verified == ["caller"]
    assert done.members["caller"].verdict.value == "verified"
    assert replace(done.members["inc"], seconds=0.0).remembered


def test_answers_depend_on_all_files_of_the_package() -> None:
    assert (Path(PACKAGE) / "engines" / "symbolic" / "verifier.py").is_file()
    assert (Path(PACKAGE) / "__init__.py").is_file()
