"""Inference of ghost statements: folds and unfolds that the user left out, if `infer_ghost` is on.
In come a state and the piece of work that failed in it; out come the outcomes of the work after the
statements that help, and the statements, for the user to write down.
Read `hooks.py` (where rules ask) first, then `inference.py` (the search) and `candidates.py`.
Rules import `hooks.py` only: the rest is loaded when somebody has chosen it.
"""
