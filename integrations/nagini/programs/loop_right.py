from nagini_contracts.contracts import *


def total(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() == n * 2)
    i = 0
    found = 0
    while i < n:
        Invariant(0 <= i and i <= n)
        Invariant(found == i * 2)
        found = found + 2
        i = i + 1
    return found
