"""No process of the wizard uses more memory than it may: what needs more is open, and says so."""

from __future__ import annotations

import errno
import mmap
from pathlib import Path

import pytest

from pitviper.base.memory import limit_growth
from pitviper.cli.main import main
from pitviper.driver.verify.member_verifier import MemberVerifier
from pitviper.driver.verify.sessions import Sessions
from pitviper.driver.wizard.explorers import _Explorer
from pitviper.driver.work import pool
from pitviper.driver.work.pool import Heard, Pool, WorkerLimits, answering
from pitviper.results.exploration import ExploredRun
from pitviper.results.verdict import MemberAnswer

PROGRAM = """method greedy(i: Int) { assert i != 7 }
method modest(i: Int) { assert i + i == 2 * i }
"""
MORE = 700 << 20
LIMIT = "400"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "p.vpr"
    path.write_text(PROGRAM)
    return path


def hold_much() -> None:
    assert bytearray(MORE)


def test_a_verifier_that_needs_too_much_memory(
    program: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = MemberVerifier.verify

    def verify(self: MemberVerifier, name: str, sessions: Sessions | None = None) -> MemberAnswer:
        if name == "greedy":
            hold_much()
        return usual(self, name, sessions)

    monkeypatch.setattr(MemberVerifier, "verify", verify)
    assert main(["wizard", "--memory", LIMIT, str(program)]) == 1
    told = capsys.readouterr().out
    assert "undecided by the verifier: greedy (it needs more memory than 400 MB)" in told
    assert "fails with i = 7" in told
    assert "2 * i" in told


def test_workers_of_a_large_process_do_not_begin_too_large(
    program: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They share what it has, and are looked at from the beginning."""
    monkeypatch.setattr(pool, "MEMORY_CHECK", 0.0)
    kept = bytearray(b"x") * MORE
    assert main(["wizard", "--memory", LIMIT, str(program)]) == 1
    told = capsys.readouterr().out
    assert "undecided" not in told
    assert "fails with i = 7" in told
    assert len(kept) == MORE


def test_a_search_that_needs_too_much_memory_keeps_what_it_found(
    program: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = _Explorer._tell

    def tell(self: _Explorer, method: str, run: ExploredRun) -> None:
        usual(self, method, run)
        hold_much()

    monkeypatch.setattr(_Explorer, "_tell", tell)
    program.write_text("""method m(i: Int, j: Int) {
      if (i > 3) { assert j != 7 } else { assert j != 7 }
    }""")
    assert main(["wizard", "--memory", LIMIT, str(program)]) == 1
    told = capsys.readouterr().out
    assert "j = 7" in told
    assert f"open: out of memory (--memory {LIMIT})" in told
    assert "0 green, 1 yellow, 1 red" in told


def test_growth_is_limited_whatever_is_mapped() -> None:
    """Libraries and stacks that nobody touches do not count, nor what the parent has freed."""

    def new_pages() -> mmap.mmap:
        return mmap.mmap(-1, 80 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)

    def asked(message: bytes) -> bytes:
        limit_growth(100 << 20)
        kept = new_pages()
        try:
            return new_pages()[:1] + kept[:0]
        except OSError as error:
            return b"refused" if error.errno == errno.ENOMEM else b"?"

    workers: Pool[str] = Pool(WorkerLimits())
    workers.assign(answering(lambda: asked), "task", b"")
    (event,) = workers.collect(300.0)
    workers.close()
    assert isinstance(event, Heard)
    assert event.data == b"refused"
