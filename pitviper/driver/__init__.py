"""The public API: source text and options in, plain results out; views and commands know only this.

`front/` reads programs, `verify/` proves them, `explore/` runs them, `wizard/` lets both work
together, `counterexample/` and `debug/` look into failed proofs, `suite/` judges annotated
programs. `cache/` remembers answers, `work/` lets other processes and machines give them. Read
`verify/verify.py` first. Nothing here imports `views`, `servers` or `cli`.
"""
