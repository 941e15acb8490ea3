"""Typed programs, statements and expressions as text of Viper.

A node comes in, text goes out, with as few brackets as `precedence.py` allows. Read `printer.py`
first. Imports the typed program only.
"""
