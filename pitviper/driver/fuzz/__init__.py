"""Looks for mistakes of ours: random and changed programs in, contradictions between judges out.

Read `campaign.py` first: cases by number, in worker processes, each determined by the seed. A case
is a program of `grammar.py` or of a folder, made right by `repair.py`, changed by `mutations.py`,
judged by `judge.py` and made small by `shrink.py`. Imports no view; nothing else imports it but the
command `fuzz`.
"""
