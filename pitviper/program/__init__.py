"""The typed core language: resolved, desugared, every expression has a type.

Checking builds it, plugins rewrite it, engines give it a meaning. Read `expr.py`, `assertion.py`
and `stmt.py` first; `walk.py` has the only generic traversals, `cfg.py` the flow graph.
Imports `source` and `base` only: no syntax, no logic.
"""
