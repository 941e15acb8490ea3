"""What the front end says about a text: of no editor, so that a report needs none of its parts."""

from __future__ import annotations

from pathlib import Path

from pitviper.driver.front.frontend import FrontEnd, load_text
from pitviper.driver.verify.verify import diagnosed
from pitviper.program.member import is_brought_along
from pitviper.servers.web.messages import Data
from pitviper.servers.web.plain import Plainly
from pitviper.servers.web.worker import Say, Session

MEMBERS = ("method", "function", "predicate")


def check(session: Session, request: Data, _: Say) -> Data:
    """The answer about a text that nobody goes on writing."""
    path = session.path_of(request)
    return said_by_front(load_text(str(request["text"]), str(path)), path)


def said_by_front(front: FrontEnd, path: Path) -> Data:
    """Its problems, and the members that the text has."""
    plainly = Plainly(path)
    members = []
    if front.program is not None:
        program = front.program
        for kind, table in zip(
            MEMBERS, (program.methods, program.functions, program.predicates), strict=True
        ):
            members += [
                {"name": name, "kind": kind, "place": plainly.place(declared.span)}
                for name, declared in table.items()
                if not is_brought_along(declared)
            ]
    found = diagnosed(front, front.diagnostics)
    return {
        "accepted": front.accepted,
        "problems": [plainly.problem(problem) for problem in found],
        "members": members,
    }
