"""Processes that work for a server and can be killed at any moment: requests in, JSON lines out.

`nursery.py` is a process with everything loaded, which forks one for each request; `worker.py` is
what a server sees of it. Read `worker.py` first. It knows no protocol: what is done with a request
is the function `main` of a module that is named by its server.
"""
