"""Dynamic symbolic execution: runs methods concretely and symbolically at the same time.

A typed program comes in (`viper/`), becomes a model (`model/`), is compiled to Python and run
(`runtime/`), again and again on inputs that the solver chooses (`search/`); runs become findings,
test cases and coverage (`report/`). Read `search/engine.py` first, then `runtime/run.py`.
Imports no other engine, no syntax and no Z3: solvers come in from the driver.
"""
