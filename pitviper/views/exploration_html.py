"""An exploration as one HTML page: source with coverage, failures with inputs, flow graphs."""

from __future__ import annotations

from html import escape

from pitviper.results.exploration import Exploration, MethodExploration
from pitviper.views.coverage import line_counts
from pitviper.views.flow_picture import picture_svg

STYLE = """
body { font: 15px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 1100px; color: #1f2328 }
h1, h2 { font-weight: 600 } code, pre, td.text { font: 13px/1.45 monospace }
table.source { border-collapse: collapse; width: 100% } td { padding: 0 .6em; vertical-align: top }
td.number, td.runs { text-align: right; color: #57606a; width: 3.5em }
tr.yes td.text { background: #dafbe1 } tr.no td.text { background: #ffebe9 }
.proved { color: #1a7f37 } .holds { color: #0969da }
.fails { color: #cf222e } .open { color: #9a6700 }
.failure { border-left: 4px solid #cf222e; padding: .2em 1em; margin: .8em 0 }
.picture { overflow-x: auto; border: 1px solid #d0d7de; border-radius: 6px; padding: .5em }
"""


def exploration_html(done: Exploration, text: str) -> str:
    """The whole page; it needs no other file."""
    methods = "".join(map(_method, done.methods))
    skipped = "".join(
        f"<p>Method <code>{escape(n)}</code> was skipped: {escape(w)}.</p>" for n, w in done.skipped
    )
    return (
        "<!doctype html><html lang=en><meta charset=utf-8>"
        f"<title>Exploration of {escape(done.file)}</title><style>{STYLE}</style>"
        f"<h1>Exploration of <code>{escape(done.file)}</code></h1>"
        f"{methods}{skipped}<h2>Source</h2>{_source(done, text)}</html>\n"
    )


def _method(done: MethodExploration) -> str:
    claim = done.claim.value
    covered, lines = done.coverage
    counts = ", ".join(f"{n} {status}" for status, n in done.counts.items())
    paths = "endless" if done.static.paths is None else str(done.static.paths)
    name = escape(done.method)
    parts = [
        f"<h2>Method <code>{name}</code>: <span class={claim}>{claim}</span></h2>",
        f"<p>{escape(counts)}; {covered} of {lines} lines covered; {done.static.blocks} blocks, "
        f"{done.static.loops} loops, static paths: {paths}.</p>",
    ]
    if done.inlined:
        names = ", ".join(f"<code>{escape(name)}</code>" for name in done.inlined)
        parts.append(f"<p>With the bodies of {names}, whatever their contracts say.</p>")
    parts += [f"<p>Open: {escape(why)}.</p>" for why in done.open]
    parts += _failures(done)
    if done.picture is not None:
        parts.append(f"<div class=picture>{picture_svg(done.picture)}</div>")
    return "".join(parts)


def _failures(done: MethodExploration) -> list[str]:
    parts: dict[tuple[str, int], str] = {}
    for run in (*done.failures, *done.beyond):
        finding = run.finding
        assert finding is not None
        inputs = (
            ""
            if run.test is None
            else "<br>".join(
                f"<code>{escape(n)} = {escape(v)}</code>" for n, v in run.test.inputs if v != "?"
            )
        )
        doubts = "".join(f"<p>Doubtful: {escape(d)}</p>" for d in run.doubts)
        parts.setdefault(
            (finding.id, finding.span.start),
            f"<div class=failure><b>{escape(finding.id)}</b>, line {finding.span.line}: "
            f"{escape(finding.message)}<p>{inputs}</p>{doubts}</div>",
        )
    return list(parts.values())


def _source(done: Exploration, text: str) -> str:
    counts = line_counts(done.methods).get(done.file, {})
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        runs = counts.get(number)
        kind = "" if runs is None else ' class="yes"' if runs else ' class="no"'
        shown = "" if runs is None else str(runs)
        rows.append(
            f"<tr{kind}><td class=number>{number}</td><td class=runs>{shown}</td>"
            f"<td class=text>{escape(line).replace(' ', '&nbsp;')}</td></tr>"
        )
    return f"<table class=source>{''.join(rows)}</table>"
