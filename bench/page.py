"""How quick the page of the workbench is, in a real browser: the numbers of docs/workbench.md.

python bench/page.py [MARKINGS]

Writes the size of the first load, how long the state of a step takes to be seen (from the key to
the drawn state) in a program that marks a graph again and again, how long a heap graph of 30
objects takes to be drawn, how long typing waits while a verification runs, and how far things jump.
"""

from __future__ import annotations

import gzip
import re
import shutil
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from pitviper.results.heap_graph import Entry, HeapGraph, Node, Pointer, Row
from pitviper.servers.web.app import server_for
from pitviper.servers.web.settings import Settings
from pitviper.views.pictures.graphviz import rendered
from pitviper.views.pictures.heap import LIGHT, dot_text, svg_in_themes

WEB = Path(__file__).parent.parent / "pitviper" / "servers" / "web"
PATIENCE = 300_000
MARKINGS = 12
SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
}).observe({ type: "layout-shift", buffered: true });
"""


def marking(times: int) -> str:
    """Graph marking, with its loop several times in a row."""
    text = (WEB / "examples" / "18_graph_marking.vpr").read_text()
    start, end = text.index("  while (|pending| > 0)"), text.rindex("}\n")
    head, loop = text[:start], text[start:end]
    before, _, body = loop.partition("    var n: Ref\n")
    parts = []
    for number in range(times):
        renamed = re.sub(r"\bn\b", f"n{number}", body)
        parts.append(f"{before}    var n{number}: Ref\n{renamed}  pending := Set(root)\n")
    return f"{head}{''.join(parts)}}}\n"


def many_objects(count: int) -> HeapGraph:
    """A ring of objects, each with four fields."""
    nodes = [
        Node(
            f"Ref{i}",
            (
                Row("next", f"Ref{(i + 1) % count}", "write", f"Ref{(i + 1) % count}"),
                Row("other", f"Ref{(i * 7) % count}", "write", f"Ref{(i * 7) % count}"),
                Row("value", str(i), "1/2", before="0"),
                Row("marked", "false", "write"),
            ),
            ("nodes",),
        )
        for i in range(count)
    ]
    pointers = (Pointer(("root",), "Ref0"), Pointer(("last",), f"Ref{count - 1}"))
    return HeapGraph("", "", tuple(nodes), pointers, (), (Entry("n", "3"),), ())


@contextmanager
def workbench(folder: Path) -> Iterator[Settings]:
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    bound.listen()
    settings = Settings(folder, "bench", port=bound.getsockname()[1], seconds=300)
    server = server_for(settings)
    thread = threading.Thread(target=lambda: server.run(sockets=[bound]))
    thread.start()
    yield settings
    server.should_exit = True
    thread.join()


def say(what: str, value: str) -> None:
    sys.stdout.write(f"{what:<58} {value}\n")
    sys.stdout.flush()


def states(page: Page) -> None:
    """Walks with the arrow keys, and waits each time until the state of the step is drawn."""
    page.get_by_role("tab", name="States").click()
    expect(page.locator(".state table").first).to_be_visible(timeout=PATIENCE)
    steps = page.evaluate("document.querySelector('[role=tree]').dataset.count")
    took = page.evaluate(
        """async () => {
          const tree = document.querySelector("[role=tree]");
          const state = document.querySelector(".state");
          const took = [];
          const press = (key) => tree.dispatchEvent(new KeyboardEvent("keydown", { key }));
          const drawn = () => state.dataset.step === tree.dataset.here;
          press("Home");
          press("ArrowRight");
          for (let i = 0; i < 150; i++) {
            const before = tree.dataset.here, start = performance.now();
            press(i % 5 === 3 ? "ArrowRight" : "ArrowDown");
            if (tree.dataset.here === before) press("ArrowDown");
            if (tree.dataset.here === before) press("ArrowLeft"), press("ArrowDown");
            if (tree.dataset.here === before) break;
            while (!drawn()) await new Promise((done) => setTimeout(done, 1));
            await new Promise((done) => requestAnimationFrame(done));
            took.push(performance.now() - start);
          }
          return took;
        }"""
    )
    took.sort()
    say("steps of the program", str(steps))
    told = f"median {statistics.median(took):.0f} ms, 95% {took[int(len(took) * 0.95)]:.0f} ms"
    say(
        f"state of a step, from key to picture ({len(took)} steps)",
        f"{told}, worst {took[-1]:.0f} ms",
    )


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else MARKINGS
    sizes = [len(gzip.compress(file.read_bytes())) for file in (WEB / "assets").iterdir()]
    say("first load, gzipped", f"{sum(sizes) / 1000:.0f} kB")
    graph = many_objects(30)
    rendered(dot_text(graph, LIGHT), "svg")
    start = time.perf_counter()
    svg_in_themes(graph)
    rendered(dot_text(graph, LIGHT), "svg")
    say(
        "heap graph of 30 objects, all three pictures",
        f"{1000 * (time.perf_counter() - start):.0f} ms",
    )
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as play,
        workbench(Path(folder)) as settings,
    ):
        Path(folder, "marking.vpr").write_text(marking(times))
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 860})
        page.set_default_timeout(PATIENCE)
        page.add_init_script(SHIFTS)
        page.goto(f"{settings.link}#example=02_list.vpr")
        expect(page.locator("#panel-checks .canvas svg")).to_be_visible(timeout=PATIENCE)
        say("layout shift until a failed check is drawn", f"{page.evaluate('window.shifted'):.4f}")
        page.goto("about:blank")
        page.goto(f"{settings.link}#open=marking.vpr")
        page.wait_for_selector(".verdict.running")
        typed = page.evaluate(
            """async () => {
              const view = document.querySelector(".cm-content");
              view.focus();
              let worst = 0;
              for (let i = 0; i < 40; i++) {
                const start = performance.now();
                document.execCommand("insertText", false, " ");
                await new Promise((done) => requestAnimationFrame(done));
                worst = Math.max(worst, performance.now() - start);
              }
              return worst;
            }"""
        )
        say("a key while a verification runs, worst of 40", f"{typed:.0f} ms")
        page.reload()
        page.goto("about:blank")
        page.goto(f"{settings.link}#open=marking.vpr")
        page.wait_for_selector(".verdict:is(.refuted, .verified, .undecided)")
        states(page)
        browser.close()


if __name__ == "__main__":
    main()
