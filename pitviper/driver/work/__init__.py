"""Work in other processes, which may die, hang or be killed without harm.

Read `pool.py` first: forked workers with tasks, messages and limits, for everybody who needs some.
`tasks.py` runs a function on many values, `local.py` verifies members in a pool, `executor.py` and
`cluster.py` on other machines, all three as `protocol.py` says. `process.py` and `pool.py` know
nothing of programs; `transport.py` sends values that stand in their files.
"""
