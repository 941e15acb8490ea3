"""Failed proof obligations as the debugger sees them, whichever engine they come from.

A failed check with its recorded states (`symbolic.py`) or a refused question (`vcg.py`) comes in;
facts, a goal and words for both go out. Read `obligation.py` first: the protocol. Nothing here
imports a command or the driver.
"""
