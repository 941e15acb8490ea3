"""What to do about a finding, in the words of the source.

A finding and the program come in, the finding with advice goes out. Read `advised.py` first, then
`case.py`; `permissions/rules.py` and `facts/rules.py` have the rules in their order, and the other
files one kind of them each. Imported for programs with errors only.
"""
