"""The command `pitviper`: words of a command line in, text and an exit code out.

Read `main.py` first: it chooses the sub-command, whose options are in `arguments/` and whose work
is in `commands/`; `start.py` is the process around it. `options.py` turns what was chosen into
options of the driver, `output/` writes. Reaches the rest through driver, views and servers only:
no engine, no solver, no program, no syntax.
"""
