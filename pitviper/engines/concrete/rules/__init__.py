"""The rules of the interpreter: evaluate, execute, inhale and exhale, one file each.

A state and a node of the typed program come in, a value or the next state goes out; a failure ends
the run. Read `evaluate.py` and `execute.py` first, then `consume.py` and `produce.py`.
Imports the typed program only: an oracle that shared code with verifiers would prove nothing.
"""
