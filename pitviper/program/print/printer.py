"""The typed program as Viper text: one line for messages, a whole program to be read again."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pitviper.program import member as members
from pitviper.program.assertion import Assertion
from pitviper.program.expr import Expr
from pitviper.program.member import Member, Program, all_members
from pitviper.program.print.expressions import text_of, variable_list
from pitviper.program.print.statements import (
    INDENT,
    annotation_lines,
    block_lines,
    clause_lines,
    decreases_text,
    statement_lines,
)
from pitviper.program.stmt import Stmt


def expr_text(e: Expr) -> str:
    """The text of an expression on one line, as messages show it."""
    return text_of(e)


def assertion_text(a: Assertion) -> str:
    """The text of an assertion on one line, as messages show it."""
    return text_of(a)


def stmt_text(s: Stmt) -> str:
    """The text of a statement; a compound one has several lines."""
    return "\n".join(statement_lines(s))


def member_text(m: Member) -> str:
    return "\n".join(member_lines(m))


def program_text(p: Program) -> str:
    """A program that is read as `p` again, each kind of member in its order."""
    return "\n\n".join([member_text(member) for member in all_members(p)]) + "\n"


def member_lines(member: members.Member) -> list[str]:
    """The lines of a member, its annotations in front."""
    return [*annotation_lines(member.annotations), *_LINES[type(member)](member)]


def _field(member: members.Field) -> list[str]:
    return [f"field {member.name}: {member.type}"]


def _method(member: members.Method) -> list[str]:
    head = f"method {member.name}({variable_list(member.params)})"
    if member.returns:
        head += f" returns ({variable_list(member.returns)})"
    lines = [head, *_contract_lines(member)]
    if member.body is not None:
        lines += ["{", *block_lines(member.body), "}"]
    return lines


def _function(member: members.Function) -> list[str]:
    head = f"function {member.name}({variable_list(member.params)}): {member.result}"
    lines = [head, *_contract_lines(member)]
    if member.body is not None:
        lines += ["{", INDENT + text_of(member.body), "}"]
    return lines


def _contract_lines(member: members.Method | members.Function) -> list[str]:
    return [
        *clause_lines("requires", member.preconditions),
        *[INDENT + decreases_text(clause) for clause in member.decreases],
        *clause_lines("ensures", member.postconditions),
    ]


def _predicate(member: members.Predicate) -> list[str]:
    head = f"predicate {member.name}({variable_list(member.params)})"
    if member.body is None:
        return [head]
    return [head + " {", INDENT + text_of(member.body), "}"]


def _domain(member: members.Domain) -> list[str]:
    lines = [_domain_head(member)]
    for function in member.functions:
        lines += [INDENT + line for line in _domain_function(function)]
    for axiom in member.axioms:
        name = "" if axiom.name is None else f"{axiom.name} "
        lines.append(f"{INDENT}axiom {name}{{ {text_of(axiom.body)} }}")
    return [*lines, "}"]


def _domain_head(member: members.Domain) -> str:
    head = f"domain {member.name}{_type_params(member)}"
    if member.interpretations is not None:
        texts = [f'{key}: "{text}"' for key, text in member.interpretations]
        head += f" interpretation ({', '.join(texts)})"
    return head + " {"


def _domain_function(function: members.DomainFunction) -> list[str]:
    unique = "unique " if function.unique else ""
    params = variable_list(function.params)
    line = f"{unique}function {function.name}({params}): {function.result}"
    if function.interpretation is not None:
        line += f' interpretation "{function.interpretation}"'
    return [*annotation_lines(function.annotations), line]


def _adt(member: members.Adt) -> list[str]:
    lines = [f"adt {member.name}{_type_params(member)} {{"]
    for constructor in member.constructors:
        lines += [INDENT + line for line in annotation_lines(constructor.annotations)]
        lines.append(f"{INDENT}{constructor.name}({variable_list(constructor.params)})")
    if not member.derivations:
        return [*lines, "}"]
    derived = [INDENT + _derivation(derivation) for derivation in member.derivations]
    return [*lines, "} derives {", *derived, "}"]


def _derivation(derivation: members.Derivation) -> str:
    text = derivation.name
    if derivation.type_arg is not None:
        text += f"[{derivation.type_arg}]"
    if derivation.without:
        text += f" without {', '.join(derivation.without)}"
    return text


def _type_params(member: members.Domain | members.Adt) -> str:
    return f"[{', '.join(member.type_params)}]" if member.type_params else ""


_LINES: Mapping[type, Callable[..., list[str]]] = {
    members.Field: _field,
    members.Method: _method,
    members.Function: _function,
    members.Predicate: _predicate,
    members.Domain: _domain,
    members.Adt: _adt,
}
