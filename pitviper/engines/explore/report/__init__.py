"""From runs to what people read and keep: inputs in words, findings, test cases, coverage.

Nodes of a search come in, values of `results/` go out. Read `inputs.py` first, then `summary.py`;
`attempts.py` is what workers send home. Imports search and runtime; prints nothing, which is the
business of views.
"""
