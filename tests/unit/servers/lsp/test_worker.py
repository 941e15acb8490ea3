"""The process that verifies a text: after an edit, only what this concerns is verified again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pitviper.servers.lsp.processes import worker

TEXT = "field f: Int\n" + "".join(
    f"method m{n}(x: Ref) returns (r: Int)\n  requires acc(x.f)\n  ensures acc(x.f) && r > {n}\n"
    f"{{\n  r := {n + 1}\n}}\nmethod uses{n}(x: Ref)\n  requires acc(x.f)\n"
    f"{{\n  var a: Int\n  a := m{n}(x)\n  assert a > {n}\n}}\n"
    for n in range(5)
)


def verified(
    text: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, dict[str, str], set[str]]:
    """The verdict, those of members, and the members that were verified again."""
    said: list[dict[str, Any]] = []
    monkeypatch.setattr(worker, "_say", said.append)
    worker._verify({"path": str(folder / "t.vpr"), "text": text, "cache": str(folder / "cache")})
    members = [line for line in said if line["kind"] == "member"]
    verdicts = {line["member"]: line["verdict"] for line in members}
    return said[-1]["verdict"], verdicts, {m["member"] for m in members if not m["remembered"]}


def test_an_edit_is_verified_with_what_it_concerns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {f"{kind}{n}" for kind in ("m", "uses") for n in range(5)}
    verdict, members, new = verified(TEXT, tmp_path, monkeypatch)
    assert (verdict, set(members), new) == ("verified", names, names)

    wrong = TEXT.replace("r := 3", "r := 2")
    verdict, members, new = verified(wrong, tmp_path, monkeypatch)
    assert (verdict, set(members)) == ("refuted", names)
    assert {name for name, found in members.items() if found == "refuted"} == {"m2"}
    assert new == {"m2"}

    weaker = TEXT.replace("r > 2", "r >= 2")
    verdict, members, new = verified(weaker, tmp_path, monkeypatch)
    assert (verdict, set(members)) == ("refuted", names)
    assert {name for name, found in members.items() if found == "refuted"} == {"uses2"}
    assert {"m2", "uses2"} <= new


def test_a_predicate_that_changes_concerns_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "predicate p(x: Ref) { acc(x.f) }\n" + TEXT.replace("acc(x.f)", "p(x)")
    assert verified(text, tmp_path, monkeypatch)[0] == "verified"
    changed = text.replace("{ acc(x.f) }", "{ acc(x.f) && false }")
    verdict, _, new = verified(changed, tmp_path, monkeypatch)
    assert verdict == "verified"
    assert {f"m{n}" for n in range(5)} <= new
