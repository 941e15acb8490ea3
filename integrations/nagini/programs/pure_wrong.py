from nagini_contracts.contracts import *


@Pure
def larger(a: int, b: int) -> int:
    Ensures(Result() >= a and Result() >= b)
    return a
