"""Algebraic data types become domains.

A program with ADTs comes in, one with domains, functions and axioms goes out. Read `encode.py`
first, then `domain.py`; `contains.py` and `order.py` are what termination measures need.
Imports the typed program only.
"""
