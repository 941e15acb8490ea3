"""The workbench in a real browser: what the issue asks to be clicked through.

Skipped where there is no Chromium, or no client for it. With PITVIPER_SCREENSHOTS set to a folder,
each test leaves pictures there to be looked at.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")
axe = pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
AXE = Path(axe.__file__).parent / "axe.min.js"

from playwright.sync_api import Browser, Page, expect  # noqa: E402

from tests.unit.servers.rough import SLOW  # noqa: E402
from tests.unit.servers.web.browsing import (  # noqa: E402
    PATIENCE,
    Open,
    edges,
    graph,
    shot,
    too_wide,
    write,
)

ROOT = Path(__file__).parents[4]
MENDED = """\
field value: Int
method swap(a: Ref, b: Ref)
  requires acc(a.value) && acc(b.value)
  ensures acc(a.value) && acc(b.value)
  ensures a.value == old(b.value) && b.value == old(a.value)
{
  var kept: Int := a.value
  a.value := b.value
  b.value := kept
}
"""
LOOP = """\
method m(x: Int)
{
  var y: Int := 0
  while (y < x)
    invariant y >= 0
  {
    y := y + 1
  }
  assert y > 3
}
"""


def test_a_failed_check_is_read_drawn_and_mended(opened: Open) -> None:
    page = opened("01_swap.vpr")
    expect(page.locator("#verdict")).to_have_text("1 check fails")
    expect(page.locator(".story h3")).to_contain_text("b.value == old(a.value)")
    expect(page.locator(".cure")).to_contain_text("Cure")
    expect(page.locator(".cure")).not_to_contain_text("`")
    expect(page.locator(".cure code").first).to_be_visible()
    graph(page)
    expect(page.locator(".line-failing")).to_contain_text("ensures a.value == old(b.value)")
    expect(page.locator(".note").first).to_have_text(re.compile(r"a\.value = -?\d+"))
    expect(page.locator("#panel-checks .caption")).to_contain_text("is false")
    shot(page, "failed-check")
    page.locator("#panel-checks g.node[data-name=o_Ref1]").click()
    expect(page.locator("#panel-checks .details")).to_contain_text("value")
    text = page.evaluate("document.querySelector('.cm-content').innerText")
    assert "a.value := b.value" in text
    write(page, MENDED)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#verdict")).to_have_text("verified")
    expect(page.locator(".line-failing")).to_have_count(0)


def test_a_cure_is_written_into_the_text_by_its_button(opened: Open) -> None:
    page = opened("01_swap.vpr")
    write(page, "field f: Int\nmethod m(x: Ref)\n{\n  x.f := 1\n}\n")
    page.keyboard.press("Control+Enter")
    button = page.locator(".apply button", has_text="requires acc(x.f)")
    expect(button).to_be_visible()
    shot(page, "cure-button")
    button.click()
    expect(page.locator(".cm-content")).to_contain_text("requires acc(x.f)")
    expect(page.locator(".apply")).to_have_count(0)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#verdict")).to_have_text("verified")


def test_while_one_types_errors_are_shown_and_names_completed(opened: Open) -> None:
    page = opened("01_swap.vpr")
    write(page, "field value: Imt\n")
    expect(page.locator(".card.error", has_text="Imt")).to_be_visible()
    expect(page.locator(".cm-lint-marker-error")).to_have_count(1)
    write(page, "field balance: Int\nmethod m(account: Ref)\n{\n  inhale acc(account.bal")
    page.keyboard.press("Control+Space")
    expect(page.locator(".cm-tooltip-autocomplete")).to_contain_text("balance")


def test_the_next_instance_and_a_constraint_change_the_graph(opened: Open) -> None:
    page = opened("07_own_successor.vpr")
    first = edges(page)
    assert any(re.match(r"o_(\w+):\w+->o_\1:\w+$", edge) for edge in first), first
    shot(page, "own-successor")
    page.locator("#panel-checks .where").fill("|nodes| == 3")
    page.keyboard.press("Enter")
    expect(page.locator("#panel-checks g.node[data-name^=o_]").nth(2)).to_be_visible()
    shot(page, "constraint")
    page.locator("#panel-checks .where").fill("nodes ==")
    page.keyboard.press("Enter")
    expect(page.locator("#panel-checks .caption.bad")).to_contain_text("constraint")
    page.locator("#panel-checks .where").fill("")
    page.keyboard.press("Enter")
    graph(page)
    expect(page.locator("#panel-checks .caption.waiting")).to_have_count(0)
    page.get_by_role("button", name="Next instance").click()
    note = page.locator("#panel-checks .caption")
    expect(note).to_contain_text(re.compile("counterexample 2|another shape"))


def test_states_are_walked_by_keys_and_by_clicking_the_text(opened: Open) -> None:
    page = opened("02_list.vpr")
    page.get_by_role("tab", name="States").click()
    expect(page.locator(".step[aria-selected=true]")).to_contain_text("failure")
    expect(page.locator(".mark-here")).to_have_count(1)
    page.get_by_role("button", name="Parent").click()
    expect(page.locator(".step[aria-selected=true]")).to_contain_text("consume")
    page.get_by_role("tree").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".step[aria-selected=true]")).to_contain_text("first.next := head")
    expect(page.locator(".mark-here")).to_have_text("first.next := head")
    page.locator(".cm-line", has_text="first.value := element").locator("span").last.click()
    expect(page.locator(".step[aria-selected=true]")).to_contain_text("first.value := element")
    expect(page.locator(".state tr.new")).not_to_have_count(0)
    shot(page, "states")
    page.get_by_label("Member", exact=True).select_option("length")
    expect(page.locator(".step").first).to_contain_text("length")
    expect(page.locator(".step[aria-selected=true]")).to_have_count(1)
    page.get_by_label("Member", exact=True).select_option("prepend")
    expect(page.locator(".step").first).to_contain_text("prepend")
    page.get_by_label("Find in steps and state").fill("next")
    expect(page.locator(".step[aria-selected=true]")).to_have_count(0)
    expect(page.locator(".step", has_text="first.next := head")).to_have_count(1)


def test_a_place_with_several_states_asks_which_is_meant(opened: Open) -> None:
    page = opened("01_swap.vpr")
    write(page, LOOP)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#verdict")).to_have_text("1 check fails")
    page.get_by_role("tab", name="States").click()
    expect(page.locator(".step[aria-selected=true]")).to_be_visible()
    page.locator(".cm-line", has_text="invariant y >= 0").locator(
        "span", has_text="y >= 0"
    ).last.click()
    menu = page.get_by_role("menu", name="States at this place")
    expect(menu).to_be_visible()
    assert menu.get_by_role("menuitem").count() >= 2
    shot(page, "several-states")
    menu.get_by_role("menuitem").nth(1).click()
    expect(menu).to_have_count(0)


def test_an_assumption_is_removed_and_the_goal_proved(opened: Open) -> None:
    page = opened("11_missing_invariant.vpr")
    page.get_by_role("tab", name="Proof").click()
    expect(page.locator(".boxes li").first).to_be_visible()
    page.get_by_role("button", name="Prove").click()
    expect(page.locator(".outcome")).to_contain_text("not proved")
    for number, line in enumerate(("assume r == 2 * (n - left)", "assume left >= 0"), 1):
        page.get_by_label("Command").fill(line)
        page.keyboard.press("Enter")
        expect(page.locator(".asked").last).to_contain_text(line)
        expect(page.locator(".boxes .added")).to_have_count(number)
    expect(page.locator(".outcome")).to_have_text(re.compile("^proved"))
    shot(page, "proof")
    page.locator(".boxes .added input").last.click()
    expect(page.locator(".boxes .removed")).not_to_have_count(0)
    page.get_by_role("button", name="Prove").click()
    expect(page.locator(".outcome")).to_contain_text("not proved")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".boxes .removed")).to_have_count(0)


def test_runs_are_explored_and_replayed_step_by_step(opened: Open) -> None:
    page = opened("01_swap.vpr")
    write(page, "method m(n: Int)\n{\n  var i: Int := n\n  i := i + 1\n  assert i != 11\n}\n")
    page.get_by_role("tab", name="Explore").click()
    page.get_by_role("button", name="Explore").click()
    expect(page.locator(".place .dot.red").first).to_be_visible()
    expect(page.locator(".mark-red")).to_have_text("i != 11")
    page.locator(".place", has_text="i != 11").get_by_role("button", name="Replay").click()
    expect(page.locator(".line-replay")).to_contain_text("var i")
    page.get_by_label("Watch an expression").fill("n + 1")
    page.keyboard.press("Enter")
    expect(page.locator(".replay")).to_contain_text("11")
    for _ in range(2):
        page.get_by_role("button", name="Step ▶").click()
    expect(page.locator(".line-replay")).to_contain_text("assert i != 11")
    expect(page.locator(".replay")).to_contain_text("might not hold")
    page.get_by_role("button", name="◀ Back").click()
    expect(page.locator(".line-replay")).to_contain_text("i := i + 1")
    shot(page, "replay")
    page.locator("summary", has_text="Flow graph").click()
    expect(page.locator(".flow svg")).to_be_visible()


def test_pictures_and_models_are_exported(opened: Open) -> None:
    page = opened("08_learnt_unfolding.vpr")
    graph(page)
    for name, start in (
        ("SVG", b"<?xml"),
        ("DOT", b"digraph"),
        ("Alloy", b""),
        ("PNG", b"\x89PNG"),
    ):
        with page.expect_download() as caught:
            page.locator("#panel-checks .exports").get_by_role(
                "button", name=name, exact=True
            ).click()
        content = Path(caught.value.path()).read_bytes()
        assert content.startswith(start)
        assert len(content) > 200


def test_a_program_travels_in_a_link(opened: Open, server: Any) -> None:
    page = opened("01_swap.vpr")
    code = page.evaluate(
        """async () => {
          const text = "method ünicode() { assert 1 + 1 == 2 }";
          const pack = new CompressionStream("deflate-raw");
          const packed = new Blob([text]).stream().pipeThrough(pack);
          const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
          const code = btoa(String.fromCharCode(...bytes));
          return code.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
        }"""
    )
    page.goto("about:blank")
    page.goto(f"{server.here}/#program={code}")
    expect(page.locator(".cm-content")).to_contain_text("ünicode")
    assert "program=" not in page.url


def test_names_and_comments_never_become_markup(opened: Open) -> None:
    page = opened("01_swap.vpr")
    hostile = "<img src=x onerror=\"document.title='owned'\">"
    write(
        page, f"// {hostile}\nmethod m(x: Int)\n{{\n  assert x == 0 // {hostile}\n  {hostile}\n}}\n"
    )
    page.keyboard.press("Control+Enter")
    expect(page.locator(".card.error").first).to_be_visible()
    write(page, f"// {hostile}\nmethod m(x: Int)\n{{\n  assert x == 0 /* {hostile} */\n}}\n")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#verdict")).to_have_text("1 check fails")
    assert page.title() == "Pitviper"
    assert page.locator("img").count() == 0


def test_a_server_that_comes_back_is_found_again(
    browser: Browser, serve: Callable[..., Any]
) -> None:
    first = serve()
    port = first.settings.port
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{first.settings.link}#example=01_swap.vpr")
    expect(page.locator("#verdict")).to_have_text("1 check fails")
    write(page, "method mine() {}\n")
    first.close()
    expect(page.locator("#message")).to_contain_text("gone")
    serve(port=port)
    expect(page.locator("#message")).to_have_text("")
    page.get_by_role("button", name="Verify").click()
    expect(page.locator("#verdict")).to_have_text("verified")
    expect(page.locator(".cm-content")).to_contain_text("mine")
    context.close()


def test_nothing_is_green_that_was_not_verified_to_the_end(
    browser: Browser, serve: Callable[..., Any]
) -> None:
    server = serve()
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{server.settings.link}#example=01_swap.vpr")
    verdict = page.locator("#verdict")
    expect(verdict).to_have_text("1 check fails")
    write(page, MENDED)
    page.keyboard.press("Control+Enter")
    expect(verdict).to_have_text("verified")
    page.keyboard.press("End")
    page.keyboard.type(" ")
    expect(verdict).to_have_text("not verified")  # stale
    write(page, SLOW)
    page.keyboard.press("Control+Enter")
    expect(verdict).to_have_text(RUNNING)  # a worker has it
    for process in workers():
        os.kill(process, signal.SIGKILL)
    expect(verdict).to_contain_text("ended")
    expect(verdict).to_have_class("verdict undecided")
    page.keyboard.press("Control+Enter")
    expect(verdict).to_have_class("verdict running")
    page.get_by_role("button", name="Stop").click()
    expect(verdict).to_have_text("cancelled")
    page.keyboard.press("Control+Enter")
    write(page, MENDED)
    expect(page.locator(".cm-content")).to_contain_text("kept")
    expect(verdict).not_to_have_class("verdict verified")
    page.get_by_role("button", name="Stop").click()
    expect(verdict).to_have_text("cancelled")
    write(page, SLOW)
    page.keyboard.press("Control+Enter")
    expect(verdict).to_have_class("verdict running")
    server.close()
    expect(verdict).to_have_text("not verified: the server is gone")
    context.close()


RUNNING = re.compile(r"^verifying \d+ of \d+")


def workers() -> list[int]:
    """The processes that work for the servers of this process."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = int(entry.read_text().rpartition(")")[2].split()[1])
            command = (entry.parent / "cmdline").read_bytes()
            if parent == os.getpid() and b"servers.web.worker" in command:
                found.append(int(entry.parent.name))
    return found


@pytest.mark.parametrize(
    ("width", "dark"), [(1280, False), (1280, True), (400, False), (400, True)]
)
def test_the_page_fits_and_has_no_serious_barrier(opened: Open, width: int, dark: bool) -> None:
    page = opened("02_list.vpr", width, 860, dark=dark)
    graph(page)
    look = f"{width}-{'dark' if dark else 'light'}"
    for tab in ("Checks", "States", "Proof", "Explore", "Raw"):
        page.get_by_role("tab", name=tab).click()
        if tab == "States":
            page.get_by_label("draw an instance").check()
            graph(page, "states")
        if tab == "Proof":
            expect(page.locator(".boxes li").first).to_be_visible()
        if tab == "Explore":
            page.get_by_role("button", name="Explore").click()
            expect(page.locator(".place .dot").first).to_be_visible()
        if tab == "Raw":
            expect(page.locator("pre.raw")).to_contain_text("produce")
            expect(page.locator("pre.raw")).to_contain_text("[list.vpr@")
        shot(page, f"{tab.lower()}-{look}")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert too_wide(page, tab.lower()) == []
        assert barriers(page) == []


def barriers(page: Page) -> list[str]:
    """What axe finds that keeps people out."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run(document)")
    return [
        f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


def test_the_page_is_used_without_a_mouse(opened: Open) -> None:
    page = opened("01_swap.vpr")
    page.keyboard.press("Alt+2")
    expect(page.get_by_role("tab", name="States")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tree")).to_be_focused()
    expect(page.locator(".step[aria-selected=true]")).to_contain_text("failure")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".step[aria-selected=true]")).to_contain_text("consume")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Ctrl+Enter")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+o")
    expect(page.get_by_label("Find a program")).to_be_focused()
    page.keyboard.type("ring")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".cm-content")).to_contain_text("method ring")
    page.keyboard.press("Alt+0")
    expect(page.locator(".cm-content")).to_be_focused()


@pytest.mark.parametrize("name", ["account", "list", "sum", "swap"])
def test_a_report_opens_from_the_disk_without_a_network(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    from pitviper.servers.web.report import report_html

    source = ROOT / "examples" / "broken" / f"{name}.vpr"
    expected = source.read_text().count("ExpectedOutput(")
    (tmp_path / "report.html").write_text(report_html(source, source.read_text()))
    context = browser.new_context(offline=True)
    context.set_default_timeout(PATIENCE)
    page, complaints = context.new_page(), list[str]()
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.goto((tmp_path / "report.html").as_uri())
    expect(page.locator("#verdict")).to_have_text(re.compile(f"^{expected} checks? fails?$"))
    graph(page)
    page.get_by_role("tab", name="States").click()
    expect(page.locator(".state table").first).to_be_visible()
    page.get_by_role("tab", name="Proof").click()
    expect(page.locator(".boxes li").first).to_be_visible()
    shot(page, f"report-{name}")
    page.get_by_role("tab", name="Raw").click()
    expect(page.locator("pre.raw")).to_contain_text("execute")
    assert complaints == []
    context.close()


def test_nothing_jumps_while_results_arrive(opened: Open) -> None:
    """Chromium counts how far things move without anybody having touched the page."""
    page = opened("02_list.vpr")
    page.evaluate(
        """() => {
          window.shifted = 0;
          new PerformanceObserver((list) => {
            const unasked = list.getEntries().filter((one) => !one.hadRecentInput);
            for (const one of unasked) window.shifted += one.value;
          }).observe({ type: "layout-shift", buffered: true });
        }"""
    )
    graph(page)
    page.evaluate("() => new Promise((done) => setTimeout(done, 300))")  # counts come late
    assert page.evaluate("window.shifted") < 0.1


def test_a_green_verdict_goes_when_an_imported_file_changes(opened: Open, server: Any) -> None:
    library = Path(server.settings.folder) / "library.vpr"
    library.write_text("function f(): Int ensures result > 3\n")
    page = opened("01_swap.vpr")
    write(page, 'import "library.vpr"\nmethod m() { assert f() > 3 }\n')
    page.keyboard.press("Control+Enter")
    expect(page.locator("#verdict")).to_have_text("verified")
    library.write_text("function f(): Int ensures result > 2\n")
    expect(page.locator("#verdict")).to_have_text("not verified: an imported file has changed")
    expect(page.locator("#verdict")).not_to_have_class(re.compile("verified"))
    page.locator("#verify").click()
    expect(page.locator("#verdict")).to_have_text("1 check fails")


def test_colours_go_when_an_imported_file_changes(opened: Open, server: Any) -> None:
    library = Path(server.settings.folder) / "claims.vpr"
    library.write_text("function f(): Int ensures result > 3 { 4 }\n")
    page = opened("01_swap.vpr")
    write(page, 'import "claims.vpr"\nmethod m() { assert f() > 3 }\n')
    page.get_by_role("tab", name="Explore").click()
    page.get_by_role("button", name="Explore").click()
    expect(page.locator(".mark-green").first).to_be_visible()
    library.write_text("function f(): Int ensures result > 2 { 3 }\n")
    expect(page.locator(".explore .bar .hint")).to_contain_text("An imported file has changed")
    expect(page.locator(".mark-green")).to_have_count(0)
    page.get_by_role("tab", name="Checks").click()
    page.get_by_role("tab", name="Explore").click()
    expect(page.locator(".mark-green")).to_have_count(0)
