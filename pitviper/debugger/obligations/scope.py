"""Which variables of the source are in scope where a check failed."""

from __future__ import annotations

import re

from pitviper.checking.typed_input import InputReader
from pitviper.explain.expression import ProgramNames
from pitviper.plugins.adt.domain import symbols_of
from pitviper.plugins.names import Names
from pitviper.program import stmt as ps
from pitviper.program.expr import Var
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.program.walk import descendants
from pitviper.source.span import Span

_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")


def names_in_scope(member: Function | Predicate | Method, at: Span) -> dict[str, str]:
    """Returns names in the source, with those in the typed program, which are unique.

    A place outside of the body stands for its end, where contracts are checked.
    """
    found = {v.name: v.name for v in member.params}
    if isinstance(member, Method):
        found |= {v.name: v.name for v in member.returns}
        if member.body is not None:
            _declared(member.body, at, found)
    return found


def declared_names(member: Function | Predicate | Method) -> set[str]:
    """Returns all variables that a member declares, by their names in the typed program."""
    body = member.body if isinstance(member, Method) else None
    found = {v.name for v in member.params}
    if isinstance(member, Method):
        found |= {v.name for v in member.returns}
    if body is not None:
        found |= {s.variable.name for s in descendants(body) if isinstance(s, ps.Declare)}
    return found


def _declared(block: ps.Block, at: Span, found: dict[str, str]) -> bool:
    """Adds what is declared up to a place; True if the place is inside the block."""
    inside = False
    for s in block.statements:
        if isinstance(s, ps.Block):  # several statements that stand for one of the source
            if _declared(s, at, found):
                return True
            continue
        if s.span.encloses(at):
            inside = True
            if _look_into(s, at, found):
                return True
        elif inside:
            return True  # behind the statement; a declaration may be several statements
        if isinstance(s, ps.Declare):
            name = _source_name(s.variable)
            if name is not None:
                found[name] = s.variable.name
    return inside


def _look_into(s: ps.Stmt, at: Span, found: dict[str, str]) -> bool:
    match s:
        case ps.If(_, then, otherwise):
            blocks: tuple[ps.Block, ...] = (then, otherwise)
        case ps.While(body=body):
            blocks = (body,)
        case ps.Package(_, script):
            blocks = (script,)
        case _:
            return False
    for block in blocks:
        inner = dict(found)
        if _declared(block, at, inner):
            found.update(inner)
            return True
    return True


def _source_name(variable: Var) -> str | None:
    """None for variables that the source does not have."""
    if re.search(rf"\b{re.escape(variable.name)}\b", variable.span.text):
        return variable.name
    match = _NAME.match(variable.span.text)
    if match is None:
        return None
    name = match.group()
    return name if variable.name == name or variable.name.startswith(f"{name}$") else None


def program_names(program: Program, check: InputReader) -> ProgramNames:
    """Returns the names of functions; of the generated ones, those of data types only."""
    domains = [f.name for domain in program.domains.values() for f in domain.functions]
    constructors = [c.name for adt in program.adts.values() for c in adt.constructors]
    declared = [*program.functions, *domains, *constructors]
    functions = frozenset([name for name in declared if check.knows(name)])
    if not program.adts:
        return ProgramNames(functions)
    symbols = symbols_of(program, Names(program))
    destructors = {name: argument for (_, argument), name in symbols.destructors.items()}
    tags = {
        symbols.tag_functions[adt.name]: {
            symbols.tags[constructor.name]: constructor.name for constructor in adt.constructors
        }
        for adt in program.adts.values()
    }
    return ProgramNames(functions, destructors, tags)
