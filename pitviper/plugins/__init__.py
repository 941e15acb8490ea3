"""Language plugins: typed program to typed program, each with its own error translation.

A checked program comes in; data types, `decreases`, `refute` and others go out as the core that
engines know. Read `pipeline.py` first: the plugins in their order. Imports the typed program and
results; no syntax, no engine, no logic.
"""
