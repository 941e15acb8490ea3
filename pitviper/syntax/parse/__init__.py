"""Text to tokens to tree, with recovery, so that an editor sees several errors.

A source file comes in, a tree and diagnostics go out. Read `parser.py` first, then `cursor.py`;
members, statements, expressions, atoms and literals have a file each. Imports the tree and
`source`; knows no names and no types.
"""
