"""A server that clients of ViperServer can talk to: their requests in, messages of that server out.

Read `server.py` first: one port of loopback, on which a connection speaks HTTP or the language
server protocol. `http.py` has the jobs and streams, `job.py` the process of one verification,
`messages.py` the shape of what it says, `language.py` the requests of the Viper extension. Imports
driver, views and the language server; never the command line.
"""
