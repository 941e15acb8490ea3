"""The only room that talks to Z3.

Comes in: terms. Goes out: answers and models in our terms. Read first: `session.py`, then
`engine.py` (limits and second attempts); `library.py` holds the calls of the C interface. May not
be imported by engines: driver and counterexample search choose the solver.
"""
