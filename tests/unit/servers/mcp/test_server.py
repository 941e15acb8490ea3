"""Tools for agents, called over the protocol by a client of the same package."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

mcp = pytest.importorskip("mcp", reason="mcp is not installed")
stdio = pytest.importorskip("mcp.client.stdio", reason="mcp is not installed")

WRONG = """field f: Int
predicate cell(x: Ref) { acc(x.f) }
method bad(x: Ref) requires cell(x) ensures cell(x)
{
  x.f := 1
}
method fine(x: Int) requires x > 1 { assert x > 0 }
"""
LIMIT = 300.0


def with_tools(root: Path, use: Callable[[Any], Awaitable[None]]) -> None:
    async def session() -> None:
        parameters = stdio.StdioServerParameters(
            command=sys.executable,
            args=["-m", "pitviper", "mcp", "--root", str(root)],
            env={**os.environ},
        )
        async with (
            stdio.stdio_client(parameters) as (reading, writing),
            mcp.ClientSession(reading, writing) as client,
        ):
            await client.initialize()
            await use(client)

    asyncio.run(asyncio.wait_for(session(), LIMIT))


async def call(client: Any, tool: str, **arguments: object) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.isError, result.content
    return dict(result.structuredContent)


def test_tools_answer_about_programs(tmp_path: Path) -> None:
    (tmp_path / "cell.vpr").write_text(WRONG)

    async def use(client: Any) -> None:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        assert listed == {
            "check", "verify", "suggest", "explain", "state", "counterexample", "explore",
        }  # fmt: skip
        assert await call(client, "check", path="cell.vpr") == {"accepted": True, "problems": []}
        found = await call(client, "verify", path="cell.vpr")
        assert found["verdict"] == "refuted"
        assert found["members"] == {"cell": "verified", "bad": "refuted", "fine": "verified"}
        (problem,) = found["problems"]
        assert (problem["id"], problem["line"]) == ("assignment.failed:insufficient.permission", 5)
        told = await call(client, "explain", id=problem["id"])
        assert told["meaning"] and told["cure"]
        helped = await call(client, "suggest", text=WRONG, members=["bad"])
        assert {step["statement"].split()[0] for step in helped["inferred"]} == {"unfold", "fold"}
        here = await call(client, "state", text=WRONG, line=5, column=5)
        assert here["states"][0]["heap"][0]["location"] == "cell(x)"
        assert here["states"][0]["asked"]["permission"] == "none"
        wrong = await call(client, "counterexample", text="method m(x: Int) { assert x > 0 }")
        assert wrong["failed"] and wrong["results"]

    with_tools(tmp_path, use)


def test_explore_tells_inputs_that_fail(tmp_path: Path) -> None:
    (tmp_path / "max.vpr").write_text(
        "method max(a: Int, b: Int) returns (r: Int)\n"
        "  ensures r >= a && r >= b\n"
        "{\n  r := a\n  if (a < b && a > 7) { r := b }\n}\n"
        "method fine(n: Int) { assert n == n }\n"
    )
    (tmp_path / "broken.vpr").write_text("method m( {\n")

    async def use(client: Any) -> None:
        found = await call(client, "explore", path="max.vpr", seconds=100)
        assert set(found["methods"]) == {"max", "fine"}
        assert {run["method"] for run in found["failing"]} == {"max"}
        inputs = found["failing"][0]["inputs"]
        assert int(inputs["a"]) < int(inputs["b"])
        only = await call(client, "explore", path="max.vpr", members=["fine"], seconds=100)
        assert only["methods"] == ["fine"] and not only["failing"]
        text = (tmp_path / "max.vpr").read_text()
        typed = await call(client, "explore", text=text, members=["max"], seconds=100)
        assert {run["method"] for run in typed["failing"]} == {"max"}
        for wrong in (
            {},
            {"text": "method m( {"},
            {"path": "broken.vpr"},
            {"path": "max.vpr", "members": ["none"]},
        ):
            assert (await client.call_tool("explore", wrong)).isError, wrong

    with_tools(tmp_path, use)


def test_what_makes_no_sense_is_an_error_and_no_verdict(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "secret.vpr").write_text("method m() {}\n")
    (tmp_path / "in" / "peeks.vpr").write_text('import "../secret.vpr"\n')

    async def use(client: Any) -> None:
        for tool, arguments in (
            ("verify", {}),
            ("verify", {"path": "../secret.vpr"}),
            ("verify", {"path": "gone.vpr"}),
            ("verify", {"path": "a", "text": "b"}),
            ("state", {"text": "method m() {}", "line": 99}),
            ("explain", {"id": "nonsense"}),
        ):
            result = await client.call_tool(tool, arguments)
            assert result.isError, (tool, arguments)
        peeked = await call(client, "verify", path="peeks.vpr")
        assert peeked["verdict"] == "rejected"

    with_tools(tmp_path / "in", use)


BOX = """class Box {
  int n; int limit;
  predicate valid() { return acc(n); }
  Box() ensures valid(); { n := 0; }
  void add() requires valid(); ensures valid(); { if (n < limit) { n := n + 1; } }
  int take(int[] a, int i) requires acc(a.elems); ensures acc(a.elems); { return a[i]; }
}
"""


def test_answers_about_objects_are_in_words_of_their_language(tmp_path: Path) -> None:
    (tmp_path / "box.cool").write_text(BOX)
    (tmp_path / "bad.cool").write_text(BOX.replace("n := 0;", "n = 0"))

    async def use(client: Any) -> None:
        for tool in ("check", "verify", "suggest", "counterexample", "explore"):
            for path in ("box.cool", "bad.cool"):
                result = await client.call_tool(tool, {"path": path})
                told = " ".join([part.text for part in result.content])
                assert not re.search(r"\$|\b(Ref|Int|Seq|fold|unfold|inhale|exhale)\b", told), told
                assert "object.class" not in told and "Traceback" not in told
        found = await call(client, "verify", path="box.cool")
        assert "does not contain `limit`" in str(found)

    with_tools(tmp_path, use)
