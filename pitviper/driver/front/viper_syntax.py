"""What is known about the text of a Viper program: its tree, for those who ask about Viper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitviper.base.record import record
from pitviper.checking.options import CheckOptions
from pitviper.languages.registry import Declared
from pitviper.syntax.tree import FieldDeclaration, File, Import, Member

if TYPE_CHECKING:
    from pitviper.checking.typed_input import InputReader
    from pitviper.driver.front.frontend import FrontEnd


@record
class ViperSyntax:
    """`tree` holds the members of the file that could be parsed.

    `members` are those of all files, imports spliced in, before macros are expanded.
    """

    tree: File
    members: tuple[Member, ...]

    @property
    def declared(self) -> tuple[Declared, ...]:
        """What messages can name: everything but fields and imports."""
        found = [m for m in self.members if not isinstance(m, Import | FieldDeclaration)]
        return tuple([Declared(member.name.name, member.span) for member in found])

    def reader(self, options: CheckOptions) -> InputReader:
        """What reads expressions that are typed in beside the program."""
        from pitviper.checking.typed_input import TypedInput

        return TypedInput(self.members, options)


def viper_tree(front: FrontEnd) -> File | None:
    """The syntax tree of the file; None where it is no text, or none of Viper."""
    return front.syntax.tree if isinstance(front.syntax, ViperSyntax) else None


def own_members(front: FrontEnd) -> tuple[Member, ...]:
    """The members that the file itself has, without those of imports."""
    found = viper_tree(front)
    return () if found is None else found.members


def viper_members(front: FrontEnd) -> tuple[Member, ...]:
    """The members of a program of Viper as they are written; none for other languages."""
    return front.syntax.members if isinstance(front.syntax, ViperSyntax) else ()
