"""From the text of a program to the typed program, or to diagnostics.

In come a path or a text and the options of the checker, out come `FrontEnd` values: source, tree,
typed program. Here, too, members are selected, files formatted, and changes of files waited for.
Read `frontend.py` first. It imports no engine and no solver, so that it is quick to load.
"""
