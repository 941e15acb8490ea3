"""Small concrete states in which a failed check fails, searched from recorded symbolic states.

A `Question` (a recorded state and its failed check) comes in; `Counterexample`s go out, or a
`NoCounterexample` that says why there is none. Read `question.py` first, then `problem.py` (what
has to hold), `bounded/` (the search) and `instance.py` (what a reader is shown).
`recorded_state.py` is the only door to the rules of symbolic execution. Imports no driver.
"""
