"""Reference interpreter: one run of a member on a concrete heap with permission amounts.

A checked program, inputs and a tape of decisions come in, an outcome goes out: `interpreter.py`
has the entry points (`run_member(program, "m", inputs, Tape((0, 2), then=0))`), `outcome.py` says
what an outcome claims. ADTs are understood; `refute` and `decreases` are passed over
(`Passed.unchecked`). It is an oracle for the verifiers: it shares the typed program with them and
imports nothing else.
"""
