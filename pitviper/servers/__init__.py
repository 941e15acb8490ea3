"""Programs that wait for questions: daemon, language server, debug adapter, workbench.

Messages of a client come in, messages go out. `daemon/` keeps everything loaded, `lsp/` and `dap/`
speak protocols of editors, `web/` serves a page; `work/` are processes that work for them. Imports
driver, views and results, but never the command line: what a daemon runs is handed to it. Read
`daemon/server.py` first.
"""
