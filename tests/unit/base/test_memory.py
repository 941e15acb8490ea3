"""The pause of the garbage collector ends, whatever happens."""

from __future__ import annotations

import gc

import pytest

from pitviper.base.memory import paused_collector


def test_nested_pauses() -> None:
    assert gc.isenabled()
    with paused_collector():
        with paused_collector():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_an_exception_ends_the_pause() -> None:
    with pytest.raises(KeyError), paused_collector():
        raise KeyError
    assert gc.isenabled()
