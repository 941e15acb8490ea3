"""The way of a verification: members of a program in, one outcome for each out.

`verify.py` is the way as a whole and the file to read first; `runner.py` decides whether the cache,
this process or workers answer, `member_verifier.py` asks the engines, and `verification.py` gives
answers about generated members back to those of the source. Engines and solver are imported only
where a member is proved: what is remembered must be told without them.
"""
