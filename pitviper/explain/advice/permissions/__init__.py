"""Advice where permission is missing: where it went, what contains it, who could give it.

A case comes in, advice or None goes out. Read `rules.py` first: it has the rules in their order.
"""
