"""The proof debugger without a face: command lines in, plain values (`results/debugging.py`) out.

Failed obligations of either engine come in; the reader tries assumptions and goals on them. Read
`session.py` first, then `workbench.py` (what was tried on one obligation) and `obligations/` (what
an engine has to tell). What needs further runs or solvers is asked of `Tools` (`tools.py`), which
the driver implements: nothing here imports the driver, a view or Z3.
"""
