"""Results as text for a terminal: excerpts of the source, tables, progress bars, colours.

Results come in, text goes out; who writes it is no matter of a view. Read `problem.py` and
`excerpt.py` first, then the file of a command. Colours are names of `style.py`, and `rich` is
loaded for bars and tables only. Imports results and source; no engine, no driver's internals.
"""
