"""Tools for agents: questions about programs in, small typed answers out.

Read `server.py` first: the tools and the shapes of their answers, over the model context protocol
on standard input and output. `work.py` is the process of one question, which may hang or die.
Programs come as text, or from files below the folder where the server was started; nothing else is
read, nothing is written. Imports driver and views; only this room imports the package mcp.
"""
