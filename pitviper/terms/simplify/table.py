"""The table of all simplification rules, installed for `normal.make`.

Each rule keeps the meaning of a term in every model; `tests/property/test_terms.py` evaluates both
sides on random terms. Rules never look at the path: what holds only on a path is for the solver.
"""

from __future__ import annotations

from pitviper.terms.normal import RULES
from pitviper.terms.simplify.arithmetic import ARITHMETIC_RULES
from pitviper.terms.simplify.logic import ARRAY_RULES, LOGIC_RULES

for _rules in (LOGIC_RULES, ARITHMETIC_RULES, ARRAY_RULES):
    for _operator, _of_operator in _rules.items():
        RULES[_operator] = (*RULES.get(_operator, ()), *_of_operator)
