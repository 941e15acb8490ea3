"""The commands of the proof debugger, one function each.

A `Debugger` and the rest of a command line come in, replies go out; bad input is answered by a
`Problem`. Read `grammar.py` first: the table of all commands. Commands that only look are in
`show.py`, those that change or prove in `proof.py`, those that need other runs in `tools.py`.
"""
