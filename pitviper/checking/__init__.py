"""Syntax tree to typed program, or diagnostics.

A parsed file comes in; its imports are spliced (`imports.py`), its macros expanded (`macros/`),
names and types found (`collect.py`, `infer.py`), the core built (`lower/`), and side conditions
checked (`wellformed/`). Read `check.py` first. Imports no logic, no solver and no engine.
"""
