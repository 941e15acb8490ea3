"""From a program to counterexamples: what `pitviper counterexample` does.

A path and options come in, an `Answered` with instances goes out. Here are files, options and
solver sessions; the search itself is `pitviper/counterexample`. Read `search.py` first,
which also adds the expressions of `--where` to the program. Imports no view.
"""
