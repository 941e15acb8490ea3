"""Which terms make a quantifier fire.

Comes in: the body of a quantifier without triggers. Goes out: patterns that cover its variables,
and which parts of a term no solver can match. Read first: `choice.py`, then `sums.py`. May not
import: engines.
"""
