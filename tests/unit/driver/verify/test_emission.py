"""What the second verifier has to prove, as text; the real Boogie must come to our conclusions."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from pitviper.driver.verify.emission import as_boogie, as_text, emit
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import open_verifier
from pitviper.engines.vcg.ivl.check import complaints
from pitviper.engines.vcg.ivl.language import Procedure
from pitviper.program.member import Program
from pitviper.source.span import Span

OPTIONS = VerifyOptions(backend="vcg")
EXAMPLES = sorted(Path("examples").rglob("*.vpr"))
needs_boogie = pytest.mark.skipif(
    shutil.which("boogie") is None, reason="the package boogie is not installed"
)


def read(path: Path) -> Program:
    with open_verifier(OPTIONS) as verifier:
        program = verifier.read(path).program
    assert program is not None
    return program


def _told(error: str, reason: str, span: Span, offending: Span | None) -> tuple[str, ...]:
    return error, reason, str(span), str(offending)


@needs_boogie
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.relative_to("examples")))
def test_boogie_comes_to_the_same_findings(path: Path, tmp_path: Path) -> None:
    with open_verifier(OPTIONS) as verifier:
        ours = verifier.verify(verifier.read(path))
    text = as_boogie(emit(read(path), OPTIONS).program)
    file = tmp_path / "program.bpl"
    file.write_text(text.text, encoding="utf-8")
    command = ["boogie", "/errorLimit:100", "/errorTrace:0", str(file)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False).stdout
    numbers = [int(number) for number in re.findall(r"\[(\d+)\]$", said, re.MULTILINE)]
    counted = re.search(r"finished with \d+ verified, (\d+) error", said)
    theirs = {_told(*text.obligations[number][1].key[:4]) for number in numbers}

    assert counted is not None, said
    assert int(counted[1]) == len(numbers)
    assert theirs == {_told(f.error, f.reason, f.span, f.offending) for f in ours.findings}


def test_there_are_examples_that_hold_and_that_fail() -> None:
    assert len([path for path in EXAMPLES if path.parent.name != "broken"]) >= 7
    assert len([path for path in EXAMPLES if path.parent.name == "broken"]) >= 4


def test_the_text_has_all_members() -> None:
    said = as_text(emit(read(Path("examples/list.vpr")), OPTIONS).program)

    assert re.findall(r"^procedure (\w+)", said, re.MULTILINE)[-1] == "length"
    assert "// postcondition.violated:assertion.false at list.vpr" in said


def test_only_selected_members_are_emitted() -> None:
    chosen = VerifyOptions(backend="vcg", select=("audit",))
    made = emit(read(Path("examples/broken/account.vpr")), chosen).program

    assert [procedure.name for procedure in made.procedures] == ["audit"]


def test_the_checker_sees_a_block_that_comes_from_nowhere() -> None:
    made = emit(read(Path("examples/cell.vpr")), OPTIONS).program
    first = made.procedures[0]
    lost = replace(first.blocks[0], label="lost")
    broken = replace(made, procedures=(Procedure("p", (*first.blocks, lost)),))

    assert complaints(made) == ()
    assert any("the entry, and only the entry" in said for said in complaints(broken))
