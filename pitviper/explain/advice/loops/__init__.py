"""Advice about loops: what their invariants lack, or what an iteration makes false.

A case comes in, advice or None goes out. Read `loops.py` first.
"""
