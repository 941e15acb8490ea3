"""Cuts are an extension: where they may stand, and that `--strict` refuses them."""

from __future__ import annotations

import pitviper
from pitviper.checking.options import CheckOptions

CUT = "method m(x: Int) { @cut() assert x == x }"


def test_a_cut_is_an_extension() -> None:
    assert pitviper.check(CUT).accepted
    (error,) = pitviper.check(CUT, options=CheckOptions(strict=True)).errors
    assert error.message == "`@cut` is an extension of Pitviper"


def test_a_cut_stands_in_no_branch() -> None:
    (error,) = pitviper.check("method m(b: Bool) { if (b) { @cut() assert true } }").errors
    assert error.message == "A cut stands where all ways meet: not inside of an `if`."
