"""Program text as a table of lines that can be linked to, each with a colour and remarks."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from pitviper.base.record import record


@record
class LineLook:
    """How a line is shown: `kind` is yes, no, some or nothing; `count` stands beside it.

    `title` is what the colour means, for those who do not see it. `remarks` are HTML.
    """

    kind: str = ""
    count: str = ""
    title: str = ""
    remarks: tuple[str, ...] = ()


def line_id(file: int, line: int) -> str:
    """The name of a line in the page; files are numbered."""
    return f"L{line}" if file == 0 else f"F{file}L{line}"


def source_table(text: str, looks: Mapping[int, LineLook], file: int = 0) -> str:
    rows = [
        _row(number, line, looks.get(number, LineLook()), line_id(file, number))
        for number, line in enumerate(text.split("\n"), 1)
    ]
    if not text.split("\n")[-1]:
        rows.pop()
    return f'<table class="source">{"".join(rows)}</table>'


def _row(number: int, line: str, look: LineLook, name: str) -> str:
    kind = f' class="{look.kind}"' if look.kind else ""
    title = f' title="{escape(look.title)}"' if look.title else ""
    remarks = "".join(f'<span class="remark">{remark}</span>' for remark in look.remarks)
    return (
        f'<tr id="{name}"{kind}{title}><td class="number"><a href="#{name}">{number}</a></td>'
        f'<td class="runs">{escape(look.count)}</td>'
        f'<td class="text">{escape(line.rstrip(chr(13))) or " "}{remarks}</td></tr>'
    )
