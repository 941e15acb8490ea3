"""Lemmas that call themselves without end: methods that only prove something, and prove it of air.

A method that never ends meets every postcondition, which is what partial correctness says. One
that computes is then useless; one that is called for what it promises makes that be believed. Only
calls that do not look as if they came to an end are told, as with functions: with no argument
smaller, or under no condition.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.plugins.termination.unmeasured import CODE, is_smaller
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.program.member import Method, Program
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants
from pitviper.source.diagnostic import Diagnostic, Related, Severity


def about_lemmas(program: Program) -> Iterator[Diagnostic]:
    """A warning for each lemma that calls itself about nothing smaller."""
    for method in program.methods.values():
        if method.body is None or method.decreases or not _is_lemma(method):
            continue
        call = next(_endless(method, method.body, is_tested=False), None)
        if call is not None:
            yield _told(method, call)


def _is_lemma(method: Method) -> bool:
    """Whether a method has no effect, and promises something."""
    assert method.body is not None
    acts = (pa.Access, ps.FieldAssign, ps.New, ps.Inhale, ps.Exhale, ps.While, ps.Goto)
    return (
        not method.returns
        and bool(method.postconditions)
        and not any(isinstance(node, acts) for node in descendants(method))
    )


def _endless(method: Method, node: ps.Stmt, *, is_tested: bool) -> Iterator[ps.MethodCall]:
    parameters = {param.name for param in method.params}
    match node:
        case ps.Block(statements):
            for inner in statements:
                yield from _endless(method, inner, is_tested=is_tested)
        case ps.If(_, then, otherwise):
            for block in (then, otherwise):
                yield from _endless(method, block, is_tested=True)
        case ps.MethodCall() if node.method == method.name:
            if not (is_tested and any(is_smaller(arg, parameters) for arg in node.args)):
                yield node


def _told(method: Method, call: ps.MethodCall) -> Diagnostic:
    return Diagnostic(
        CODE,
        Severity.WARNING,
        method.span,
        f"nothing says that method {method.name} ends: what it promises is believed of every call "
        "all the same, and may be wrong",
        (Related(call.span, "called again here"),),
        help=_cure(method, call),
    )


def _cure(method: Method, call: ps.MethodCall) -> str:
    names = [param.name for param in method.params]
    given = [arg.name if isinstance(arg, pe.Var) else None for arg in call.args]
    if given == names:
        return (
            f"`{call.method}({', '.join(names)})` is what is to be proved: call it about something "
            "smaller, and not at all in the smallest case"
        )
    of = next(
        (p.name for p, arg in zip(method.params, call.args, strict=True) if _is_less(p, arg)), None
    )
    clause = f"decreases {of}" if of else "decreases ..."
    return f"say what gets smaller with each call, `{clause}`, which has it proved"


def _is_less(param: pe.Var, arg: pe.Expr) -> bool:
    return text_of(arg) != param.name and is_smaller(arg, {param.name})
