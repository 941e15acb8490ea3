"""The boundary to solvers: paths, answers, one protocol, and the sessions behind it.

Comes in: a path (facts in order) and a goal, both terms. Goes out: proved, not proved, or not known
within a limit. Read first: `session.py`; `z3/` and `cvc5.py` implement it, `recording.py` writes it
down. May not import: program, syntax, results or engines.
"""
