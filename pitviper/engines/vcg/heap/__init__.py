"""Heaps of the second verifier: an array of values and a sum of permission entries for each kind.

Comes in: a heap, a kind and an index. Goes out: amounts, values, and heaps with more or less. Read
first: `entry.py`, then `total.py` (how much is held). May not import: another engine.
`snapshot.py` and `take.py` go back to rules and packages, which is where a heap meets assertions.
"""
