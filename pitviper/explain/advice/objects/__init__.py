"""Advice for languages with classes, whose claims speak of pure methods and predicates.

A case comes in, advice or None goes out. Read `objects.py` first; `changes.py` looks for the call
that has changed what a claim rests on.
"""
