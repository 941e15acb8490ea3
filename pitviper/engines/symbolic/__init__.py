"""Symbolic execution: proves the members of a typed program along their paths, with rules of the
paper. In come a program, options, a way to open solver sessions, and an explainer; out come a
`MemberResult` for each member, with findings, and the axioms of functions.
Read `verifier.py` first, the engine's face. Others may import it, `options`, `recorder` (protocols
that `explain` implements), and the data they are told: `state`, `heap.chunk`, `provenance`,
`services`. Those who evaluate expressions in a state also use `context` and `rules`.
It imports no other engine, and nothing that words a result: `explain`, `driver`, `views`.
"""
