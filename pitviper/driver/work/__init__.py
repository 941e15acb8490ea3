"""Work in other processes, which may die, hang or be killed without harm.

Read `pool.py` first: forked workers with tasks, messages and limits, for everybody who needs some.
It verifies members on this machine, `executor.py` on others, both as `protocol.py` says; `tasks.py`
runs a function on many values, `transport.py` sends values that stand in their files. `process.py`
knows nothing of programs. Imports no view.
"""
