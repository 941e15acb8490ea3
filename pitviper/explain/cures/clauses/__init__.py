"""Edits of clauses and declared bodies: one off, in the wrong order, without a fact or a case.

A case comes in, edits with their words go out. Read `borders.py` first.
"""
