from nagini_contracts.contracts import *


class Account:
    def __init__(self) -> None:
        self.balance = 0
        Ensures(Acc(self.balance))


def pay(a: Account, amount: int) -> None:
    a.balance = a.balance + amount
