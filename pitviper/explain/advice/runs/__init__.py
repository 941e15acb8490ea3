"""Runs of a member for small values, which show for which of them an assertion is false.

A case comes in, values or advice with them go out. Read `trial.py` first; `run.py` is the run.
"""
