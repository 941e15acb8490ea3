"""Text to syntax tree as written: sugar kept, names unresolved; and trees to text again.

`parse/` reads, `print/` writes a tree, `format/` arranges the tokens of a file. Read `tree.py`
first: one frozen class for each construct of the grammar. Imports `source` and `base` only: no
types, no programs.
"""
