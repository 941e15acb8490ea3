"""The texts that Viper users know, made from ids in one place."""

from __future__ import annotations

from pitviper.source.span import Span

_PREFIXES = {
    "parser.error": "Parse error: ",
    "parser.warning": "Parse warning: ",
    "typechecker.warning": "Type checker warning: ",
    "consistency.error": "Consistency error: ",
    "verifier.warning": "Verifier warning: ",
}


def readable_message(problem_id: str, message: str, span: Span | None) -> str:
    """`Parse error: MSG (file.vpr@3.5--3.9)`, as the tools of the language print it."""
    return f"{_PREFIXES.get(problem_id, '')}{message} ({readable_place(span)})"


def readable_place(span: Span | None) -> str:
    """`file.vpr@3.5--3.9`, or `<no position>`."""
    return "<no position>" if span is None else str(span)
