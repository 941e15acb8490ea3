"""Fields of records as the standard module knows them, and back; loads that module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING as NOTHING
from dataclasses import Field, field, make_dataclass

from pitviper.base import record


def from_standard(value: object) -> record.Given | None:
    """What the standard `field` has given; None for a plain default."""
    if not isinstance(value, Field):
        return None
    return record.Given(
        record.MISSING if value.default is NOTHING else value.default,
        None if value.default_factory is NOTHING else value.default_factory,
        compare=value.compare,
        repr=value.repr,
        kw_only=value.kw_only is True,
    )


def to_standard(name: str, fields: Mapping[str, record.Given]) -> Mapping[str, object]:
    """The table that the standard `fields` looks for."""
    specified = [(name, given.annotation, _field(given)) for name, given in fields.items()]
    made = make_dataclass(name, specified)
    return dict(vars(made)["__dataclass_fields__"])


def _field(given: record.Given) -> object:
    if given.factory is not None:
        return field(
            default_factory=given.factory,
            compare=given.compare,
            repr=given.repr,
            kw_only=given.kw_only,
        )
    return field(
        default=NOTHING if given.default is record.MISSING else given.default,
        compare=given.compare,
        repr=given.repr,
        kw_only=given.kw_only,
    )
