from nagini_contracts.contracts import *


def total(n: int) -> int:
    Requires(n >= 0)
    i = 0
    while i < n:
        Invariant(i < n)
        i = i + 1
    return i
