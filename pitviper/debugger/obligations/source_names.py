"""What functions of the encoded program are called in the source."""

from __future__ import annotations

from pitviper.checking.typed_input import TypedInput
from pitviper.explain.term_expression import ProgramNames
from pitviper.plugins.adt.symbols import symbols_of
from pitviper.plugins.names import Names
from pitviper.program.member import Program


def program_names(program: Program, check: TypedInput) -> ProgramNames:
    """Generated functions have no name there, but for those of algebraic data types."""
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
