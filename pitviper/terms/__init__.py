"""The logic: sorts, interned terms, simplification, SMT-LIB text.

Comes in: symbols and arguments (`build.py`). Goes out: terms in normal form, one object for equal
ones, and their texts. Read first: `term.py`, then `build.py`. May not import: program, syntax,
results, or a solver.
"""
