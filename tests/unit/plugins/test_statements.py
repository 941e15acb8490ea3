from __future__ import annotations

from pitviper.plugins.build import all_statements, replace_statements, statements_in
from pitviper.program.stmt import Assert, Block, Stmt
from tests.unit.plugins.encoded_texts import program_of

TEXT = """
method m(b: Bool) {
  assert b
  if (b) { assert b } else { while (b) { assert b } }
  { assert b }
  package true --* true { assert b }
}
"""


def test_all_blocks_are_entered() -> None:
    found = [s for s in all_statements(program_of(TEXT)) if isinstance(s, Assert)]

    assert [s.span.line for s in found] == [3, 4, 4, 5, 6]


def body() -> Block:
    found = program_of(TEXT).methods["m"].body
    assert found is not None
    return found


def test_statements_are_replaced_in_all_blocks() -> None:
    def twice(statement: Stmt) -> list[Stmt]:
        return [statement, statement] if isinstance(statement, Assert) else [statement]

    doubled = replace_statements(body(), twice)
    count = sum(isinstance(s, Assert) for s in statements_in(doubled))

    assert count == 10


def test_what_does_not_change_stays_the_same_object() -> None:
    original = body()

    assert replace_statements(original, lambda statement: [statement]) is original
