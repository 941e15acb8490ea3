"""Looks at HTML pages as strictly as the standard library can."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = ("meta", "br", "input")


class Page(HTMLParser):
    """What a page has; AssertionError where elements are not closed in their order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.classes: dict[str, list[str]] = {}
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open, self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        assert len(known) == len(attrs), (tag, attrs)
        if tag not in VOID:
            self._open.append(tag)
        self._note(tag, known)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, dict(attrs))

    def _note(self, tag: str, known: dict[str, str | None]) -> None:
        if known.get("id"):
            self.ids.append(str(known["id"]))
        for name in ("href", "src", "xlink:href"):
            if name in known:
                self.links.append(str(known[name]))
        for one in str(known.get("class") or "").split():
            self.classes.setdefault(one, []).append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open and self._open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)


def checked_page(text: str) -> Page:
    """A page that stands alone: each link leads to a place in it, and each place is there once."""
    page = Page(text)
    assert len(set(page.ids)) == len(page.ids)
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links), page.links
    assert "<script" not in text
    assert "@import" not in text and "url(" not in text
    return page
