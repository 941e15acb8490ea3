"""What compiled methods run on: values, heaps with permissions, and the logs of a run.

Calls of compiled code come in; a path of decisions, inputs and coverage goes out. Read `run.py`
first, then `value.py` and `resources.py`; packages of wands are in `trial.py` and `footprint.py`.
Imports the model and terms; no solver, no search, no program of Viper.
"""
