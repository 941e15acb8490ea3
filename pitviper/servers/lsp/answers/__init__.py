"""Answers about a text: its analysis and a place in, values of the protocol out, a file each kind.

Read `names.py` first: what a name means, and hover. `lenses.py` and `actions.py` offer what can be
done about a member or a problem. Nothing here waits: what takes longer is asked of `processes/`.
"""
