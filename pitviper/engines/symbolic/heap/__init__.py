"""Symbolic heaps: chunks, and how permission to a location is found, read, taken and added.
In come a state and a location with its amount; out comes the state with another heap, and a value.
Read `chunk.py` (the data) first, then `access.py` (the rules) and `consolidate.py`.
It imports no rule of `rules`: the paper's rules are above it.
"""
