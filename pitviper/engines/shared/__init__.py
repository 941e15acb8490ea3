"""What engines have in common and is no rule: starting, members, results, functions, finite values.

Comes in: a typed program. Goes out: the run of a program, solvers that know what a member may use,
results, settings of functions. Read first: `members.py`; `values.py` is all that interpreter and
exploration take from here. May not import: any engine. What stands here is not checked by comparing
engines: `docs/soundness.md` says what that means.
"""
