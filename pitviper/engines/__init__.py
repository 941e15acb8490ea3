"""Ways to find out what holds of a program: rooms that do not know each other.

Comes in: a typed program (`program/`), options, and what opens a solver. Goes out: results of
members (`results/`), or runs and tests. Read first: `shared/members.py`, then
`engines/symbolic/verifier.py`. May not import: source text, checking, plugins, or another engine.
"""
