from nagini_contracts.contracts import *


class Pair:
    def __init__(self) -> None:
        self.first = 1
        self.second = 2
        Fold(self.ordered())
        Ensures(self.ordered())

    @Predicate
    def ordered(self) -> bool:
        return Acc(self.first) and Acc(self.second) and self.first < self.second


def shrink(p: Pair) -> None:
    Requires(p.ordered())
    Ensures(p.ordered())
    Unfold(p.ordered())
    p.second = p.second - 1
    Fold(p.ordered())
