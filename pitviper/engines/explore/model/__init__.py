"""The program model: what is executed, apart from any source language.

Methods of a few instructions (assign, branch, constraint, call, return) over typed terms; made by
`viper/`, read by `analysis/` and `search/`, kept as text by `serialise.py`.
Read `program.py` first, then `term.py`. Imports neither programs of Viper nor the logic.
"""
