"""A process that keeps everything loaded, and forks for each `pitviper verify`.

The words of a command line and its streams come in over a Unix socket, an exit code goes out. Read
`server.py` first; `client.py` is the other side, `place.py` says where they meet. The client is
quick to load: it imports no driver. Neither side imports the command line.
"""
