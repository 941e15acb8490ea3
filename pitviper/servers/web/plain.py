"""Results as JSON objects for the page: places count lines and UTF-16 units from 0."""

from __future__ import annotations

from pathlib import Path

from pitviper.base.record import record
from pitviper.results.report import Problem
from pitviper.servers.web.messages import Data
from pitviper.source.span import NO_SPAN, Span
from pitviper.source.units import place_of
from pitviper.views.json.lines import plain

_PARTS = {"`pitviper counterexample`": "the picture below", "`pitviper debug`": "the tab Proof"}


@record
class Plainly:
    """Makes plain data of results about the text at `path`: its own places have no file."""

    path: Path

    def place(self, span: Span | None) -> Data | None:
        """Returns a place; None where there is none."""
        if span is None or span.file is NO_SPAN.file:
            return None
        return {
            "file": "" if span.file.path == self.path else span.file.name,
            "from": list(place_of(span.file, span.start)),
            "to": list(place_of(span.file, span.end)),
        }

    def value(self, value: object) -> object:
        """Returns a record by its fields, a collection by its items, an enum by its word."""
        return plain(value, self.place)

    def problem(self, problem: Problem) -> Data:
        """Returns a message of the front end or a failed check with all that is known about it."""
        return {
            "id": problem.id,
            "severity": problem.severity.value,
            "title": problem.title,
            "message": problem.message,
            "help": _on_the_page(problem.help),
            "member": problem.member,
            "place": self.place(problem.span),
            "related": [{"place": self.place(r.span), "text": r.message} for r in problem.related],
            "conditions": [
                {
                    "text": c.text,
                    "holds": c.holds,
                    "taken": c.taken,
                    "place": self.place(c.span),
                    "used": self.place(c.used),
                }
                for c in problem.conditions
            ],
            "other_paths": problem.other_paths,
            "history": [{"place": self.place(e.span), "text": e.text} for e in problem.history],
            "held": list(problem.held),
            "notes": list(problem.notes),
            "cures": [
                {
                    "title": cure.action,
                    "edits": [{"place": self.place(e.span), "text": e.text} for e in cure.edits],
                }
                for cure in problem.cures
            ],
        }


def _on_the_page(cure: str | None) -> str | None:
    """A cure that names commands names the parts of the page that do the same."""
    for command, part in _PARTS.items():
        cure = cure and cure.replace(command, part)
    return cure
