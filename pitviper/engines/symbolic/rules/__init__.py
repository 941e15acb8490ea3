"""The rules of the paper: a state and a piece of the program come in, the states after it go out,
each with a term where the piece has a value, and reports go to the context.
Read `evaluate.py`, `produce.py`, `consume.py` and `execute.py` (Figures 5 to 8) first, then
`flow.py` (bodies and loops), `member.py` and `function.py` (what is proved about a member).
Rules change heaps through `heap`, `quantified` and `wands`; none of them calls Z3 or makes a text.
"""
