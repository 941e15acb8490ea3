"""What is known about a model without running it.

A model comes in; graphs, ranges of numbers, decided branches and unassigned variables go out.
Read `graph.py` first, then `knowledge.py`. Imports the model only: no runtime and no solver.
"""
