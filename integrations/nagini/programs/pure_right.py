from nagini_contracts.contracts import *


@Pure
def larger(a: int, b: int) -> int:
    Ensures(Result() >= a and Result() >= b)
    return a if a > b else b


def use(x: int) -> None:
    y = larger(x, 3)
    Assert(y >= 3)
