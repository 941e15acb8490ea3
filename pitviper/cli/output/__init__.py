"""How commands write: standard output, JSON lines and SARIF, the watch of a verification.

Reports of the driver come in, text on standard output goes out. Read `stdout.py` first, then
`files.py`: the files of `verify`, one after the other, from the cache where they are known.
Imports driver and views; decides nothing about programs.
"""
