"""Rules that make an application simpler while it is built.

Comes in: the arguments of an operator. Goes out: an equal, simpler term, or None. Read first:
`table.py`, which installs the rules in `terms/normal.py`. May not import: anything but terms; a
rule holds in every model and never looks at a path.
"""
