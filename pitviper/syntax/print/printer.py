"""Syntax trees to text in one canonical form: parsing the text gives the tree again."""

from __future__ import annotations

from typing import assert_never

from pitviper.syntax import tree
from pitviper.syntax.print.expressions import print_bindings, print_expr, print_names, print_type
from pitviper.syntax.print.statements import (
    Lines,
    add_annotations,
    add_block,
    add_define,
    add_specs,
    print_stmt,
)

__all__ = ["print_expr", "print_file", "print_member", "print_stmt", "print_type"]


def print_file(file: tree.File) -> str:
    """The whole file, which ends with a newline unless it is empty."""
    lines = Lines()
    previous: tree.Member | None = None
    for member in file.members:
        if previous is not None and not _stand_together(previous, member):
            lines.empty()
        _add_member(lines, member)
        previous = member
    return f"{lines}\n" if file.members else ""


def print_member(m: tree.Member) -> str:
    lines = Lines()
    _add_member(lines, m)
    return str(lines)


def _stand_together(first: tree.Member, second: tree.Member) -> bool:
    """No empty line stands between two imports, or between two declarations of fields."""
    return any(
        isinstance(first, t) and isinstance(second, t) for t in (tree.Import, tree.FieldDeclaration)
    )


def _add_member(lines: Lines, m: tree.Member) -> None:
    add_annotations(lines, m.annotations, 0)
    match m:
        case tree.Import():
            lines.unit(0, f"import <{m.path}>" if m.library else f'import "{m.path}"')
        case tree.Define():
            add_define(lines, m, 0, "")
        case tree.FieldDeclaration():
            lines.unit(0, f"field {print_bindings(m.fields)}")
        case tree.Method():
            _add_method(lines, m)
        case tree.Function():
            _add_function(lines, m)
        case tree.Predicate():
            head = f"predicate {m.name.name}({print_bindings(m.params)})"
            _add_body(lines, head, m.body, 0)
        case tree.Domain():
            _add_domain(lines, m)
        case tree.Adt():
            _add_adt(lines, m)
        case _:
            assert_never(m)


def _add_method(lines: Lines, m: tree.Method) -> None:
    returns = "" if m.returns is None else f" returns ({print_bindings(m.returns)})"
    head = f"method {m.name.name}({print_bindings(m.params)}){returns}"
    if m.specs or m.body is None:
        lines.unit(0, head)
        add_specs(lines, m.specs, 0)
        head = ""
    if m.body is not None:
        add_block(lines, f"{head} ".lstrip(), m.body, 0)


def _add_function(lines: Lines, m: tree.Function) -> None:
    head = f"function {m.name.name}({print_bindings(m.params)}): {print_type(m.result)}"
    if m.specs:
        lines.unit(0, head)
        add_specs(lines, m.specs, 0)
        head = ""
    if head or m.body is not None:
        _add_body(lines, head, m.body, 0)


def _add_body(lines: Lines, head: str, body: tree.Expr | None, depth: int) -> None:
    """A head with an expression in braces behind it, if there is one."""
    if body is None:
        lines.unit(depth, head)
        return
    lines.unit(depth, f"{head} {{".lstrip())
    lines.body(depth + 1, print_expr(body))
    lines.unit(depth, "}")


def _add_domain(lines: Lines, m: tree.Domain) -> None:
    head = f"domain {m.name.name}{_type_params(m.type_params)}"
    if m.interpretations is not None:
        pairs = ", ".join([f'{i.key}: "{i.value}"' for i in m.interpretations])
        head += f" interpretation ({pairs})"
    if not m.members:
        lines.unit(0, f"{head} {{}}")
        return
    lines.unit(0, f"{head} {{")
    for member in m.members:
        add_annotations(lines, member.annotations, 1)
        if isinstance(member, tree.Axiom):
            name = "" if member.name is None else f" {member.name.name}"
            _add_body(lines, f"axiom{name}", member.body, 1)
        else:
            lines.unit(1, _domain_function(member))
    lines.unit(0, "}")


def _domain_function(f: tree.DomainFunction) -> str:
    unique = "unique " if f.unique else ""
    params = ", ".join([_domain_parameter(p) for p in f.params])
    text = "" if f.interpretation is None else f' interpretation "{f.interpretation}"'
    return f"{unique}function {f.name.name}({params}): {print_type(f.result)}{text}"


def _domain_parameter(p: tree.DomainParameter) -> str:
    return print_type(p.type) if p.name is None else f"{p.name.name}: {print_type(p.type)}"


def _type_params(params: tuple[tree.Identifier, ...] | None) -> str:
    return "" if params is None else f"[{print_names(params)}]"


def _add_adt(lines: Lines, m: tree.Adt) -> None:
    head = f"adt {m.name.name}{_type_params(m.type_params)}"
    derives = "" if m.derives is None else " derives {}" if not m.derives else " derives {"
    if m.constructors:
        lines.unit(0, f"{head} {{")
        for c in m.constructors:
            add_annotations(lines, c.annotations, 1)
            lines.unit(1, f"{c.name.name}({print_bindings(c.params)})")
        head = "}"
    else:
        head += " {}"
    lines.unit(0, f"{head}{derives}")
    for derivation in m.derives or ():
        lines.unit(1, _derivation(derivation))
    if m.derives:
        lines.unit(0, "}")


def _derivation(d: tree.Derivation) -> str:
    argument = "" if d.type_arg is None else f"[{print_type(d.type_arg)}]"
    without = f" without {print_names(d.without)}" if d.without else ""
    return f"{d.name.name}{argument}{without}"
