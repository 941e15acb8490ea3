"""Answers while somebody types: diagnostics of the front end, hover, completion, layout."""

from __future__ import annotations

from lsprotocol import types as lsp

from pitviper.driver.front.formatting import formatted_text
from pitviper.servers.lsp.answers import completion, names
from pitviper.servers.lsp.protocol.positions import offset_of
from pitviper.servers.lsp.texts.document import Analysis, Document, uri_of
from pitviper.servers.web.checked import said_by_front
from pitviper.servers.web.messages import Data
from pitviper.servers.web.worker import Say, Session
from pitviper.servers.work.imports import is_as_read


def check(session: Session, request: Data, _: Say) -> Data:
    """What the front end says about a text, and the members that it has."""
    document = _document(session, request)
    return said_by_front(document.current().front, document.path)


def hover(session: Session, request: Data, _: Say) -> Data:
    """The declaration of the name at a place, as it is written."""
    analysis, offset = _at(session, request)
    found = names.hover(analysis, offset, None)
    if found is None or not isinstance(found.contents, lsp.MarkupContent):
        return {"text": None}
    text = found.contents.value.replace("```viper\n", "").replace("\n```", "")
    return {"text": text}


def complete(session: Session, request: Data, _: Say) -> Data:
    """Names and keywords that may stand at a place."""
    analysis, offset = _at(session, request)
    return {
        "items": [
            {
                "label": item.label,
                "detail": item.detail or "",
                "kind": lsp.CompletionItemKind(item.kind or 1).name.lower(),
                "insert": item.insert_text,
            }
            for item in completion.completions(analysis, offset)
        ]
    }


def format(session: Session, request: Data, _: Say) -> Data:
    """The text laid out; None where it cannot be parsed."""
    return {"text": formatted_text(_document(session, request).current().source)}


def _document(session: Session, request: Data) -> Document:
    """Returns the document of the text; the analysis of the last one is kept."""
    path, text = session.path_of(request), str(request["text"])
    known = session.kept.get("document")
    if not isinstance(known, Document) or known.path != path:
        known = session.kept["document"] = Document(uri_of(path), text, 0)
    if not all(is_as_read(imported, said) for imported, said in known.imports):
        known.imports_changed()
    if known.text != text:
        known.change(text, known.version + 1)
    return known


def _at(session: Session, request: Data) -> tuple[Analysis, int]:
    analysis = _document(session, request).current()
    line, character = request["line"], request["character"]
    assert isinstance(line, int)
    assert isinstance(character, int)
    return analysis, offset_of(analysis.source, lsp.Position(line, character))
