"""Where the meaning of an id can be read: a page that is installed with the tool, so it is there
without a network. Terminals and editors link ids to it; `pitviper explain ID` says the same.
"""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).parent / "html" / "ids.html"


def meaning_uri(problem_id: str) -> str:
    """The place of the page that tells about an id: about its reason, if it has one."""
    return f"{PAGE.as_uri()}#{problem_id.rpartition(':')[2]}"
