"""Syntax to the typed core: one function a construct.

Nodes as written come in, typed nodes go out; a type error becomes a diagnostic and a node that
fits. Read `expressions.py` and `statements.py` first. Imports `syntax` and `program`; side
conditions that types do not express are left to `wellformed/`.
"""
