"""File text, places in it, and diagnostics as data.

A path or text comes in, a `SourceFile` goes out; a `Span` is the only kind of position. Read
`span.py` first. Imports `base` only.
"""
