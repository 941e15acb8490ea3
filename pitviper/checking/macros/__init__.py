"""Macros: their definitions are checked, their uses replaced.

A program as written comes in, one without macros goes out, with complaints. Read `expander.py`
first; `table.py` says which macros are in scope, `scope.py` and `names.py` what names mean.
Imports the syntax tree only: types come later.
"""
