"""What the HTML reports share: one file, no network; light and dark, wide and narrow."""

from __future__ import annotations

from html import escape

from pitviper.views.pictures.flow import STYLE as FLOW_STYLE

STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --faint: #57606a; --paper: #fff; --line: #d0d7de;
  --panel: #f6f8fa; --green: #1a7f37; --green-paper: #dafbe1; --red: #b3202b; --red-paper: #ffebe9;
  --yellow: #7d5300; --yellow-paper: #fff3c4; --blue: #0550ae; --blue-paper: #ddf4ff }
@media (prefers-color-scheme: dark) {
:root { --ink: #e6edf3; --faint: #9da7b3; --paper: #0d1117; --line: #3d444d; --panel: #161b22;
  --green: #56d364; --green-paper: #0f2a17; --red: #ff8078; --red-paper: #331416;
  --yellow: #e3b341; --yellow-paper: #2e2305; --blue: #79c0ff; --blue-paper: #0b2440 }
.light-only { display: none } }
@media (prefers-color-scheme: light) { .dark-only { display: none } }
* { box-sizing: border-box }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 1.2em 1.4em 4em;
  max-width: 1180px; color: var(--ink); background: var(--paper) }
h1 { font-size: 1.5em; overflow-wrap: anywhere } h2 { font-size: 1.25em; margin-top: 2em }
h3 { font-size: 1.02em; margin-bottom: .4em } p { margin: .5em 0 }
code, .text, .mono { font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace }
h1 code, h2 code { font-size: .95em } a { color: var(--blue) }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px }
.badge { border-radius: 1em; padding: .1em .7em; font-size: .8em; font-weight: 600 }
.green { color: var(--green); background: var(--green-paper) }
.red { color: var(--red); background: var(--red-paper) }
.yellow { color: var(--yellow); background: var(--yellow-paper) }
.blue { color: var(--blue); background: var(--blue-paper) }
.faint { color: var(--faint) }
.scroll { overflow-x: auto; max-width: 100% }
table { border-collapse: collapse } th { text-align: left; font-weight: 600 }
table.grid td, table.grid th { border: 1px solid var(--line); padding: .2em .6em;
  vertical-align: top } table.grid th { background: var(--panel) }
table.grid td.right { text-align: right }
.failure { border: 1px solid var(--line); border-left: 4px solid var(--red); border-radius: 6px;
  padding: .5em 1em; margin: 1em 0 } .failure.doubtful { border-left-color: var(--yellow) }
.side { display: flex; flex-wrap: wrap; gap: 1.2em; align-items: flex-start }
.side > * { max-width: 100% } figure { margin: 0 }
details { border: 1px solid var(--line); border-radius: 6px; padding: .4em .8em; margin: .8em 0 }
summary { cursor: pointer; font-weight: 600 }
table.source { width: 100% } table.source td { padding: 0 .6em; vertical-align: top }
td.number, td.runs { text-align: right; color: var(--faint); width: 3em; white-space: nowrap;
  font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace } td.why { min-width: 15em }
td.number a { color: inherit; text-decoration: none }
td.text { white-space: pre-wrap; overflow-wrap: anywhere; border-left: 4px solid transparent }
tr.yes td.text { background: var(--green-paper); border-color: var(--green) }
tr.no td.text { background: var(--red-paper); border-color: var(--red) }
tr.some td.text { background: var(--yellow-paper); border-color: var(--yellow) }
tr:target td.text { outline: 2px solid var(--blue) }
.remark { display: block; color: var(--ink); font: 13px/1.5 system-ui, sans-serif;
  white-space: normal; margin: .1em 0 .3em }
.remark b { color: var(--red) }
svg { max-width: none } .bar { display: inline-block; width: 6em; height: .65em;
  background: var(--red-paper); border: 1px solid var(--line); vertical-align: middle }
.bar i { display: block; height: 100%; background: var(--green) }
@media (max-width: 600px) { body { padding: .8em .7em 3em } h1 { font-size: 1.25em }
  table.source td { padding: 0 .25em } td.number, td.runs { width: 2.4em }
  svg.pv-flow { max-width: 170vw; height: auto } }
@media print { details:not([open]) > * { display: block } }
"""


def page(title: str, body: str) -> str:
    """The whole document."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}{FLOW_STYLE}</style></head>"
        f"<body><main>{body}</main></body></html>\n"
    )


def badge(colour: str, word: str) -> str:
    return f'<span class="badge {colour}">{escape(word)}</span>'


def code(text: str) -> str:
    return f"<code>{escape(text)}</code>"


def table(head: tuple[str, ...], rows: list[str]) -> str:
    """Rows that are HTML already, below their titles."""
    titles = "".join(f'<th scope="col">{escape(title)}</th>' for title in head)
    return (
        f'<div class="scroll"><table class="grid"><thead><tr>{titles}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )
