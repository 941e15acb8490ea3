"""One rule a construct of Viper: what it emits, and the state behind it.

Comes in: a state and a construct. Goes out: a state, and commands for the emitter. Read first:
`execute.py`, then `inhale.py`, `exhale.py` and `evaluate.py`. May not import: another engine, or
anything that talks to a solver but the emitter.
"""
