"""Runs annotated programs and compares what is said about them with their annotations.

In comes a folder of programs, out comes a result for each: it agrees, differs, crashes or takes too
long. Read `suite.py` first; `programs.py` has what can be run, `lists.py` the differences that are
known. Programs run in the worker processes of `work/`, never in this one.
"""
