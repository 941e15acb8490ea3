"""Edits about permissions: ask for them, give them back, open and close what contains them.

A case comes in, edits with their words go out. Read `missing.py` first.
"""
