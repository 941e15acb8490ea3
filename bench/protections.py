"""Takes each protection of the workbench away, one at a time: its test has to fail then.

python bench/protections.py [WORD ...]

The sources are changed in a temporary copy. What is printed is the table of SECURITY.md.
"""

# ruff: noqa: E501 - sources as they are

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
WEB = "pitviper/servers/web"
TESTS = "tests/unit/servers/web"
LONGEST = 100
"""Seconds of a test, which without its protection may wait for a refusal that does not come."""

PROTECTIONS = (
    ("loopback only", "settings.py", 'host: str = "127.0.0.1"', 'host: str = "0.0.0.0"',
     "test_guard.py", "other_machines"),
    ("token in the link", "guard.py", "if not self._knows_token", "if False and not self._knows_token",
     "test_guard.py", "without_the_token"),
    ("token of a socket", "guard.py", "if not self._knows_token", "if False and not self._knows_token",
     "test_guard.py", "needs_an_origin_and_the_token"),
    ("token leaves the address", "app.py", 'if "token" in request.query_params', "if False",
     "test_guard.py", "token_leaves_the_address"),
    ("cookie hidden from scripts", "app.py", "httponly=True", "httponly=False",
     "test_guard.py", "token_leaves_the_address"),
    ("cookie of this site only", "app.py", 'samesite="strict"', 'samesite="none"',
     "test_guard.py", "token_leaves_the_address"),
    ("Host", "guard.py", "if not self._is_ours(host)", "if False",
     "test_guard.py", "another_name"),
    ("Origin", "guard.py", "if origin is not None and origin != f\"http://{host}\"", "if False",
     "test_guard.py", "page_of_another_site"),
    ("Origin of a socket", "guard.py", 'scope["type"] == "websocket" and origin is None', "False",
     "test_guard.py", "needs_an_origin"),
    ("number of pages", "app.py", "if self._open >= MOST_PAGES", "if False",
     "test_guard.py", "one_page_too_many"),
    ("size of a message", "app.py", "ws_max_size=LARGEST_MESSAGE", "ws_max_size=1 << 40",
     "test_guard.py", "too_large_ends"),
    ("size of a text", "messages.py", "if len(value) > (LARGEST_TEXT", "if False and len(value) > (LARGEST_TEXT",
     "test_messages.py", "largest_size"),
    ("time", "desk.py", "limit.reschedule(asyncio.get_running_loop().time() + seconds)", "limit.reschedule(None)",
     "test_desk.py", "takes_too_long"),
    ("time of loading", "desk.py", "asyncio.timeout(LOADING)", "asyncio.timeout(seconds)",
     "test_desk.py", "spent_on_loading"),
    ("what an idle process kept", "exploring.py", '    session.kept.pop("explored", None)', "",
     "test_desk.py", "leaves_nothing_of_the_one_before"),
    ("what an idle process has recorded", "looking.py", '    session.kept.pop("program", None)', "",
     "test_desk.py", "leaves_nothing_of_the_one_before"),
    ("a process that is spent", "worker.py", "session.has_opened or is_work_left_behind()", "False",
     "test_desk.py", "open_debugger"),
    ("a spent process is let go", "desk.py", "and not self.is_spent", "",
     "test_desk.py", "unless_it_is_spent"),
    ("memory", "worker.py", "    limit_memory(MEMORY)\n", "",
     "test_desk.py", "too_much_memory"),
    ("requests that wait", "desk.py", "len(self._tasks) >= MOST_WAITING", "False",
     "test_desk.py", "too_many_requests"),
    ("scripts of ours only", "app.py", "\"script-src 'self'\"", "\"script-src 'self' 'unsafe-inline'\"",
     "test_guard.py", "policy_lets_no_script"),
    ("no frames", "app.py", "            \"frame-ancestors 'none'\",\n", "",
     "test_guard.py", "policy_lets_no_script"),
    ("styles by nonce", "app.py", "secrets.token_urlsafe(16)", '"always"',
     "test_guard.py", "nonce_of_its_own"),
    ("only parts of the page", "app.py", "if name not in ASSETS", "if False",
     "test_guard.py", "only_the_parts"),
    ("no links out", "folder.py", "if not path.is_relative_to(self.root)", "if False",
     "test_folder.py", "no_name_leads_out"),
    ("only programs", "folder.py", "if not name.endswith(SUFFIXES)", "if False",
     "test_folder.py", "no_name_leads_out"),
    ("no way up, no hidden files", "folder.py", 'if bad or any(part.startswith(".") for part in pure.parts)', "if bad",
     "test_folder.py", "no_name_leads_out"),
    ("imports stay inside", "worker.py", "    confine_imports((folder, LIBRARY))\n", "",
     "test_desk.py", "imports_do_not_lead_out"),
    ("changes of others", "folder.py", "if self.read(name).version != known", "if False",
     "test_folder.py", "somebody_else"),
    ("read-only", "folder.py", "        if not self.writable:\n", "        if False:\n",
     "test_folder.py", "read_only"),
    ("text stays text (report)", "report.py", '.replace("<", "\\\\u003c")', "",
     "test_report.py", "hostile"),
    ("text stays text (DOT)", "../../views/pictures/graphviz.py", "escape(text, quote=False)", "text",
     "test_desk.py", "hostile"),
    ("questions of known kinds", "messages.py", "if not isinstance(kind, str) or kind not in KINDS", "if False",
     "test_messages.py", "no_request"),
)  # fmt: skip


def fails_without(copy: Path, protection: Sequence[str]) -> str:
    _, file, text, instead, test, name = protection
    path = (copy / WEB / file).resolve()
    before = path.read_text()
    if text not in before:
        return "NOT FOUND"
    path.write_text(before.replace(text, instead))
    command = [sys.executable, "-m", "pytest", "-q", "-x", f"{TESTS}/{test}", "-k", name]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PITVIPER_DAEMON": "off"}
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, check=False, timeout=LONGEST
        )
    except subprocess.TimeoutExpired:
        return "fails: it does not end"
    finally:
        path.write_text(before)
    return {0: "STILL PASSES", 1: "fails"}.get(done.returncode, f"exit {done.returncode}")


def main() -> None:
    wanted = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy")
        copy.mkdir()
        for name in ("pitviper", "tests", "examples"):
            shutil.copytree(ROOT / name, copy / name)
        shutil.copy(ROOT / "pyproject.toml", copy)
        for protection in PROTECTIONS:
            title, file, _, _, test, name = protection
            if not wanted or any(word in title for word in wanted):
                said = fails_without(copy, protection)
                print(
                    f"| {title} | `{Path(file).name}` | `{test}`: `{name}` | {said} |", flush=True
                )


if __name__ == "__main__":
    main()
