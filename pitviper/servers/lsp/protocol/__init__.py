"""Our values as values of the language server protocol: places, problems, colours.

Read `problems.py` first: problems as diagnostics, and how answers about members follow their
members. `positions.py` counts as the protocol does. Knows no open text and no request.
"""
