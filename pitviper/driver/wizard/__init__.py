"""Verifier and exploration at the same time: assertions in, a colour for each out.

Read `wizard.py` first, the turns in which each learns from the other; `background.py` is
exploration as the verifier's process sees it, `explorers.py` the processes that do it. `colours.py`
judges what was found, `marks.py` writes it into the source. It goes through `verify/` and
`explore/`, never past them to the verifying engines.
"""
