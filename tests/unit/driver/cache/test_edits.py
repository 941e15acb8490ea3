"""What an edit of a file concerns, and what must never be taken for an edit of a method."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pitviper.cli.main import main
from pitviper.driver.verify.verify import Verifier

HEAD = "field f: Int\n\nfunction two(): Int { 2 }\n\n"
CALLEE = "method callee(x: Ref)\n  requires acc(x.f)\n  ensures acc(x.f)\n"
CALLER = "method caller(x: Ref)\n  requires acc(x.f)\n{\n  x.f := 1\n  callee(x)\n}\n\n"
ALONE = "method alone(n: Int) { assert n == n }\n\n"
OTHER = "method other(n: Int)\n  requires n > 0\n{ assert n >= 0 }\n\n"
LAST = "method last(n: Int) { assert two() == 2 }\n"
PROGRAM = HEAD + ALONE + CALLEE + "\n" + CALLER + OTHER + LAST


class Session:
    """Verifies versions of a file, with a cache; says which members were read in part only."""

    def __init__(
        self,
        folder: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        self.file = folder / "main.vpr"
        self._cache = str(folder / "cache")
        self._capsys = capsys
        self.read: list[str] | None = None
        verify_edit = Verifier.verify_edit

        def noted(verifier: Verifier, front: Any, edit: Any, begin: Any) -> Any:
            done = verify_edit(verifier, front, edit, begin)
            self.read = None if done is None else sorted(front.program.methods)
            return done

        monkeypatch.setattr(Verifier, "verify_edit", noted)

    def told(self, text: str) -> list[Any]:
        """What is said with the cache, which is what is said without."""
        self.file.write_text(text)
        fresh = self._said("off")
        self.read = None
        assert self._said(self._cache) == fresh
        return fresh

    def _said(self, cache: str) -> list[Any]:
        arguments = ["--jobs", "1", "--format", "json", "--cache", cache, str(self.file)]
        code = main(["verify", *arguments])
        return [code, *map(_untimed, self._capsys.readouterr().out.splitlines())]


def _untimed(line: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(line)
    found.pop("seconds", None)
    for member in found.get("details", {}).values():
        del member["seconds"], member["remembered"]
    return found


@pytest.fixture
def session(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Session:
    made = Session(tmp_path, capsys, monkeypatch)
    assert made.told(PROGRAM)[0] == 0
    return made


def test_a_body(session: Session) -> None:
    assert session.told(PROGRAM.replace("n == n", "n != n"))[0] == 1
    assert session.read == ["alone"]
    assert session.told(PROGRAM.replace("n == n", "n <= n"))[0] == 0
    assert session.read == ["alone"]


def test_the_last_line(session: Session) -> None:
    assert session.told(PROGRAM.replace("two() == 2", "two() == 3"))[0] == 1
    assert session.read == ["last"]


def test_a_contract_concerns_callers(session: Session) -> None:
    assert session.told(PROGRAM.replace("  ensures acc(x.f)\n", ""))[0] == 0
    assert session.read == ["callee", "caller"]
    assert session.told(PROGRAM.replace("  requires acc(x.f)\n  ens", "  requires false\n  ens"))[0]
    assert session.read == ["callee", "caller"]


def test_an_edit_of_a_caller_needs_what_it_calls(session: Session) -> None:
    assert session.told(PROGRAM.replace("x.f := 1", "x.f := 2"))[0] == 0
    assert session.read == ["callee", "caller"]


def test_methods_come_and_go(session: Session) -> None:
    assert session.told(PROGRAM.replace(OTHER, ""))[0] == 0
    assert session.read == []
    new = "method fresh(n: Int) { assert n > 0 }\n\n"
    assert session.told(PROGRAM.replace(OTHER, OTHER + new))[0] == 1
    assert session.read == ["fresh", "other"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("{ 2 }", "{ 3 }", id="another declaration"),
        pytest.param("method alone", "method two", id="the name of a function"),
        pytest.param("method other", "method alone", id="a name that is taken"),
        pytest.param("method other", "method caller2() { alone(1) }\nmethod x", id="a parameter"),
        pytest.param("method other", "/* method other", id="a comment without end"),
        pytest.param("{ assert n >= 0 }", "{ assert n >= 0 } // last {", id="half a line"),
        pytest.param("method other", "&& false\nmethod other", id="more of the one before"),
        pytest.param("method other", '@note("a")\nmethod other', id="an annotation"),
        pytest.param("{ assert n >= 0 }", "", id="no body"),
        pytest.param("{ assert n >= 0 }", "{ assert n >= 0 ", id="no end"),
        pytest.param("method other", "field g: Int\nmethod other", id="a new declaration"),
        pytest.param("method other", "define use(x) callee(x)\nmethod other", id="a macro"),
        pytest.param("method other(n: Int)", "method other(n: Int)\n  decreases n", id="an order"),
        pytest.param("assert n >= 0", "var alone: Int", id="a local with the name of a method"),
        pytest.param(CALLEE, "", id="a callee that is gone"),
    ],
)
def test_whatever_is_unusual(session: Session, old: str, new: str) -> None:
    assert old in PROGRAM
    session.told(PROGRAM.replace(old, new))
    session.told(PROGRAM)


def test_a_comment_that_is_closed_by_another_member(session: Session) -> None:
    text = PROGRAM.replace("{ assert n >= 0 }", "{ assert n >= 0 } /*")
    session.told(text + "/* the end */\n")
    session.told(text.replace("{ assert two() == 2 }", "{ assert two() == 2 } */"))


def test_imports(session: Session) -> None:
    library = session.file.with_name("library.vpr")
    library.write_text("function three(): Int { 3 }\n")
    text = 'import "library.vpr"\n' + PROGRAM.replace("two() == 2", "three() == 3")
    assert session.told(text)[0] == 0
    assert session.told(text.replace("n == n", "n <= n"))[0] == 0
    assert session.read == ["alone"]
    library.write_text("function three(): Int { 4 }\n")
    assert session.told(text)[0] == 1
    assert session.read is None
    library.write_text("function three(): Int { 3 }\nmethod imported(n: Int) { alone(n) }\n")
    assert session.told(text)[0] == 0
    assert session.told(text.replace("alone(n: Int)", "alone(n: Int) requires n > 0"))[0] == 1
    assert session.read is None


def test_a_chain_of_calls(session: Session) -> None:
    links = [f"method link{i}(n: Int) {{ link{i + 1}(n) }}\n" for i in range(4)]
    text = HEAD + ALONE + "".join(links) + "method link4(n: Int) { assert n == n }\n"
    assert session.told(text)[0] == 0
    assert (
        session.told(text.replace("link4(n: Int) {", "link4(n: Int)\n requires n > 0\n{"))[0] == 1
    )
    assert session.read == ["link0", "link1", "link2", "link3", "link4"]
