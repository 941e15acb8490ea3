"""What tests of the page in a browser share: pasting a text, reading graphs, taking pictures."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

SHOTS = os.environ.get("PITVIPER_SCREENSHOTS")
PATIENCE = int(os.environ.get("PITVIPER_PATIENCE", "120")) * 1000
expect.set_options(timeout=PATIENCE)  # five seconds are too few on a busy machine

Open = Callable[..., Page]


def shot(page: Page, name: str) -> None:
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(Path(SHOTS, f"{name}.png")))


def graph(page: Page, panel: str = "checks") -> Any:
    """The heap graph of a panel, when it is drawn."""
    found = page.locator(f"#panel-{panel} .canvas svg")
    expect(found).to_be_visible()
    return found


def edges(page: Page, panel: str = "checks") -> set[str]:
    """The arrows of the graph, as `o_Ref1:f_next->o_Ref2`."""
    graph(page, panel)
    names = page.locator(f"#panel-{panel} .canvas g.edge").evaluate_all(
        "all => all.map(e => e.dataset.name)"
    )
    return set(names)


def too_wide(page: Page, panel: str = "checks") -> list[str]:
    """Buttons and paragraphs of a panel that reach beyond its right edge."""
    found: list[str] = page.locator(f"#panel-{panel}").evaluate(
        """panel => [...panel.querySelectorAll("button, p, h3, h4, li, select, input")]
          .filter(one => one.offsetParent && !one.closest("pre, .canvas, .steps, .flow"))
          .filter(one => one.getBoundingClientRect().right > panel.getBoundingClientRect().right)
          .map(one => one.textContent.slice(0, 80))"""
    )
    return found


def write(page: Page, text: str) -> None:
    """Pastes a program in the place of the one that is there."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.locator(".cm-content").evaluate(
        """(content, text) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text/plain", text);
          const how = { clipboardData, bubbles: true, cancelable: true };
          content.dispatchEvent(new ClipboardEvent("paste", how));
        }""",
        text,
    )


def told(page: Page) -> dict[str, str]:
    """Variables and objects of the instance, as the text beside the graph tells them."""
    graph(page)
    page.locator("#panel-checks .as-table summary").click()
    lines = page.locator("#panel-checks .as-table li").all_text_contents()
    pairs = [re.split(r" = |: ", line, maxsplit=1) for line in lines]
    return {name: value for name, value in [pair for pair in pairs if len(pair) == 2]}
