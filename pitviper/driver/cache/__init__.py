"""Answers of earlier runs: about whole files, about edited files, about single members.

In come a program or a file with its options, out comes what is known about it, or nothing. Read
`key.py` first: it says what an answer depends on, and therefore when an entry is stale. It may
import no engine and no solver: an unchanged file is answered before anything else is loaded.
"""
