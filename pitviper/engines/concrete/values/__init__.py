"""The values of the interpreter: numbers, references, collections, and those not decided yet.

Expressions of collections, arithmetic and symbols come in, values go out; what nobody has looked
at stays a hole until `choose.py` decides it. Read `unknown.py` first; the values themselves are
in `engines/shared/values.py`. Imports the typed program, never terms or the solver.
"""
