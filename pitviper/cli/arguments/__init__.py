"""The options of each sub-command, a file each, as argparse wants them: quick to load.

Words of a command line come in, a namespace goes out. Read `common.py` first. To define the options
of all sub-commands loads no command: imports nothing but argparse, paths and the exit codes.
"""
