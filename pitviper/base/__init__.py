"""What every layer may use: frozen classes, deep stacks, digests, limits of memory.

Read `record.py` first: the one way to make a frozen class. All of it is cheap to import, since
the command line loads it before anything else. Imports nothing of ours.
"""
