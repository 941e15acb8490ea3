"""A problem of counterexample search as a model for the Alloy Analyzer.

A `Problem` comes in, the text of an Alloy model goes out. Read `model.py` first; `terms.py` writes
single terms. Imports the bounded search and the logic, no engine.
"""
