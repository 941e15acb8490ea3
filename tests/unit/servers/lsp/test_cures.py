"""Cures that were tried, as code actions: verdicts come first, a cure is told when it is known."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp

pytest.importorskip("pygls.lsp.client", reason="pygls is not installed")

from tests.unit.servers.lsp.test_server import editor, run

LOOP = """method count(n: Int) returns (i: Int)
  requires n >= 0
  ensures i == n
{
  i := 0
  while (i < n)
  {
    i := i + 1
  }
}
"""


def test_an_invariant_that_was_seen_to_help_is_written_by_an_action(tmp_path: Path) -> None:
    uri = (tmp_path / "count.vpr").as_uri()

    async def session() -> None:
        async with editor(tmp_path) as known:
            known.open(uri, LOOP)
            assert (await known.state(uri, "refuted", "verified"))["state"] == "refuted"
            [problem] = known.diagnostics[uri].diagnostics
            assert "on the path where i >= n" in problem.message
            asked = lsp.CodeActionParams(
                lsp.TextDocumentIdentifier(uri),
                problem.range,
                lsp.CodeActionContext([problem]),
            )
            offered = await known.client.text_document_code_action_async(asked)
            assert offered is not None
            first = offered[0]
            assert isinstance(first, lsp.CodeAction)
            assert first.title == "Add `invariant i <= n`"
            assert first.edit is not None
            assert first.edit.changes is not None
            [edit] = first.edit.changes[uri]
            lines = LOOP.split("\n")
            at = edit.range.start
            lines[at.line] = lines[at.line][: at.character] + edit.new_text
            known.replace(uri, "\n".join(lines), 2)
            told = await known.state(uri, "refuted", "verified", version=2)
            assert told["state"] == "verified"

    run(session)
