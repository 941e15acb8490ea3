"""From the typed program to the logic: sorts, symbols, axioms and triggers, for both verifiers.

Comes in: declarations of a typed program. Goes out: symbols to build terms with, and background
axioms. Read first: `symbols.py`, then `background.py`. May not import: engines, syntax, checking,
plugins. What is wrong here is wrong for both verifiers.
"""
