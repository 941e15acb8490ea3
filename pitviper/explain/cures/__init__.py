"""Edits that may cure a finding: a case comes in, edits with their words go out, best ones first.

Nothing here knows whether an edit helps: `driver/verify/curing.py` applies it to the text, verifies
what that concerns, and tells only those that were seen to work. Read `edit.py` first, then
`candidates.py`, which has the order. Imported for programs with errors only.
"""
