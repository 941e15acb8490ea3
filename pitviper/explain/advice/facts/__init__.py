"""Advice where an assertion is not true, or an expression has no value.

A case comes in, advice or None goes out. Read `rules.py` first: it has the rules in their order.
"""
