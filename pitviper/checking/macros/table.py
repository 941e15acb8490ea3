"""Which macros are in scope: their definitions, checked before any of them is expanded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.checking.cures import cure
from pitviper.checking.macros.names import Mentions, Scan, declared_names, labels_in, mentions, scan
from pitviper.checking.macros.recursive import instead_of
from pitviper.source.diagnostic import Diagnostic, Related, Severity
from pitviper.source.span import Span
from pitviper.syntax import tree


@record
class Macro:
    """A definition, with what is asked about its body again and again."""

    define: tree.Define
    mentioned: Mentions
    declares: bool
    """The body declares a variable or a label."""
    labels: tuple[str, ...]
    """The labels that the body declares."""

    @property
    def name(self) -> str:
        return self.define.name.name

    @property
    def params(self) -> tuple[str, ...] | None:
        if self.define.params is None:
            return None
        return tuple(parameter.name for parameter in self.define.params)

    @property
    def expression(self) -> tree.Expr | None:
        """The body, unless it consists of statements."""
        return None if isinstance(self.define.body, tree.Block) else self.define.body

    @property
    def word(self) -> str | None:
        """The name this macro stands for, if its whole body is a name and it has no parameters."""
        if self.define.params is None and isinstance(self.define.body, tree.Name):
            return self.define.body.name
        return None

    @property
    def header(self) -> Span:
        """`define NAME`: the place of errors about a definition."""
        return self.define.span.to(self.define.name.span)

    @property
    def defined_here(self) -> Related:
        return Related(self.header, f"macro `{self.name}` is defined here")


Macros = Mapping[str, Macro]
"""Macros by name, without those whose definition is wrong."""


def global_macros(members: tuple[tree.Member, ...], log: MacroLog) -> dict[str, Macro]:
    """The macros that members define."""
    macros: dict[str, Macro] = {}
    owners = member_names(members)
    for member in members:
        if isinstance(member, tree.Define):
            macro = _checked(member, log)
            if macro.name in owners:
                _report_clash(macro, owners[macro.name], log)
            else:
                _add(macro, macros, log)
    if find_cycles(lambda name: _used(macros[name], macros), macros):
        _remove_cycles(macros, _used_first(members, macros), log)
    return macros


def local_macros(
    found: Scan, visible: Macros, members: Mapping[str, Span], log: MacroLog
) -> dict[str, Macro]:
    """The macros of a method: its own ones and those of the program that it does not hide.

    `members` are the places of the names that a macro of the program may not have.
    """
    own: dict[str, Macro] = {}
    for define in found.in_scripts:
        log.error(define.span, "macros cannot be defined in a `package` script")
    for define in found.defines:
        macro = _checked(define, log)
        _warn_of_hiding(macro, visible, members, log)
        _add(macro, own, log)
    macros = {**visible, **own}
    _remove_cycles(macros, own, log)
    return macros


def member_names(members: tuple[tree.Member, ...]) -> dict[str, Span]:
    """The members whose names a macro of the program may not have."""
    return {
        member.name.name: member.name.span
        for member in members
        if isinstance(member, tree.Domain | tree.Function | tree.Predicate | tree.Method)
    }


# ---------------------------------------------------------------- one definition


def _checked(define: tree.Define, log: MacroLog) -> Macro:
    if isinstance(define.body, tree.Block):
        _report_nested(define.body, log)
    declared = declared_names(define.body)
    labels = labels_in(define.body) if isinstance(define.body, tree.Block) else ()
    macro = Macro(define, mentions(define.body), bool(declared), labels)
    _report_repeated(macro, log)
    _warn_of_unused(macro, log)
    return macro


def _report_repeated(macro: Macro, log: MacroLog) -> None:
    known: set[str] = set()
    for parameter in macro.define.params or ():
        if parameter.name in known:
            log.error(parameter.span, f"macro `{macro.name}` has two parameters of this name")
        known.add(parameter.name)


def _report_nested(body: tree.Block, log: MacroLog) -> None:
    found = scan(body)
    for define in (*found.defines, *found.in_scripts):
        log.error(define.span, "macros cannot be defined inside a macro")


def _warn_of_unused(macro: Macro, log: MacroLog) -> None:
    unused = [f"`{name}`" for name in macro.params or () if name not in macro.mentioned]
    if unused:
        noun = "parameter" if len(unused) == 1 else "parameters"
        log.warning(macro.header, f"macro `{macro.name}` does not use its {noun} {_listed(unused)}")


def _listed(items: list[str]) -> str:
    return " and ".join((", ".join(items[:-1]), items[-1])) if len(items) > 1 else items[0]


# ---------------------------------------------------------------- names of definitions


def _add(macro: Macro, macros: dict[str, Macro], log: MacroLog) -> None:
    first = macros.setdefault(macro.name, macro)
    if first is not macro:
        message = f"macro `{macro.name}` is defined twice"
        log.error(macro.header, message, (first.defined_here,))


def _report_clash(macro: Macro, owner: Span, log: MacroLog) -> None:
    message = f"the name `{macro.name}` of this macro is also that of another declaration"
    log.error(macro.header, message, (Related(owner, f"`{macro.name}` is declared here"),))


def _warn_of_hiding(
    macro: Macro, visible: Macros, members: Mapping[str, Span], log: MacroLog
) -> None:
    hidden = visible.get(macro.name)
    place = hidden.header if hidden is not None else members.get(macro.name)
    if place is not None:
        message = f"inside this method, macro `{macro.name}` hides the declaration of that name"
        log.warning(macro.header, message, (Related(place, "hidden declaration"),))


# ---------------------------------------------------------------- recursion


def _used(macro: Macro, macros: Macros) -> list[str]:
    """The macros that the body of `macro` uses."""
    own = macro.params or ()
    used = [name for name in macro.mentioned.uses if name in macros and name not in own]
    for name in macro.mentioned.words:
        other = macros.get(name)
        if other is not None and other.word is not None and name not in own:
            used.append(name)
    return used


def _used_first(members: tuple[tree.Member, ...], macros: Macros) -> list[str]:
    """Macros as members use them, domains first, then those that none uses."""
    order: dict[str, None] = {}
    for kind in (tree.Domain, tree.Function, tree.Predicate, tree.Method):
        for member in members:
            if isinstance(member, kind):
                order.update(dict.fromkeys(mentions(member).uses))
    order.update(dict.fromkeys(macros))
    return [name for name in order if name in macros]


def _remove_cycles(macros: dict[str, Macro], roots: Iterable[str], log: MacroLog) -> None:
    for cycle in find_cycles(lambda name: _used(macros[name], macros), roots):
        first = macros[cycle[0]]
        others = [macros[name] for name in cycle[1:]]
        message = f"macro `{first.name}` is recursive"
        if others:
            message += ": it uses itself through " + ", ".join(f"`{m.name}`" for m in others)
        between = tuple([other.name for other in others])
        related = tuple([other.defined_here for other in others])
        log.error(first.header, message, related, instead_of(first.define, between))
        for name in cycle:
            del macros[name]


Uses: TypeAlias = Callable[[str], Iterable[str]]
"""The macros that the body of a macro uses."""

Cycle: TypeAlias = tuple[str, ...]
"""Each macro uses the next one, the last one uses the first."""


def find_cycles(uses: Uses, roots: Iterable[str]) -> list[Cycle]:
    """The cycles that can be reached from `roots`, each macro in one of them at most.

    A cycle starts with the macro through which a root reaches it.
    """
    cycles: list[Cycle] = []
    in_cycle: set[str] = set()
    finished: set[str] = set()
    for root in roots:
        for cycle in _cycles_from(root, uses, finished):
            if in_cycle.isdisjoint(cycle):
                cycles.append(cycle)
                in_cycle.update(cycle)
    return cycles


def _cycles_from(root: str, uses: Uses, finished: set[str]) -> Iterator[Cycle]:
    """Depth first with a stack of our own: a chain of macros may be long."""
    if root in finished:
        return
    path = {root: iter(uses(root))}
    order = [root]
    while order:
        used = next(path[order[-1]], None)
        if used is None:
            finished.add(order[-1])
            del path[order.pop()]
        elif used in path:
            yield tuple(order[order.index(used) :])
        elif used not in finished:
            path[used] = iter(uses(used))
            order.append(used)


class MacroLog:
    """Collects diagnostics; a place has one error at most, for the next ones follow from it."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._failed: set[Span] = set()

    def error(
        self, span: Span, message: str, related: tuple[Related, ...] = (), help: str | None = None
    ) -> None:
        if self.is_first(span):
            self.diagnostics.append(
                Diagnostic(
                    "parser.error", Severity.ERROR, span, message, related, help or cure(message)
                )
            )

    def warning(self, span: Span, message: str, related: tuple[Related, ...] = ()) -> None:
        self.diagnostics.append(
            Diagnostic("parser.warning", Severity.WARNING, span, message, related)
        )

    @property
    def failed(self) -> bool:
        return bool(self._failed)

    def is_first(self, span: Span) -> bool:
        """Has this place had no error so far? From now on it has."""
        if span in self._failed:
            return False
        self._failed.add(span)
        return True

    def add(self, other: MacroLog) -> None:
        self.diagnostics.extend(other.diagnostics)
        self._failed.update(other._failed)
