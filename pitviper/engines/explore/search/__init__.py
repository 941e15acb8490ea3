"""The search: which path is tried next, and on which input.

A compiled model and solvers come in, nodes (a run, or why there is none) go out. Read `engine.py`
first; `frontier.py` has the strategies, `path_tree.py` the names of paths, `minimise.py` makes
failing inputs small. Imports the runtime and the protocol of solvers, not the source program.
"""
