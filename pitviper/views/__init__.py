"""What people and programs read: results in, text out; nothing here decides anything.

A folder for each form: `terminal/`, `json/`, `html/`, `coverage/`, `pictures/`, and `sarif.py`.
Read `terminal/problem.py` first: how a finding is told. Imports results, source and base; no
engine, no terms, no solver, no command line.
"""
