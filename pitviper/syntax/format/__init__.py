"""The formatter: a file keeps its tokens and comments, lines and blanks become regular.

Text comes in, text goes out. Read `formatter.py` first: it puts tokens and comments in a row,
`structure.py` says where lines start, `layout.py` breaks the long ones. Imports the parser for
the structure of a file; nothing of programs.
"""
