"""Opens the proof debugger on a program: what `pitviper debug` does.

A program and options come in, a `DebugSession` goes out. Read `debugging.py` first: it verifies
with a recorder (`vcg.py`: with the other engine) and hands what failed to `pitviper/debugger`.
`tools.py` lends the debugger solvers and further runs. Imports no view.
"""
