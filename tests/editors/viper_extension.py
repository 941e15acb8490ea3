"""`pitviper server --viper` in VS Code, on demand: a client like the Viper extension.

Usage: python tests/editors/viper_extension.py FOLDER [--no-install]

The Viper extension itself cannot be had from npm. `viper_client` starts a server as it does, by the
stand-in for Java, and sends the same requests with the same library (`vscode-languageclient`); it
is written after the recorded conversations. FOLDER is that of `vscode.py`, which installs
code-server there. Walks through several files: failing, verified by both verifiers, `.sil`,
stopped, edited while it runs, an import that is missing, a restart, mended. A picture of each step
is written to FOLDER/viper-pictures.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.editors import vscode
from tests.editors.vscode import ROOT, Window, wait_for
from tests.unit.servers.rough import SLOW

PROGRAMS = {
    "cell.vpr": "field f: Int\n\nmethod m(x: Ref)\n{\n  x.f := 1\n}\n",
    "right.vpr": "method right(x: Int)\n  requires x > 1\n{\n  assert x > 0\n}\n",
    "old.sil": "method old_ending(x: Int)\n{\n  assert x > 0\n}\n",
    "slow.vpr": SLOW,
    "lost.vpr": 'import "gone.vpr"\n\nmethod m()\n{\n}\n',
}


class Viper:
    """What a user of the Viper extension does in a window."""

    def __init__(self, window: Window, log: Path) -> None:
        self._window = window
        self._log = log

    def open(self, name: str) -> None:
        page = self._window.page
        page.dblclick(f".explorer-folders-view .monaco-list-row:has-text('{name}')")
        page.wait_for_selector(f".tab.active:has-text('{name}')")

    def run(self, command: str) -> None:
        self._window.command(f"Viper: {command}")

    def shows(self, state: str) -> None:
        self._window.status(f"V {state}")

    def hears(self, text: str, times: int = 1) -> None:
        wait_for(text, lambda: self._log.read_text().count(text) >= times)


def use(window: Window, log: Path) -> None:
    """What a user does, step by step."""
    viper = Viper(window, log)
    read_verdicts(window, viper)
    stop_and_edit(window, viper)
    restart_and_mend(window, viper)


def read_verdicts(window: Window, viper: Viper) -> None:
    window.see(".explorer-folders-view .monaco-list-row:has-text('cell.vpr')")
    viper.open("cell.vpr")
    viper.shows("failed cell.vpr")
    window.see(".squiggly-error")
    window.see(".codelens-decoration :text('refuted')")
    window.picture("failed")
    viper.open("right.vpr")
    viper.run("verify")
    viper.shows("verified right.vpr")
    window.see(".codelens-decoration :text('verified')")
    viper.run("other backend")
    viper.hears("V verified right.vpr", 2)
    viper.run("other backend")
    viper.hears("V verified right.vpr", 3)
    viper.run("flush")
    viper.hears("FlushCache {}")
    window.picture("verified")
    viper.open("old.sil")
    viper.run("verify")
    viper.shows("failed old.sil")


def stop_and_edit(window: Window, viper: Viper) -> None:
    page = window.page
    viper.open("slow.vpr")
    viper.run("verify")
    viper.shows("running")
    viper.run("stop")
    viper.shows("ready")
    viper.hears('StopVerification {"success":true}')
    window.picture("stopped")
    viper.run("verify")
    viper.shows("running")
    page.click(".view-lines")
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    viper.shows("ready")
    page.keyboard.type("method quick() { assert true }")
    page.keyboard.press("Control+S")
    viper.shows("verified slow.vpr")
    window.picture("edited")


def restart_and_mend(window: Window, viper: Viper) -> None:
    page = window.page
    viper.open("lost.vpr")
    viper.run("verify")
    viper.shows("parsing failed lost.vpr")
    window.picture("import-is-missing")
    viper.open("cell.vpr")
    viper.run("restart")
    viper.shows("restarted")
    viper.hears("server ended")
    viper.run("verify")
    viper.shows("failed cell.vpr")
    page.click(".view-lines")
    window.go_to(3, 17)
    page.keyboard.type(" requires acc(x.f)")
    page.keyboard.press("Control+S")
    viper.shows("verified cell.vpr")
    window.see_none(".squiggly-error")
    window.see(".codelens-decoration :text('verified')")
    window.see_none(".codelens-decoration :text('refuted')")
    window.picture("mended")


def prepare(folder: Path) -> Path:
    """Writes programs, the client and what it starts; returns the folder that is opened."""
    work = vscode.prepare(folder).with_name("viper-programs")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    for name, text in PROGRAMS.items():
        (work / name).write_text(text)
    log = folder / "viper.log"
    log.write_text("")
    os.environ["VIPER_LOG"] = str(log)
    os.environ["VIPER_JAVA"] = str(ROOT / "integrations" / "viper-extension" / "java")
    os.environ["PITVIPER"] = str(folder / "pitviper")
    client = folder / "ext" / "viper-client-0.0.1"
    shutil.rmtree(folder / "ext", ignore_errors=True)
    shutil.copytree(Path(__file__).parent / "viper_client", client)
    shutil.copytree(ROOT / "editors" / "vscode" / "node_modules", client / "node_modules")
    return work


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--no-install", action="store_true")
    chosen = parser.parse_args()
    folder = chosen.folder.resolve()
    if not chosen.no_install:
        vscode.install(folder)
    work = prepare(folder)
    with vscode.serving(folder, work, ()) as port:
        pictures = folder / "viper-pictures"
        vscode.in_window(port, work, pictures, lambda w: use(w, folder / "viper.log"))


if __name__ == "__main__":
    main()
