"""Quantified permissions of the second verifier: amounts as functions of the index.

Comes in: `forall xs :: c ==> acc(...)`. Goes out: inverse functions, entries for all indices, and
slices that stand for what functions read. Read first: `permissions.py`, then `inverse.py`. May not
import: another engine.
"""
