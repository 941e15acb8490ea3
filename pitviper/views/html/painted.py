"""Reports for a terminal as HTML: the same letters, with colours of a page."""

from __future__ import annotations

import re
from html import escape

from pitviper.views.terminal.style import Style

_LOOKS = {
    Style.ERROR: "color:#c01818;font-weight:bold",
    Style.WARNING: "color:#9a6700;font-weight:bold",
    Style.NOTE: "color:#0b7285;font-weight:bold",
    Style.HELP: "color:#1a7f37;font-weight:bold",
    Style.GUTTER: "color:#1f4fd8",
    Style.TITLE: "font-weight:bold",
    Style.DIM: "opacity:0.6",
    Style.ADDED: "color:#1a7f37",
    Style.REMOVED: "color:#c01818",
}
_STYLES = list(_LOOKS)
_OPEN, _CLOSE, _END = "\ue0f0", "\ue0f1", "\ue0f2"
_MARKED = re.compile(f"{_OPEN}([0-8]){_CLOSE}([^{_OPEN}{_END}]*){_END}")


def painter(style: Style, text: str) -> str:
    """A painter whose marks `painted_html` understands; the text itself is not changed."""
    return f"{_OPEN}{_STYLES.index(style)}{_CLOSE}{text}{_END}" if text else text


def painted_html(text: str) -> str:
    """Returns a text with such marks as one element, all else escaped."""

    def span(match: re.Match[str]) -> str:
        return f'<span style="{_LOOKS[_STYLES[int(match[1])]]}">{match[2]}</span>'

    body = _MARKED.sub(span, escape(text, quote=False))
    body = re.sub(f"[{_OPEN}{_CLOSE}{_END}]", "", body)
    return f'<pre class="pitviper" style="line-height:1.3">{body}</pre>'
