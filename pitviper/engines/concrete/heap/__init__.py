"""The heap of the interpreter: amounts and values by location.

Locations come in, permission amounts and contents go out; nothing here fails a program. Read
`heap.py` first, then `contents.py` (what predicate instances and wands hold).
Imports values and the typed program; no rules.
"""
