"""One file to send: the page of the workbench with the answers about one program in it.

It needs no server and no network. The answers are those of the workbench itself, asked for here;
what the page asks later it finds by the same words.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from pitviper.base.deep_stack import run_deep
from pitviper.base.record import field, struct
from pitviper.base.usage_error import UsageError
from pitviper.servers.web import checked, exploring, looking, proving, raw
from pitviper.servers.web.messages import Data
from pitviper.servers.web.raw import FORMS
from pitviper.servers.web.worker import Session

LARGEST = 1_450_000
"""Bytes of a report; states that do not fit are left out, the most interesting ones come first."""

LARGEST_TEXT = 60_000
"""Characters of a raw text in a report: longer ones are for the workbench."""
MOST_REPLAYS = 12
"""Tests whose runs can be walked through in a report."""

_ANSWERED = {
    "check": checked,
    "verify": proving,
    "emit": raw,
    "explore": exploring,
    "replay": exploring,
}
_ASSETS = files("pitviper.servers.web") / "assets"
_POLICY = "default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:"


def report_html(path: Path, text: str, *, explored: bool = False) -> str:
    """Returns the report about a program as the content of one file.

    All answers share one deep stack: many would not fit into a small address space.
    """
    return run_deep(lambda: _made(path, text, explored=explored))


def _made(path: Path, text: str, *, explored: bool) -> str:
    collected = _Collected(Session(path.parent.resolve(), {}), path.name, text)
    head = len(_page({}))
    collected.ask("check")
    verdict = collected.ask("verify")
    if verdict.get("verdict") != "rejected":
        for question in _questions(collected):
            collected.ask(*question)
        if explored:
            found = collected.ask("explore").get("tests")
            for number in range(min(MOST_REPLAYS, len(found) if isinstance(found, list) else 0)):
                collected.ask("replay", {"test": number})
        for form in FORMS:
            collected.ask("emit", {"form": form}, most=LARGEST_TEXT)
        for member, step in _states(collected):
            if head + collected.size > LARGEST:
                break
            collected.ask("state", {"member": member, "step": step})
    return _page(
        {
            "name": path.name,
            "text": text,
            "explored": explored,
            "answers": collected.answers,
            "events": collected.events,
        }
    )


@struct
class _Collected:
    """Answers by their questions, as the page will ask them."""

    session: Session
    name: str
    text: str
    answers: dict[str, Data] = field(default_factory=dict)
    events: dict[str, list[Data]] = field(default_factory=dict)
    size: int = 0

    def ask(self, kind: str, data: Data | None = None, most: int = LARGEST) -> Data:
        """Returns the answer to a question and keeps it; one without answer, or with a text longer
        than `most`, is left out."""
        asked = data or {}
        heard: list[Data] = []
        request = {**asked, "kind": kind, "text": self.text, "path": self.name}
        module = _ANSWERED.get(kind, looking)
        try:
            answer: Data = getattr(module, kind)(self.session, request, heard.append)
        except UsageError:
            return {}
        if len(str(answer.get("text", ""))) > most:
            return {}
        answer.pop("imports", None)  # files of this machine, which a server watches
        key = key_of(kind, asked)
        self.answers[key] = answer
        self.events[key] = [event for event in heard if event["kind"] == "member"]
        self.size += len(json.dumps(answer)) + len(key)
        return answer


def key_of(kind: str, data: Data) -> str:
    """Returns a question in the words of the page (`OfflineLink` of `page/src/link.ts`)."""
    parts = [
        f"{name}={json.dumps(value, separators=(',', ':'), ensure_ascii=False)}"
        for name, value in data.items()
        if value is not None
    ]
    return " ".join([kind, *sorted(parts)])


def _questions(collected: _Collected) -> Iterator[tuple[str, Data]]:
    """What the page asks when somebody clicks through it, apart from single states."""
    yield "record", {}
    for member in _members(collected):
        name, failures = member["name"], member["failures"]
        assert isinstance(failures, list)
        for failure in range(len(failures)):
            yield "path", {"member": name, "failure": failure}
            for number in range(2):
                asked = {"member": name, "failure": failure, "number": number}
                yield "instance", {**asked, "objects": 6, "where": [], "folded": []}
        yield "steps", {"member": name}
    for line in ("errors", "show assumptions goal"):
        yield "command", {"line": line}
    errors = collected.answers.get(key_of("command", {"line": "errors"}), {}).get("replies")
    count = len(errors[0]["errors"]) if isinstance(errors, list) and errors else 0
    for number in range(count):
        yield "command", {"line": f"choose {number}"}


def _members(collected: _Collected) -> list[Data]:
    found = collected.answers.get("record", {}).get("members")
    return found if isinstance(found, list) else []


def _states(collected: _Collected) -> Iterator[tuple[object, object]]:
    """Those where something failed, those before statements, then all others."""
    steps: list[tuple[int, object, object]] = []
    for member in _members(collected):
        asked = key_of("steps", {"member": member["name"]})
        found = collected.answers.get(asked, {}).get("steps")
        for step in found if isinstance(found, list) else []:
            if step["state"]:
                rank = 0 if step["wrong"] else 1 if step["rule"] in ("execute", "branch") else 2
                steps.append((rank, member["name"], step["n"]))
    for _, name, number in sorted(steps, key=lambda item: item[0]):
        yield name, number


def _page(data: Data) -> str:
    """Returns the page with all that it needs inside; scripts are allowed by their digests only."""
    html = (_ASSETS / "index.html").read_text()
    script = (_ASSETS / "page.js").read_text().replace("</script", "<\\/script")
    style = (_ASSETS / "page.css").read_text()
    digest = base64.b64encode(sha256(script.encode()).digest()).decode()
    policy = _POLICY.format(hashes=f"'sha256-{digest}'")
    said = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}" />'
    html = re.sub(r"\s*<script[^>]*></script>|\s*<link[^>]*>", "", html)
    html = html.replace('content="{{nonce}}"', 'content=""')
    html = html.replace("</head>", f"  {head}\n    <style>{style}</style>\n  </head>")
    inside = (
        f'<script type="application/json" id="report-data">{said}</script>\n'
        f'    <script type="module">{script}</script>\n  </body>'
    )
    before, _, after = html.rpartition("</body>")
    return f"{before}{inside}{after}"
