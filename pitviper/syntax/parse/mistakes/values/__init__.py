"""Values and types that were meant: numbers, collections and parts as other languages have them.

A place at which the parser stands comes in, what to write goes out. Read `literals.py` first.
"""
