"""Options of a script that mean nothing are told, with what is expected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import pitviper
from pitviper import CheckOptions, CounterexampleOptions, ExploreOptions, UsageError, VerifyOptions

VERIFY: Any = VerifyOptions
CHECK: Any = CheckOptions
EXPLORE: Any = ExploreOptions
"""With arguments of any type, as scripts that nobody checks give them."""

PROGRAM = "method m(x: Int) { assert x > 0 }"


@pytest.mark.parametrize(
    ("call", "given", "told"),
    [
        (pitviper.verify, VerifyOptions(backend="foo"), "one of 'symbolic', 'vcg', 'both', not"),
        (pitviper.verify, VerifyOptions(backend="Both"), "did you mean 'both'?"),
        (pitviper.verify, VERIFY(select="good"), "takes a tuple of str, not 'good'"),
        (pitviper.verify, VERIFY(timeout="3"), "takes float or None, not '3'"),
        (pitviper.verify, VerifyOptions(timeout=0), "a number of seconds above 0, not 0"),
        (pitviper.verify, VerifyOptions(errors=-1), "(errors=...) is a number from 1 on, not -1"),
        (pitviper.verify, VerifyOptions(errors=True), "takes int or None, not True"),
        (pitviper.verify, {}, "options are a VerifyOptions, not {}"),
        (pitviper.debug, VerifyOptions(limit=0), "a number from 1 on, not 0"),
        (pitviper.check, VerifyOptions(), "options are a CheckOptions, not"),
        (pitviper.check, CHECK(strict="yes"), "takes bool, not 'yes'"),
        (pitviper.counterexample, CounterexampleOptions(instances=0), "a number from 1 on, not 0"),
        (pitviper.explore, EXPLORE(methods="m"), "takes a tuple of str, not 'm'"),
    ],
)
def test_what_no_option_means(call: Callable[..., Any], given: object, told: str) -> None:
    with pytest.raises(UsageError) as raised:
        call(PROGRAM, options=given)
    assert told in str(raised.value)


@pytest.mark.parametrize(
    "given", [None, VerifyOptions(), VerifyOptions(errors=1, timeout=3600, backend="vcg")]
)
def test_what_means_something_is_used(given: VerifyOptions | None) -> None:
    assert pitviper.verify(PROGRAM, options=given).verdict is pitviper.Verdict.REFUTED
