"""Magic wands of the second verifier: packaging, applying, and what an instance remembers.

Comes in: a state and a wand. Goes out: a state with the wand instead of its footprint, or with the
right-hand side instead of the wand. Read first: `package.py`, then `packaging.py`, `transfer.py`.
May not import: another engine.
"""
