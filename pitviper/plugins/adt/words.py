"""What findings say of the functions that stand for a data type, in the words of the source.

    get_List_head(xs) > 0 && List_tag(xs) == 0    is    xs.head > 0 && xs.isCons
    (Cons(1, (Nil(): List[Int])): List[Int])      is    Cons(1, Nil())

Findings hold texts, printed from the encoded program; the names in them are those of this encoding
and of nothing else in the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pitviper.base.record import record, replace
from pitviper.plugins.adt.domain import Symbols
from pitviper.plugins.step import Findings, Members, Translate
from pitviper.program.member import Adt, Program
from pitviper.results.finding import Finding

_OPEN, _CLOSED = "([{", ")]}"
_COMPARED = re.compile(r" == (\d+)")


def translation(program: Program, symbols: Symbols) -> Translate:
    words = _words(program, symbols)

    def translate(findings: Findings, _: Members) -> Findings:
        return tuple([_in_words(finding, words) for finding in findings])

    return translate


def without_types(text: str, program: Program) -> str:
    """A text about the source program, whose constructors say no types: a reader needs none."""
    constructors = [c.name for adt in program.adts.values() for c in adt.constructors]
    if ": " not in text or not constructors:
        return text
    return Words(_applied(constructors), {}, {}).read(text)


def _in_words(finding: Finding, words: Words) -> Finding:
    containing = finding.containing
    return replace(
        finding,
        message=words.read(finding.message),
        conditions=tuple([replace(c, text=words.read(c.text)) for c in finding.conditions]),
        history=tuple([replace(e, text=words.read(e.text)) for e in finding.history]),
        held=tuple([words.read(text) for text in finding.held]),
        containing=None if containing is None else tuple([words.read(t) for t in containing]),
    )


@record
class Words:
    """`arguments` has the name of a destructor's argument, `tests` the constructor of each tag."""

    applied: re.Pattern[str]
    arguments: Mapping[str, str]
    tests: Mapping[str, Mapping[int, str]]

    def read(self, text: str) -> str:
        """The text, with each application of a generated function written as the source has it."""
        said: list[str] = []
        at = 0
        while (found := self.applied.search(text, at)) is not None:
            closed = _closing(text, found.end() - 1)
            if closed is None:
                break
            start, end = _ascribed(text, found.start(), closed + 1)
            name, args = found[1], self.read(text[found.end() : closed])
            told, behind = self._told(name, args, text, end)
            if behind > end:
                start, end = _in_brackets(text, start, behind)
            said += [text[at:start], told]
            at = end
        return "".join([*said, text[at:]])

    def _told(self, name: str, args: str, text: str, end: int) -> tuple[str, int]:
        """An application as it is written, and where the text goes on behind it."""
        if name in self.arguments:
            return f"{_operand(args)}.{self.arguments[name]}", end
        compared = _COMPARED.match(text, end)
        constructor = None if compared is None else self.tests.get(name, {}).get(int(compared[1]))
        if compared is None or constructor is None:
            return f"{name}({args})", end
        return f"{_operand(args)}.is{constructor}", compared.end()


def _words(program: Program, symbols: Symbols) -> Words:
    arguments = {name: argument for (_, argument), name in symbols.destructors.items()}
    tests = {
        symbols.tag_functions[adt.name]: _constructors(adt, symbols)
        for adt in program.adts.values()
    }
    constructors = [c.name for adt in program.adts.values() for c in adt.constructors]
    return Words(_applied([*arguments, *tests, *constructors]), arguments, tests)


def _applied(names: Iterable[str]) -> re.Pattern[str]:
    """An application of one of the functions, up to the bracket."""
    return re.compile(rf"(?<![\w$.])({'|'.join(re.escape(name) for name in names)})\(")


def _constructors(adt: Adt, symbols: Symbols) -> dict[int, str]:
    return {symbols.tags[c.name]: c.name for c in adt.constructors}


def _closing(text: str, opened: int) -> int | None:
    """Where the bracket at a place is closed."""
    depth = 0
    for at in range(opened, len(text)):
        if text[at] in _OPEN:
            depth += 1
        elif text[at] in _CLOSED:
            depth -= 1
            if depth == 0:
                return at
    return None


def _ascribed(text: str, start: int, end: int) -> tuple[int, int]:
    """The ends of `(f(x): T)` around `f(x)`; those of `f(x)` where it has no type beside it."""
    if start == 0 or text[start - 1] != "(" or not text.startswith(": ", end):
        return start, end
    closed = _closing(text, start - 1)
    return (start, end) if closed is None else (start - 1, closed + 1)


def _in_brackets(text: str, start: int, end: int) -> tuple[int, int]:
    """The ends with the brackets around a comparison, which its other form needs no more."""
    applied = start > 1 and (text[start - 2].isalnum() or text[start - 2] in "_$]")
    if start > 0 and text[start - 1] == "(" and text[end : end + 1] == ")" and not applied:
        return start - 1, end + 1
    return start, end


def _operand(text: str) -> str:
    """In brackets where an operator is outermost: `(b ? s : t).head`."""
    depth = 0
    for character in text:
        depth += (character in _OPEN) - (character in _CLOSED)
        if character == " " and depth == 0:
            return f"({text})"
    return text
