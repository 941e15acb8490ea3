"""Programs that wait for questions: the daemon behind `pitviper verify`, the debug adapter.

Messages of a client come in, messages go out. `daemon/` keeps everything loaded, `dap/` speaks the
debug adapter protocol; room for further protocols. Imports driver, views and results, but never the
command line: what a daemon runs is handed to it. Read `daemon/server.py` first.
"""
