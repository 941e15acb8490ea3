"""What else there is to click in the page: share, format, save, graphs, the debugger, raw."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page, expect

from pitviper.cli.main import main
from pitviper.servers.web.raw import FORMS
from tests.unit.servers.web.browsing import Open, graph, shot, write

INSTANCE = """\
field value: Int
predicate cell(x: Ref) { acc(x.value) }
method m(x: Ref, y: Ref)
  requires cell(x) && acc(y.value)
{
  assert y.value == 3
}
"""


def test_share_copies_a_link_that_opens_the_program(opened: Open) -> None:
    page = opened("01_swap.vpr")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    write(page, "method shared() { assert true }\n")
    page.get_by_role("button", name="Share").click()
    expect(page.locator("#message")).to_contain_text("link")
    link = page.evaluate("navigator.clipboard.readText()")
    assert "token" not in link
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator(".cm-content")).to_contain_text("method shared")
    expect(page.locator("#verdict")).to_have_text("verified")


def place_of(page: Page, text: str, letter: int) -> tuple[float, float]:
    """Where a letter of a text is on the screen; the text is coloured as one piece."""
    at: list[float] = page.locator(".cm-line", has_text=text).evaluate(
        """(line, [text, letter]) => {
          const pieces = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
          let left = line.textContent.indexOf(text) + letter;
          while (pieces.nextNode() && left >= pieces.currentNode.length)
            left -= pieces.currentNode.length;
          const range = document.createRange();
          range.setStart(pieces.currentNode, left);
          range.setEnd(pieces.currentNode, left + 1);
          const box = range.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }""",
        [text, letter],
    )
    return at[0], at[1]


def test_a_text_is_laid_out_explained_and_saved(opened: Open, server: Any) -> None:
    page = opened("01_swap.vpr")
    write(page, "field   f:Int\nmethod m(x:Ref) requires acc(x.f) {x.f:=1}\n")
    page.get_by_role("button", name="Format").click()
    expect(page.locator(".cm-content")).to_contain_text("field f: Int")
    page.mouse.move(*place_of(page, "x.f := 1", 2))
    expect(page.locator(".cm-tooltip-hover")).to_contain_text("Int")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Save").click()
    name = page.get_by_label("Name of the file")
    expect(name).to_have_value("swap.vpr")
    name.fill("kept.vpr")
    page.keyboard.press("Enter")
    expect(page.locator("#message")).to_contain_text("Saved kept.vpr")
    assert "x.f := 1" in Path(server.settings.folder, "kept.vpr").read_text()


def box(page: Page, name: str) -> dict[str, float]:
    place = page.locator(f"#panel-checks g.node[data-name={name}]").bounding_box()
    assert place is not None
    return dict(place)


def test_a_graph_is_zoomed_dragged_and_its_instances_open(opened: Open) -> None:
    page = opened("01_swap.vpr")
    write(page, INSTANCE)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#verdict")).to_have_text("1 check fails")
    graph(page)
    frame = page.locator("#panel-checks g.node", has_text="cell(")
    expect(frame).to_be_visible()
    before = frame.text_content() or ""
    frame.click()
    expect(frame).not_to_have_text(before)
    frame.click()
    expect(frame).to_have_text(before)
    shot(page, "instance-open")
    small = box(page, "o_Ref2")
    page.get_by_label("Zoom in").first.click()
    assert box(page, "o_Ref2")["width"] > small["width"]
    page.get_by_label("Zoom out").first.click()
    start = box(page, "o_Ref2")
    page.mouse.move(start["x"] + 12, start["y"] + 8)
    page.mouse.down()
    page.mouse.move(start["x"] + 60, start["y"] + 48, steps=4)
    page.mouse.up()
    assert box(page, "o_Ref2")["x"] > start["x"] + 20


def test_the_debugger_is_used_by_its_buttons(opened: Open) -> None:
    page = opened("11_missing_invariant.vpr")
    page.get_by_role("tab", name="Proof").click()
    expect(page.locator(".boxes li").first).to_be_visible()
    line, log = page.get_by_label("Command"), page.get_by_role("log")
    page.get_by_role("button", name="Why not?").click()
    expect(log.locator(".asked").last).to_contain_text("why-not")
    page.get_by_role("button", name="Suggest").click()
    expect(log.locator(".asked").last).to_contain_text("suggest")
    for number, fact in enumerate(("r == 2 * (n - left)", "left >= 0"), 1):
        line.fill(fact)
        page.get_by_role("button", name="Assume").click()
        expect(page.locator(".boxes .added")).to_have_count(number)
    expect(page.locator(".outcome")).to_have_text(re.compile("^proved"))
    page.get_by_role("button", name="Minimise").click()
    expect(log.locator(".asked").last).to_contain_text("minimise")
    expect(log).to_contain_text("r@2 == 2 * (n@0 - left@2)")
    line.fill("left == 0")
    page.get_by_role("button", name="Lemma").click()
    expect(log).to_contain_text("left@2 == 0")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Redo").click()
    for limit, outcome in (("5", "^undecided"), ("1000000", "^proved")):
        page.get_by_label("Limit of the solver").fill(limit)
        page.get_by_role("button", name="Use").click()
        expect(page.locator(".outcome")).to_have_text(re.compile(outcome))
    shot(page, "proof-buttons")


def test_every_raw_form_has_a_text_to_copy(opened: Open) -> None:
    page = opened("02_list.vpr")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("tab", name="Raw").click()
    chosen = page.locator("#panel-raw select")
    seen = set[str]()
    for form in chosen.locator("option").evaluate_all("all => all.map(o => o.value)"):
        chosen.select_option(form)
        expect(page.locator("#panel-raw .hint")).to_have_text("")
        page.locator("#panel-raw").get_by_role("button", name="Copy").click()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert len(copied) > 40, form
        seen.add(copied)
    assert len(seen) == len(FORMS)


def test_an_explored_method_has_its_flow_with_what_is_known(opened: Open) -> None:
    page = opened("01_swap.vpr")
    text = "method m(n: Int)\n{\n  var i: Int := 0\n  while (i < n)\n  {\n    i := i + 1\n  }\n"
    write(page, text + "  if (i < 0) {\n    i := 3\n  }\n}\n")
    page.get_by_role("tab", name="Explore").click()
    page.get_by_role("button", name="Explore").click()
    page.locator("summary", has_text="Flow graph").click()
    flow = page.locator(".flow svg")
    expect(flow).to_be_visible()
    expect(flow).to_contain_text("known: i in 0..")
    colours = flow.locator("g.edge path").evaluate_all(
        "all => all.map(e => e.getAttribute('stroke'))"
    )
    assert len(set(colours)) > 1, "covered edges and others"
    shot(page, "flow")


def test_a_flow_graph_is_zoomed_and_leads_to_the_source(opened: Open) -> None:
    page = opened("01_swap.vpr")
    write(page, "method m(n: Int)\n{\n  var i: Int := 0\n  if (n > 3) {\n    i := n\n  }\n}\n")
    page.get_by_role("tab", name="Explore").click()
    page.get_by_role("button", name="Explore").click()
    page.locator("summary", has_text="Flow graph").click()
    flow = page.locator(".flow svg")
    expect(flow).to_be_visible()

    def width() -> float:
        return float(flow.evaluate("e => e.getBoundingClientRect().width"))

    fitting = width()
    tools = page.get_by_role("group", name="Zoom of the flow graph")
    tools.get_by_role("button", name="Zoom in").click()
    assert width() > fitting
    tools.get_by_role("button", name="Fit").click()
    assert abs(width() - fitting) < 1

    flow.get_by_role("link", name="5: i := n").click()
    assert _line_of_the_cursor(page) == "i := n"
    flow.get_by_role("link", name="4: if (n > 3)").press("Enter")
    assert _line_of_the_cursor(page) == "if (n > 3) {"


def _line_of_the_cursor(page: Page) -> str:
    found = "window.getSelection().anchorNode"
    line = page.evaluate(
        f"({found}.closest ? {found} : {found}.parentElement).closest('.cm-line').textContent"
    )
    return str(line).strip()


def test_every_link_of_a_flow_graph_in_a_report_leads_to_its_line(
    browser: Browser, tmp_path: Path
) -> None:
    report = tmp_path / "report.html"
    main(["explore", "examples/explore/transfer.vpr", "--html", str(report)])
    page = browser.new_page()
    page.goto(report.as_uri())
    links = page.locator("svg.pv-flow a")
    assert links.count() > 3
    for number in range(links.count()):
        link = links.nth(number)
        line = (link.text_content() or "").strip().partition(":")[0]
        link.click(force=True)
        target = page.locator(":target")
        expect(target).to_be_in_viewport()
        assert line in (target.text_content() or "")
    page.close()
