from nagini_contracts.contracts import *


class Cell:
    def __init__(self) -> None:
        self.value = 0
        Ensures(Acc(self.value) and self.value == 0)


def put(c: Cell, v: int) -> None:
    Requires(Acc(c.value))
    Ensures(Acc(c.value) and c.value == v)
    c.value = v


def use() -> int:
    Ensures(Result() == 7)
    c = Cell()
    put(c, 7)
    return c.value
