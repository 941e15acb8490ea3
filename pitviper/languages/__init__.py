"""Source languages beside Viper: text to typed program, each in a room of its own.

A `SourceFile` comes in; a typed program of `program/` or diagnostics go out, with places in the
file. Languages are found by the ending of a file's name. Read `registry.py` first. Imports the
typed program and the checker's small parts; no logic, no solver and no engine.
"""
