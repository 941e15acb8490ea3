"""The object language `.cool`: classes, pure methods, predicates and mutators.

Text becomes tokens (`lexer.py`), a tree (`parser.py`, `tree.py`), and then in one pass over the
tree, with types, the typed program (`lower.py`). Core names are qualified, `Cell.x`, so that what
is said about the core is said in words of the file. Read `tree.py` first. Imports no engine.
"""
