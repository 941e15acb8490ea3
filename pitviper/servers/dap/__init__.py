"""The debug adapter protocol: editors step through a recorded run, forwards and backwards.

Requests come in, answers and events go out. Read `adapter.py` first; `stream.py` frames the
messages. The run is a `Walk` of `results/steps.py`, concrete or symbolic: imports results, and no
engine.
"""
