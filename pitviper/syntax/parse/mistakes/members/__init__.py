"""Declarations that were meant: headers, contracts and bodies as other languages have them.

A place at which the parser stands comes in, what to write goes out. Read `declarations.py` first.
"""
