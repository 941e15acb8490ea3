"""What happened in a symbolic execution, in the words of the source.
In come the plain data of the engine (states, terms, provenance, what a recorder is told); out come
findings, histories, traces and expressions of the program.
Read `findings.py` (a failed check) first, then `recorder.py` (everything that happened),
`final_expression.py` (a term as text) and `expression.py` (a term as a typed expression).
It imports no driver, no view and no Z3; engines know it only through their protocols.
"""
