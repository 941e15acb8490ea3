"""What each sub-command does, a file each with a function `run`, loaded by its name.

The parsed options come in, an exit code goes out; between them a command asks the driver and has a
view tell the answer. Read `check.py` first, the shortest way. Imports stand at the top, but for
what would slow down answers that need none of it. Imports driver, views, servers, results and
source.
"""
