"""The second verifier: verification conditions over arrays of values and sums of permissions.

Comes in: a typed program. Goes out: for each member a procedure of the language in `ivl/`, proved
or not: results of members. Read first: `verifier.py`, then `rules/execute.py` and `heap/entry.py`.
May not import: the other engines, so that comparing them means something.
"""
