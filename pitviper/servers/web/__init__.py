"""The workbench in the browser: a page and its questions in, what is known about a text out.

Read `app.py` first: the routes, behind the checks of `guard.py`. `desk.py` is one open page: its
messages (`messages.py`) are answered from the folder (`folder.py`) or by processes that can be
killed (`process.py`), which run `worker.py`. The page itself is built from `page/` into `assets/`.
Imports driver, views and the language server; only this room imports Starlette and uvicorn.
"""
