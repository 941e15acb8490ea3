"""Quantified permissions: chunks for many locations at once, with inverse functions and maps from
locations to values. In come assertions `forall xs :: c ==> acc(r(xs).f, p)` and locations of such
resources; out come states with quantified chunks, and values.
Read `permissions.py` (the assertions) first, then `access.py` (one location) and `inverse.py`.
It imports no other engine; a summary of several chunks is made in `summary.py` only.
"""
