"""From the typed program of Viper to the program model.

Members come in, methods of the model go out: contracts become constraints, permissions become
calls of natives of the runtime. Read `program.py` first, then `statements.py` and `assertions.py`.
Imports the typed program and the model; runs nothing and asks no solver.
"""
