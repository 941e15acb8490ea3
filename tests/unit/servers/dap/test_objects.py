"""The debug adapter on a program of the object language: its words, and nothing of the core."""

from __future__ import annotations

import re
from pathlib import Path

from tests.unit.engines.explore.kept import kept_tests
from tests.unit.servers.dap import test_adapter as runs
from tests.unit.servers.dap.test_symbolic import Editor, editor

LOG = """\
interface Shape { predicate valid(); void grow(int by) requires valid(); ensures valid(); }
class Square implements Shape {
  int side;
  predicate valid() { return acc(side); }
  void grow(int by) { side := side + by; }
}
class Log {
  int[] log; int size;
  predicate valid() { return acc(log) && acc(size) && log != null && acc(log.elems) && size >= 0; }
  void put(Square s, int v)
    requires valid() && s != null && s.valid();
    ensures valid() && s.valid();
  {
    int k := v;
    log[size] := k;
    s.grow(k);
  }
}
"""

CORE = re.compile(r"\bSeq\b|\bRef\b|\.class == \d|\[\]\.elems|@\d|\bLog\.\w+|\$")


def told(known: Editor | runs.Editor, thread: int) -> list[str]:
    """All texts of the state where a thread stands."""
    frame = known.body("stackTrace", threadId=thread)["stackFrames"][0]
    found: list[str] = []
    todo = [s["variablesReference"] for s in known.body("scopes", frameId=frame["id"])["scopes"]]
    while todo:
        reference = todo.pop()
        shown = known.body("variables", variablesReference=reference)["variables"]
        found += [f"{one['name']} = {one['value']}" for one in shown]
        todo += [one["variablesReference"] for one in shown if one["variablesReference"]]
    return found


def test_a_recorded_proof_is_told_in_words_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "log.cool"
    path.write_text(LOG)
    with editor() as known:
        known.launch(program=str(path), member="Log.put")
        way = known.go("configurationDone")
        lines: list[str] = []
        for _ in range(3):
            lines += told(known, way)
            way = known.go("next", threadId=way)
        said = known.ask("evaluate", expression="size", frameId=1)
    assert [line for line in lines if CORE.search(line)] == []
    assert any(line.endswith("this != null ==> this.class == Log") for line in lines)
    assert said["success"] is False or CORE.search(said["body"]["result"]) is None


def test_a_run_is_told_in_words_of_the_file(tmp_path: Path) -> None:
    kept = kept_tests(tmp_path, LOG, "Log.put", "log.cool")
    test = next(path for path in kept if "passed" in path.name)
    known = runs.Editor(str(test))
    known.body("initialize", adapterID="pitviper")
    known.body("launch")
    known.event("initialized")
    known.body("configurationDone")
    lines: list[str] = []
    for _ in range(4):
        lines += told(known, 1)
        known.body("stepIn", threadId=1)
    known.body("disconnect")
    known.close()
    assert [line for line in lines if CORE.search(line)] == []
    assert any(re.match(r"array\d+\.elems = seq\(", line) for line in lines)
    assert any(re.match(r"object\d+\.valid\(\) = ", line) for line in lines)
    arrays = {m[1] for line in lines if (m := re.match(r"log.* = (\w+)", line))}
    assert arrays and [name for name in arrays if not name.startswith("array")] == []
