"""The search for an instance with few objects: the solver proposes models, we check them.

A `Problem` (facts, a goal, axioms) and `Bounds` come in; `Found` with an evaluator goes out, or
why nothing was found. Read `search.py` first, then `evaluator.py`, which shares nothing with the
solver, and `lemmas.py`: what the solver is told when its model is wrong. Imports terms, solver
and encoding, and no engine.
"""
