"""A report holds all that it shows, opens without a network, and lets no text become markup."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

pytest.importorskip("lsprotocol")

from pitviper.servers.web.report import key_of, report_html

ROOT = Path(__file__).parents[4]


def data_of(html: str) -> dict[str, object]:
    found = re.search(r'id="report-data">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    data: dict[str, object] = json.loads(found[1])
    return data


@pytest.mark.parametrize("name", ["swap", "list"])
def test_a_report_holds_checks_graphs_and_states(name: str) -> None:
    path = ROOT / "examples" / "broken" / f"{name}.vpr"
    html = report_html(path, path.read_text())
    assert len(html.encode()) < 1_500_000
    answers = data_of(html)["answers"]
    assert isinstance(answers, dict)
    kinds = {key.split(" ")[0] for key in answers}
    assert {"check", "verify", "record", "steps", "state", "path", "instance", "command"} <= kinds
    raw = {key for key in answers if key.startswith("emit ")}
    assert {'emit form="trace"', 'emit form="model"', 'emit form="profile"'} <= raw
    pictures = [value["svg"]["light"] for value in answers.values() if value.get("found")]
    assert pictures
    assert all("<svg" in picture for picture in pictures)


def test_a_report_loads_nothing_and_names_its_scripts_by_digest() -> None:
    html = report_html(Path("a.vpr"), "method m(x: Int) { assert x > 0 }")
    outside = html.replace("http://www.w3.org", "")
    assert not re.search(r'<(script|link|img)[^>]*(src|href)="(?!data:)', outside)
    policy = re.search(r'Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    assert "script-src 'sha256-" in policy[1]
    assert "unsafe-inline'; script" not in policy[1]


def test_a_report_tells_nothing_of_the_machine_it_was_made_on(tmp_path: Path) -> None:
    (tmp_path / "library.vpr").write_text("function f(): Int ensures result > 3 { 4 }\n")
    text = 'import "library.vpr"\nmethod m() { assert f() > 4 }\n'
    html = report_html(tmp_path / "a.vpr", text, explored=True)
    answers = data_of(html)["answers"]
    assert isinstance(answers, dict)
    assert "explore" in answers
    assert not [key for key, answer in answers.items() if "imports" in answer]
    assert str(tmp_path) not in html


def test_a_hostile_text_stays_text() -> None:
    text = "// </script><script>alert(1)</script> <!-- <img src=x onerror=alert(1)>\nmethod m() {}"
    html = report_html(Path("<b>.vpr"), text)
    assert html.count("<script") == 2 + html.count('"<script')
    assert "<img src=x" not in html
    assert data_of(html)["text"] == text


def test_a_program_with_errors_has_a_report_that_says_so() -> None:
    answers = data_of(report_html(Path("a.vpr"), "method m( {"))["answers"]
    assert isinstance(answers, dict)
    assert answers["verify"]["verdict"] == "rejected"
    assert answers["check"]["problems"]


def test_questions_are_named_as_the_page_names_them() -> None:
    asked = {"where": [], "member": "m", "number": 0, "step": None}
    assert key_of("instance", asked) == 'instance member="m" number=0 where=[]'


def test_an_explored_report_holds_the_runs_of_its_tests() -> None:
    text = "method m(n: Int)\n{\n  var i: Int := n + 1\n  assert i != 11\n}\n"
    answers = data_of(report_html(Path("a.vpr"), text, explored=True))["answers"]
    assert isinstance(answers, dict)
    runs = [value for key, value in answers.items() if key.startswith("replay ")]
    assert any(run["fails"] for run in runs)
