"""VS Code itself, on demand: our extension in code-server, driven by Chromium.

Usage: python tests/editors/vscode.py FOLDER [--no-install]

Installs code-server 4.100.3 (npm, Node 20) and the packaged extension of `editors/vscode` in
FOLDER, opens a wrong program, and does what a user does: reads the diagnostic, shows a
counterexample with its heap graph, paints assertions, applies the code action, sees the program
verified, shows the state at the cursor, walks through a proof. A picture of each step is written to
FOLDER/pictures; the end is an exit code. Needs `npm`, Chromium and `playwright`; not run in CI.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CODE_SERVER = "code-server@4.100.3"
NATIVE = ("@vscode/spdlog", "node-pty", "native-watchdog", "@parcel/watcher")
SECONDS = 120.0
WRONG = """field value: Int
field next: Ref

predicate list(head: Ref) {
  head != null ==> acc(head.value) && acc(head.next) && list(head.next)
}

method reset(cell: Ref)
{
  cell.value := 0
}

method push(head: Ref, v: Int) returns (top: Ref)
  requires list(head)
  ensures list(top)
{
  top := new(value, next)
  top.value := v
  top.next := head
  fold list(top)
}
"""


def run(words: list[str], folder: Path) -> None:
    print("  " + " ".join(words), flush=True)
    subprocess.run(
        words,
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "npm_config_yes": "true"},
    )


def install(folder: Path) -> None:
    """Installs code-server without its scripts, then what these would have built."""
    server = folder / "node_modules" / "code-server"
    if not (server / "out" / "node" / "entry.js").exists():
        folder.mkdir(parents=True, exist_ok=True)
        run(["npm", "install", "--ignore-scripts", "--prefix", str(folder), CODE_SERVER], folder)
        inside = server / "lib" / "vscode"
        for place in (inside, inside / "extensions"):
            run(["npm", "install", "--omit=dev", "--ignore-scripts"], place)
        run(["npm", "rebuild", "argon2"], folder)
        for module in NATIVE:
            run(["npm", "rebuild", module], inside)
    extension = ROOT / "editors" / "vscode"
    if not list(extension.glob("*.vsix")):
        run(["npm", "install"], extension)
        run(["npm", "run", "package"], extension)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def prepare(folder: Path) -> Path:
    """Writes settings and the program; returns the folder that is opened."""
    user = folder / "user" / "User"
    user.mkdir(parents=True, exist_ok=True)
    command = folder / "pitviper"
    command.write_text(
        f'#!/bin/sh\nexport PYTHONPATH="{ROOT}"\nexec "{sys.executable}" -m pitviper "$@"\n'
    )
    command.chmod(0o755)
    settings = {
        "pitviper.command": str(command),
        "pitviper.pause": "0.3",
        "security.workspace.trust.enabled": False,
        "workbench.startupEditor": "none",
        "telemetry.telemetryLevel": "off",
        "extensions.autoCheckUpdates": False,
        "editor.minimap.enabled": False,
        "chat.commandCenter.enabled": False,
        "debug.internalConsoleOptions": "neverOpen",
    }
    (user / "settings.json").write_text(json.dumps(settings))
    work = folder / "program"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    (work / "cell.vpr").write_text(WRONG)
    return work


def packaged() -> tuple[Path, ...]:
    """The newest package of our extension."""
    return tuple(sorted((ROOT / "editors" / "vscode").glob("*.vsix"))[-1:])


@contextmanager
def serving(folder: Path, work: Path, extensions: tuple[Path, ...]) -> Iterator[int]:
    """Runs code-server on loopback, without a password; gives its port."""
    entry = folder / "node_modules" / "code-server" / "out" / "node" / "entry.js"
    places = ["--user-data-dir", str(folder / "user"), "--extensions-dir", str(folder / "ext")]
    for package in extensions:
        shutil.rmtree(folder / "ext", ignore_errors=True)
        run(["node", str(entry), *places, "--install-extension", str(package)], folder)
    port = free_port()
    log = (folder / "code-server.log").open("w")
    process = subprocess.Popen(
        ["node", str(entry), *places, "--auth", "none", "--bind-addr", f"127.0.0.1:{port}",
         "--disable-telemetry", "--disable-update-check", str(work)],
        stdout=log,
        stderr=log,
        start_new_session=True,
    )  # fmt: skip
    try:
        wait_for("code-server", lambda: "HTTP server listening" in Path(log.name).read_text())
        yield port
    finally:
        process.terminate()
        process.wait(20)
        log.close()


def wait_for(what: str, holds: Callable[[], bool]) -> None:
    until = time.monotonic() + SECONDS
    while not holds():
        if time.monotonic() > until:
            raise SystemExit(f"no {what} within {SECONDS:g} seconds")
        time.sleep(0.1)


class Window:
    """The page of VS Code, and what a user does there."""

    def __init__(self, page: Any, pictures: Path, gone: type[Exception]) -> None:
        self.page = page
        self.gone = gone
        self._pictures = pictures
        self._number = 0

    def picture(self, name: str) -> None:
        self._number += 1
        self.page.screenshot(path=str(self._pictures / f"{self._number:02d}-{name}.png"))
        print(f"  {name}", flush=True)

    def command(self, title: str) -> None:
        """Runs a command by its title."""
        self.page.keyboard.press("F1")
        self.page.wait_for_selector(".quick-input-widget input")
        self.page.keyboard.type(title)
        self.page.wait_for_selector(f".quick-input-list .monaco-list-row:has-text('{title}')")
        self.page.keyboard.press("Enter")

    def go_to(self, line: int, column: int = 1) -> None:
        self.page.keyboard.press("Control+G")
        self.page.wait_for_selector(".quick-input-widget input")
        self.page.keyboard.type(f":{line}:{column}")
        self.page.keyboard.press("Enter")

    def status(self, word: str) -> None:
        exactly = f".statusbar-item :text-matches('^\\\\s*{word}\\\\s*$')"
        self.page.wait_for_selector(exactly, timeout=SECONDS * 1000)

    def see(self, selector: str) -> None:
        self.page.wait_for_selector(selector, timeout=SECONDS * 1000)

    def see_none(self, selector: str) -> None:
        wait_for(f"end of {selector}", lambda: self.page.query_selector(selector) is None)

    def see_in_panel(self, selector: str) -> None:
        """Waits for something inside of a page that an extension shows."""

        def shown() -> bool:
            try:
                return any(frame.query_selector(selector) for frame in self.page.frames)
            except self.gone:  # a frame that goes while it is asked
                return False

        wait_for(selector, shown)


def use(window: Window) -> None:
    """What a user does, step by step."""
    window.see(".explorer-folders-view .monaco-list-row:has-text('cell.vpr')")
    window.page.dblclick(".explorer-folders-view .monaco-list-row:has-text('cell.vpr')")
    window.status("failed")
    window.see(".squiggly-error")
    window.command("Problems: Focus on Problems View")
    window.see(".markers-panel .monaco-list-row:has-text('permission')")
    window.picture("diagnostic")
    window.page.click(".view-lines")
    window.page.click(".codelens-decoration a:has-text('counterexample')")
    window.see_in_panel("svg")
    window.picture("counterexample")
    window.page.keyboard.press("Control+1")
    window.command("Pitviper: Colour the assertions of this file")
    window.see(".cdr[class*='ced-']")
    window.picture("colours")
    window.page.click(".view-lines")
    window.go_to(10, 4)
    window.page.keyboard.press("Control+.")
    window.see(".action-widget :text('requires acc(cell.value)')")
    window.picture("code-actions")
    window.page.keyboard.press("Enter")
    window.status("verified")
    window.see(".codelens-decoration a:has-text('verified')")
    window.see_none(".codelens-decoration a:has-text('refuted')")
    window.see_in_panel("b:has-text('about an earlier text')")
    window.picture("verified")
    window.go_to(11, 9)
    window.command("Show or Focus Hover")
    window.see(".monaco-hover :text('permission')")
    window.picture("hover")
    window.page.keyboard.press("Escape")
    window.go_to(20, 4)
    window.command("Pitviper: Show the symbolic state here")
    window.see_in_panel("h3:has-text('heap')")
    window.picture("state-panel")
    window.page.keyboard.press("Control+1")
    window.go_to(20, 4)
    window.command("Pitviper: Walk through the proof of this member")
    window.see(".debug-toolbar")
    window.see(".debug-call-stack .monaco-list-row")
    window.see(".debug-variables .monaco-list-row:has-text('head')")
    window.picture("proof")


def in_window(port: int, work: Path, pictures: Path, act: Callable[[Window], None]) -> None:
    """Opens a folder in a browser, and does something there."""
    from playwright.sync_api import Error, sync_playwright

    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir()
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(SECONDS * 1000)
        page.goto(f"http://127.0.0.1:{port}/?folder={work}")
        window = Window(page, pictures, Error)
        try:
            act(window)
        except BaseException:
            window.picture("where-it-stopped")
            raise
        finally:
            browser.close()
    print(f"pictures are in {pictures}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--no-install", action="store_true")
    chosen = parser.parse_args()
    folder = chosen.folder.resolve()
    if not chosen.no_install:
        install(folder)
    work = prepare(folder)
    with serving(folder, work, packaged()) as port:
        in_window(port, work, folder / "pictures", use)


if __name__ == "__main__":
    main()
