"""What engines and drivers answer: plain frozen data that views show and caches keep.

Engines, exploration, counterexample search and debugger put values in, views take them out. Read
`verdict.py` and `finding.py` first: a member is verified, refuted or undecided, and a finding says
what fails where. Imports source and base: no program, no terms, no solver.
"""
