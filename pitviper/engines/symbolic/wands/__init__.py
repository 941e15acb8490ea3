"""Magic wands: `package` and `apply`, with the footprint that a package takes.
In come a state and a wand (or a package statement); out come the states after it, in which the
wand, or its right-hand side, is held.
Read `package.py` first, then `paths.py` (how a package is run), `transfer.py` (what it takes from
the heaps around it) and `footprint.py` (what leaves them in the end). `hypothetical.py` tells what
means something outside of a package; it imports none of the others.
"""
