"""Axioms of sequences, sets, multisets, maps and of snapshots of many locations.

Comes in: the sort of the elements. Goes out: the function symbols of the theory and axioms about
them. Read first: `sets.py`, the smallest one. May not import: engines or the program; each axiom is
checked against finite values in `tests/property`.
"""
