"""Programs judged by the verdict of another verifier."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from pitviper.base.usage_error import UsageError
from pitviper.driver.suite.lists import read_verdicts, with_verdicts
from pitviper.driver.suite.programs import find_programs
from pitviper.results.verdict import Verdict

TABLE = """\
path,lines,silicon_verdict,silicon_errors
tool/good.vpr,7,ok,
tool/bad.vpr,9,errors,assert.failed:assertion.false@3.5
tool/slow.vpr,9,timeout,
"""


def test_verdicts_go_to_the_programs_that_they_are_about(tmp_path: Path) -> None:
    (tmp_path / "frontends/tool").mkdir(parents=True)
    for name in ("good", "bad", "slow", "other"):
        (tmp_path / f"frontends/tool/{name}.vpr").write_text("")
    (tmp_path / "table.csv").write_text(TABLE)
    verdicts = read_verdicts(tmp_path / "table.csv")
    assert verdicts[PurePosixPath("tool/slow.vpr")] is None
    programs = with_verdicts(find_programs(tmp_path), verdicts)
    known = {p.path.stem: (p.expectation.verdict, p.expectation.judged) for p in programs}
    assert known == {
        "good": (Verdict.VERIFIED, True),
        "bad": (Verdict.REFUTED, True),
        "slow": (None, False),
        "other": (None, True),
    }


@pytest.mark.parametrize(
    "text", ["a,b\n1,2\n", "path,silicon_verdict\nx.vpr,maybe\n", "path\nx.vpr\n"]
)
def test_what_is_no_table_of_verdicts(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(text)
    with pytest.raises(UsageError, match="no table of verdicts"):
        read_verdicts(path)
    with pytest.raises(UsageError, match="cannot read"):
        read_verdicts(tmp_path / "missing.csv")
