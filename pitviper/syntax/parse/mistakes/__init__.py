"""What a wrong program was meant to say: shapes of tokens that other languages have.

A place and what the parser expected there come in, what to write instead goes out. Read `slips.py`
first, then `culprits.py`. Imported for wrong programs only, so that nothing here costs a right one.
"""
