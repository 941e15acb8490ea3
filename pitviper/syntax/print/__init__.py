"""Tree to text: parsing what is printed gives the tree again.

A syntax tree comes in, text goes out. Read `printer.py` first. Imports the tree only; comments
and line breaks of a file are the business of `format/`.
"""
