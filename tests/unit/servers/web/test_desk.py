"""A page asks, and processes that can be killed answer."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import pytest

from pitviper.servers.web.desk import Desk
from pitviper.servers.web.folder import Folder
from pitviper.servers.web.process import Spare, Worker
from pitviper.servers.web.raw import FORMS
from pitviper.servers.web.settings import MEMORY, MOST_REQUESTS, MOST_WAITING, Settings
from tests.unit.servers.rough import SLOW

ROOT = Path(__file__).parents[4]

WRONG = "field f: Int\nmethod m(x: Ref)\n  requires acc(x.f)\n{\n  x.f := 1\n  assert x.f == 2\n}\n"


def test_a_text_is_checked_verified_and_looked_into(server: Any) -> None:
    with server.page() as page:
        checked = page.ask("check", text="field f: Imt", path="a.vpr")
        assert checked["problems"][0]["place"] == {"file": "", "from": [0, 9], "to": [0, 12]}
        number = page.send("verify", text=WRONG, path="a.vpr")
        members = []
        while (heard := page.hear())["kind"] != "done":
            members += [heard] if heard["kind"] == "member" else []
        assert (heard["id"], heard["verdict"]) == (number, "refuted")
        assert members[0]["problems"][0]["id"] == "assert.failed:assertion.false"
        recorded = page.ask("record", text=WRONG, path="a.vpr")["members"]
        assert recorded[0]["failures"][0]["error"]["message"].startswith("Assert")
        points = page.ask("path", member="m", failure=0)["points"]
        assert [point["span"]["from"][0] for point in points] == [4, 5]
        asked = {"member": "m", "failure": 0, "objects": 6, "where": [], "folded": []}
        shown = page.ask("instance", number=0, **asked)
        assert shown["found"]
        assert "1 == 2" in shown["result"]["caption"]
        assert shown["svg"]["light"].count("<svg") == 1
        steps = page.ask("steps", member="m")["steps"]
        assert [s["text"] for s in steps if s["rule"] == "execute"] == [
            "x.f := 1",
            "assert x.f == 2",
        ]
        at = next(s["n"] for s in steps if s["text"] == "assert x.f == 2")
        state = page.ask("state", member="m", step=at)["state"]
        assert [row["name"] for row in state["store"]] == ["x"]
        assert [(line["view"]["value"], line["is_new"]) for line in state["heap"]] == [("1", True)]
        replies = page.ask("command", line="assume x.f == 2")["replies"]
        assert any("contradict" in str(reply).lower() for reply in replies)


def test_an_instance_obeys_a_constraint_and_the_next_one_differs(server: Any) -> None:
    text = "method m(a: Int, b: Ref, c: Ref) { assert a > 0 }"
    with server.page() as page:
        page.ask("record", text=text, path="")
        asked = {"member": "m", "failure": 0, "objects": 6, "folded": []}
        bound = page.ask("instance", number=0, where=["a == -7", "b != c"], **asked)
        values = {v["name"]: v["value"]["text"] for v in bound["result"]["variables"]}
        assert values["a"] == "-7"
        assert values["b"] != values["c"]
        wrong = page.ask("instance", number=0, where=["a +"], **asked)
        assert wrong["kind"] == "failed"
        assert "constraint" in wrong["message"]
        none = page.ask("instance", number=0, where=["a > 5"], **asked)
        assert not none["found"]
        shapes = [page.ask("instance", number=n, where=[], **asked) for n in range(3)]
        pictures = {shape["dot"] for shape in shapes if not shape["last"]}
        assert len(pictures) >= 2


def test_a_verification_is_cancelled_and_the_next_one_answered(server: Any) -> None:
    with server.page() as page:
        number = page.send("verify", text=SLOW, path="")
        page.ask("cancel", of=number)
        again = page.send("verify", text="method m() {}", path="")
        heard = {}
        while len(heard) < 2:
            answer = page.hear()
            if answer["kind"] in ("done", "failed") and answer["id"] in (number, again):
                heard[answer["id"]] = answer
        assert heard[number]["message"] == "cancelled"
        assert heard[again]["verdict"] == "verified"


def test_what_is_cancelled_before_it_begins_is_not_done(server: Any) -> None:
    with server.page() as page:
        first = page.send("record", text=WRONG, path="a.vpr")
        waits = page.send("steps", member="m")  # behind the record, in the same process
        page.send("cancel", of=waits)
        ends: dict[int, Any] = {}
        while not {first, waits} <= set(ends):
            heard = page.hear()
            if heard["kind"] in ("done", "failed"):
                ends[heard["id"]] = heard
        assert ends[first]["kind"] == "done"
        assert (ends[waits]["kind"], ends[waits].get("message")) == ("failed", "cancelled")


class Slow(Spare):
    """Processes that take until `started` is set."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.wanted, self.started = asyncio.Event(), asyncio.Event()

    async def take(self) -> Worker:
        self.wanted.set()
        await self.started.wait()
        return await super().take()


class Answering(Worker):
    """A process that answers at once when it has begun; `spent` is what it says of itself then."""

    def __init__(self, *, spent: bool = False, loads: float = 0.0) -> None:
        self._spent, self._loads, self.killed = spent, loads, False

    @property
    def is_alive(self) -> bool:
        return not self.killed

    async def ask(self, request: dict[str, Any]) -> AsyncGenerator[dict[str, Any], None]:
        await asyncio.sleep(self._loads)
        yield {"id": request["id"], "kind": "begun"}
        yield {"id": request["id"], "kind": "done", "spent": self._spent}

    def kill(self) -> None:
        self.killed = True


class Known(Spare):
    """Remembers the processes that were taken."""

    def __init__(self, folder: Path, make: Callable[[], Answering]) -> None:
        super().__init__(folder)
        self._make = make
        self.taken: list[Answering] = []

    async def take(self) -> Worker:
        self.taken.append(self._make())
        return self.taken[-1]


def test_the_time_of_a_request_is_not_spent_on_loading_its_process(tmp_path: Path) -> None:
    """On a busy machine no request with a short limit would ever be answered."""

    async def conversation() -> dict[str, Any]:
        said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        limit = 0.05
        spare = Known(tmp_path, lambda: Answering(loads=3 * limit))
        chosen = Settings(tmp_path, "secret", seconds=limit)
        desk = Desk(said.put, Folder(tmp_path), spare, chosen)
        await desk.hear(json.dumps({"id": 1, "kind": "verify", "text": "", "path": ""}))
        heard = await said.get()
        await desk.close()
        return heard

    assert asyncio.run(conversation()) == {"id": 1, "kind": "done"}


@pytest.mark.parametrize(
    ("kind", "asked", "spent", "processes"),
    [
        ("verify", 5, False, 1),
        ("explore", 5, False, 1),
        ("verify", 5, True, 5),
        ("verify", MOST_REQUESTS + 1, False, 2),
        ("record", 5, False, 1),
    ],
)
def test_an_idle_process_is_asked_about_the_next_text_unless_it_is_spent(
    kind: str, asked: int, spent: bool, processes: int, tmp_path: Path
) -> None:
    async def conversation() -> list[Answering]:
        said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        spare = Known(tmp_path, lambda: Answering(spent=spent))
        desk = Desk(said.put, Folder(tmp_path), spare, Settings(tmp_path, "secret"))
        for number in range(asked):
            request = {"id": number, "kind": kind, "text": f"// {number}", "path": ""}
            await desk.hear(json.dumps(request))
            assert await said.get() == {"id": number, "kind": "done"}
            await asyncio.sleep(0)  # the answer is over when it was sent
        await desk.close()
        return spare.taken

    taken = asyncio.run(conversation())
    assert len(taken) == processes
    assert all(one.killed for one in taken)


def test_a_text_with_errors_leaves_nothing_of_the_one_before(server: Any) -> None:
    with server.page() as page:
        assert page.ask("explore", text="method m(n: Int) { assert n > 0 }", path="")["tests"]
        assert page.ask("explore", text="method m(n: Int) {", path="")["kind"] == "failed"
        assert page.ask("replay", test=0)["message"] == "nothing was explored yet"
        assert page.ask("record", text=WRONG, path="")["members"]
        assert page.ask("record", text="method m(n: Int) {", path="")["kind"] == "failed"
        assert page.ask("steps", member="m")["message"] == "nothing was recorded yet"


def test_a_process_with_an_open_debugger_is_not_asked_about_another_text(tmp_path: Path) -> None:
    async def conversation() -> list[bool]:
        worker, spent = await Worker.start(tmp_path), []
        line = {"kind": "command", "line": "errors"}
        for number, request in enumerate(({"kind": "record", "text": WRONG}, line)):
            async for answer in worker.ask({"id": number, "path": "", **request}):
                spent += [answer["spent"]] if answer["kind"] in ("done", "failed") else []
        worker.kill()
        await worker.ended()
        return spent

    assert asyncio.run(conversation()) == [False, True]


FIRST = {"id": 1, "kind": "verify", "text": SLOW, "path": ""}


@pytest.mark.parametrize("then", [{"id": 2, "kind": "cancel", "of": 1}, {**FIRST, "id": 2}])
def test_what_is_stopped_while_its_process_starts_is_cancelled(
    then: dict[str, Any], tmp_path: Path
) -> None:
    """It is no process that has died; a later verification stops an earlier one, too."""

    async def conversation() -> dict[str, Any]:
        said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        spare = Slow(tmp_path)
        desk = Desk(said.put, Folder(tmp_path), spare, Settings(tmp_path, "secret"))
        await desk.hear(json.dumps(FIRST))
        await spare.wanted.wait()
        await desk.hear(json.dumps(then))
        spare.started.set()
        while (heard := await said.get())["id"] != 1:
            pass
        await desk.close()
        await spare.close()
        return heard

    heard = asyncio.run(conversation())
    assert (heard["kind"], heard["message"]) == ("failed", "cancelled")


def test_work_that_takes_too_long_is_stopped(serve: Callable[..., Any]) -> None:
    server = serve(seconds=0.05)
    with server.page() as page:
        answer = page.ask("verify", text=SLOW, path="")
        assert "longer than 0.05 seconds" in answer["message"]


def test_imports_do_not_lead_out_of_the_folder(serve: Callable[..., Any], tmp_path: Path) -> None:
    folder = tmp_path / "programs"
    folder.mkdir()
    (tmp_path / "secret.vpr").write_text("field secret: Int")
    (folder / "mine.vpr").write_text("field mine: Int")
    (folder / "link.vpr").symlink_to(tmp_path / "secret.vpr")
    with serve(folder).page() as page:
        for name in ("../secret.vpr", "link.vpr", "/etc/passwd"):
            text = f'import "{name}"\nmethod m(x: Ref) {{ inhale acc(x.secret) }}'
            for kind in ("check", "verify", "record"):
                answer = page.ask(kind, text=text, path="a.vpr")
                said = str(answer.get("problems", "")) + str(answer.get("message", ""))
                assert answer.get("verdict", "rejected") == "rejected"
                assert "root:" not in said
            assert "out of the folder" in str(page.ask("check", text=text, path="a.vpr"))
        text = (
            'import "mine.vpr"\nimport <decreases/int.vpr>\nmethod m(x: Ref) { inhale acc(x.mine) }'
        )
        assert page.ask("check", text=text, path="a.vpr")["accepted"]


def test_files_are_opened_and_saved_by_the_page(serve: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "a.vpr").write_text("field f: Int")
    with serve().page() as page:
        assert page.ask("hello")["files"] == ["a.vpr"]
        opened = page.ask("open", path="a.vpr")
        saved = page.ask("save", path="a.vpr", text="field g: Int", known=opened["version"])
        assert saved["kind"] == "done"
        assert page.ask("open", path="../a.vpr")["kind"] == "failed"
        assert page.ask("save", path="../b.vpr", text="", known=None)["kind"] == "failed"
    assert (tmp_path / "a.vpr").read_text() == "field g: Int"
    assert not (tmp_path.parent / "b.vpr").exists()


def test_a_hostile_program_is_only_text(server: Any) -> None:
    comment = "// <script>alert(1)</script> ]]> -->"
    text = f"method m(x: Int)\n{{\n  var v: Int := x {comment}\n  assert v < 0\n}}"
    with server.page() as page:
        page.ask("record", text=text, path="<b>.vpr")
        asked = {"member": "m", "failure": 0, "number": 0, "objects": 6, "where": [], "folded": []}
        pictures = page.ask("instance", **asked)["svg"]
        assert not any("<script" in picture for picture in pictures.values())
        assert "v &lt; 0" in pictures["titled"]
        broken = page.ask("check", text='method <img src=x onerror="alert(1)">', path="")
        assert broken["problems"]


def test_two_pages_do_not_disturb_each_other(server: Any) -> None:
    with server.page() as one, server.page() as two:
        first = one.send("verify", text=WRONG, path="")
        second = two.send("verify", text="method ok() {}", path="")
        assert one.answer_to(first)["verdict"] == "refuted"
        assert two.answer_to(second)["verdict"] == "verified"


def test_examples_can_be_opened(server: Any) -> None:
    with server.page() as page:
        listed = page.ask("hello")["examples"]
        assert len(listed) >= 10
        for example in listed:
            assert page.ask("example", name=example["name"])["text"].startswith("// ")
        assert page.ask("example", name="../settings.py")["kind"] == "failed"


def test_too_many_requests_are_refused(serve: Callable[..., Any]) -> None:
    with serve().page() as page:
        page.send("verify", text=SLOW, path="")
        sent = [page.send("path", member="m", failure=0) for _ in range(MOST_WAITING)]
        refused = []
        while not refused:
            heard = page.hear()
            refused += [heard] if "too many requests" in str(heard.get("message")) else []
        assert refused[0]["id"] in sent


def test_a_worker_cannot_take_too_much_memory(tmp_path: Path) -> None:
    """The limit is set before anything is read from a page."""
    ask = "import resource; sys.stderr.write(str(resource.getrlimit(resource.RLIMIT_AS)[0]))"
    start = (
        "import io, sys; from pitviper.servers.web import worker; worker.WARM = ();"
        f"sys.argv = ['worker', {str(tmp_path)!r}]; sys.stdin = io.StringIO(''); worker.main();"
    )
    done = subprocess.run(
        [sys.executable, "-c", start + ask],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stderr.split()[-1]) == MEMORY


def test_what_is_behind_the_views_is_handed_out_as_text(server: Any) -> None:
    with server.page() as page:
        assert page.ask("emit", form="trace")["kind"] == "failed"
        page.ask("record", text=WRONG, path="a.vpr")
        texts = {form: page.ask("emit", form=form)["text"] for form in FORMS}
        assert "execute assert x.f == 2" in texts["trace"]
        assert "? " in texts["trace"]
        assert "x <- Ref1" in texts["model"]
        assert texts["dot"].count("digraph") == 1
        assert "f_: lone Int" in texts["alloy"]
        assert "(check-sat" in texts["smt"]
        assert "procedure" in texts["boogie"]
        assert "Instances of quantifiers" in texts["profile"]
        assert page.ask("emit", form="secrets")["kind"] == "failed"


def test_objects_of_another_language_have_its_names(server: Any) -> None:
    text = (ROOT / "examples" / "cool" / "counter.cool").read_text()
    with server.page() as page:
        assert page.ask("check", text=text, path="counter.cool")["accepted"]
        members = page.ask("record", text=text, path="counter.cool")["members"]
        assert members
        steps = page.ask("steps", member=members[0]["name"])["steps"]
        at = next(step["n"] for step in reversed(steps) if step["state"])
        asked = {"number": 0, "objects": 6, "where": [], "folded": []}
        shown = page.ask("instance", member=members[0]["name"], step=at, **asked)
        assert shown["found"]
        assert "Ref" not in str(shown["graph"]["nodes"])


def test_a_verdict_ends_when_an_imported_file_changes(serve: Any, tmp_path: Path) -> None:
    library = tmp_path / "library.vpr"
    library.write_text("function f(): Int ensures result > 3")
    text = 'import "library.vpr"\nmethod m() { assert f() > 3 }'
    with serve(tmp_path).page() as page:
        number = page.send("verify", text=text, path="main.vpr")
        done = page.answer_to(number)
        assert (done["verdict"], "imports" in done) == ("verified", False)
        library.write_text("function f(): Int ensures result > 2")
        assert page.hear() == {"id": number, "kind": "stale"}
        again = page.ask("verify", text=text, path="main.vpr")
        assert again["verdict"] == "refuted"
        library.write_text("function g(): Int { 4 }")
        assert not page.ask("check", text=text, path="main.vpr")["accepted"]
