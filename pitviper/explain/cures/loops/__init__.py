"""Edits about loops: invariants that they lack, and measures by which they end.

A case comes in, edits with their words go out. Read `invariants.py` first.
"""
