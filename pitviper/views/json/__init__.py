"""Results as JSON objects, one a line: the stable form for scripts and editors.

Results come in, dictionaries and lines go out. Read `lines.py` first: reports of files with their
findings; the others are about one command each. Imports results and source, no other view's text.
"""
