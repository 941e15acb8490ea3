"""Coverage of explorations for other tools: counts of lines and branches in, their files out.

Read `totals.py` first: what several methods say about one line. `lcov.py` and `cobertura.py` are
the two formats. Imports results only.
"""
