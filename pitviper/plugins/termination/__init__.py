"""Decreases clauses become assertions.

A program with measures comes in; proof methods and assertions that the measure decreases go out.
Read `functions.py` first, then `methods.py`. Imports the typed program and the
other plugins' names; engines see nothing of it but assertions.
"""
