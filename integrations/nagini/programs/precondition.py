from nagini_contracts.contracts import *


def half(n: int) -> int:
    Requires(n > 0)
    return n // 2


def use(n: int) -> int:
    return half(n - 1)
