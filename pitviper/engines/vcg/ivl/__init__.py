"""A small intermediate language: what has to hold for one member, without heaps or permissions.

Comes in: commands, one after the other (`emitter.py`). Goes out: a procedure of blocks, what of it
could not be proved, and its text for Boogie. Read first: `language.py`, then `prover.py`. May not
import: `rules/`, `heap/` or any other room of the verifier.
"""
