"""Why a term has no value in an instance."""

from __future__ import annotations


class Unevaluable(Exception):
    """The value of a term cannot be computed; caught where facts are judged."""


class Underspecified(Exception):
    """A function outside of its domain: it has some value, whichever the model gives it."""
