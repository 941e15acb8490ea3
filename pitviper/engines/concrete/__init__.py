"""Reference interpreter: one run of a member on a concrete heap with permission amounts.

    program = load_text(text, "name.vpr").program
    inputs = Inputs({"x": Ref(1)}, {(Ref(1), "f"): 5})
    result = run_method(program, "m", inputs, Tape((0, 2), then=0))
    match result.outcome:
        case Failed(finding, assuming): ...  # no sound verifier accepts the program

`interpreter.py` has the entry points, `outcome.py` says what an outcome claims. The program is the
checked one: algebraic data types are understood, and `refute` and `decreases` are passed over
(`Passed.unchecked` tells). Programs encoded by the plugins run as well, but their ADTs are domains
with axioms, of which no value can be computed without an interpretation.

It is an oracle for the verifiers, so it shares the typed program with them and nothing else.
"""
