"""Takes the pictures of the README and the documentation anew: heap graphs, and the workbench.

Usage: python -m tests.pages.pictures [NAME ...]

Heap graphs are drawn by the command line that stands here; the pages of the workbench are looked at
with Chromium. A test compares what can be read in the graphs with what the tool draws.
"""

from __future__ import annotations

import contextlib
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.pages.run import typed

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
PROGRAMS = "tests/programs/counterexamples"
LEAVES = "exists n: Ref :: n in ns && n.next != null && !(n.next in ns)"
GRAPHS = {
    "swap": "examples/broken/swap.vpr",
    "list": "examples/broken/list.vpr",
    "given_away": f"{PROGRAMS}/given_away.vpr",
    "open_graph": f"--at 9 --where '{LEAVES}' {PROGRAMS}/open_graph.vpr",
    "no_ring": f"{PROGRAMS}/no_ring.vpr",
    "no_ring-dark": f"--theme dark {PROGRAMS}/no_ring.vpr",
    "own_successor": f"{PROGRAMS}/own_successor.vpr",
    "learnt_unfolding": f"{PROGRAMS}/learnt_unfolding.vpr",
    "array_swap": f"{PROGRAMS}/array_swap.vpr",
    "in_portions": f"--at 14 {PROGRAMS}/in_portions.vpr",
    "twins": f"--at 9 {PROGRAMS}/twins.vpr",
}
"""Options and programs of `pitviper counterexample`, from the root of the project."""


def draw(name: str, target: Path) -> None:
    """Draws a heap graph: the first, where the command finds several."""
    with contextlib.chdir(ROOT), tempfile.TemporaryDirectory() as folder:
        drawn = Path(folder) / "graph.svg"
        said = typed(f"pitviper counterexample --svg {shlex.quote(str(drawn))} {GRAPHS[name]}")
        assert drawn.exists(), said
        target.write_bytes(drawn.read_bytes())


def checks(page: Any) -> None:
    page.locator("#panel-checks .canvas svg").wait_for()


def states(page: Any) -> None:
    page.get_by_role("tab", name="States").click()
    page.locator(".step[aria-selected=true]").wait_for()
    page.locator(".step", has_text="assert true").first.click()
    page.get_by_label("draw an instance").check()
    page.locator("#panel-states .canvas svg").wait_for()
    page.locator("#panel-states .where").fill(f"|ns| == 3; {LEAVES}")
    page.keyboard.press("Enter")
    page.locator("#panel-states g.node[data-name^=o_]").nth(3).wait_for()


def proof(page: Any) -> None:
    page.get_by_role("tab", name="Proof").click()
    page.locator(".boxes li").first.wait_for()
    for number, line in enumerate(("assume r == 2 * (n - left)", "assume left >= 0")):
        page.get_by_label("Command").fill(line)
        page.keyboard.press("Enter")
        page.locator(".boxes .added").nth(number).wait_for()
    page.locator(".outcome", has_text="proved").wait_for()


def replay(page: Any) -> None:
    page.get_by_role("tab", name="Explore").click()
    page.get_by_role("button", name="Explore").click()
    failing = page.locator(".place", has_text="x != 10")
    failing.get_by_role("button", name="Replay").click()
    page.locator(".line-replay").wait_for()
    page.get_by_label("Watch an expression").fill("n * n")
    page.keyboard.press("Enter")
    page.locator(".replay", has_text="n * n").wait_for()
    for number in range(2, 7):
        page.get_by_role("button", name="Step ▶").click()
        page.locator(".replay", has_text=f"step {number} of").wait_for()


PAGES: dict[str, tuple[str, str, Callable[[Any], None]]] = {
    "workbench-check": ("03_account.vpr", "light", checks),
    "workbench-dark": ("02_list.vpr", "dark", checks),
    "workbench-states": ("05_open_graph.vpr", "light", states),
    "workbench-proof": ("11_missing_invariant.vpr", "light", proof),
    "workbench-replay": ("12_colours.vpr", "light", replay),
}
"""Examples of the workbench, and what is done before the picture is taken."""


def photograph(names: list[str]) -> None:
    from playwright.sync_api import sync_playwright

    from tests.unit.servers.web.conftest import Server

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    server = Server(Path(tempfile.mkdtemp(prefix="pitviper-pictures-")))
    try:
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for name in names:
                example, scheme, act = PAGES[name]
                size: Any = {"width": 1280, "height": 860}
                look: Any = scheme
                context = browser.new_context(viewport=size, color_scheme=look)
                context.set_default_timeout(120_000)
                page = context.new_page()
                page.goto(f"{server.settings.link}#example={example}")
                page.wait_for_selector(".verdict:is(.refuted, .verified)")
                act(page)
                page.screenshot(path=str(PICTURES / f"{name}.png"))
                context.close()
            browser.close()
    finally:
        server.close()
        shutil.rmtree(server.settings.folder)


if __name__ == "__main__":
    chosen = sys.argv[1:] or [*GRAPHS, *PAGES]
    for graph in [name for name in chosen if name in GRAPHS]:
        draw(graph, PICTURES / f"{graph}.svg")
    photograph([name for name in chosen if name in PAGES])
