"""Statements without control flow: from a state to the state behind them."""

from __future__ import annotations

from dataclasses import replace

from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.read import require_all, write
from pitviper.engines.vcg.heap.triggers import mention, touch
from pitviper.engines.vcg.kinds import field_kind
from pitviper.engines.vcg.quantified import statements
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.rules import predicate
from pitviper.engines.vcg.rules.call import exec_call
from pitviper.engines.vcg.rules.exhale import exhale_all, exhale_copy
from pitviper.engines.vcg.rules.inhale import inhale_all
from pitviper.engines.vcg.rules.new import exec_new
from pitviper.engines.vcg.rules.quasihavoc import exec_quasihavoc
from pitviper.engines.vcg.state import State
from pitviper.engines.vcg.wands import apply, package
from pitviper.program import stmt as ps
from pitviper.program.expr import DomainApp, FieldRead, FunctionApp, Var
from pitviper.program.walk import descendants
from pitviper.terms.term import Term


def execute(st: State, s: ps.Stmt, cx: Context) -> State:
    """This match is the table of contents."""
    cx = _with_origin(s, cx)
    match s:
        case ps.Declare(variable):
            return st.binding(variable.name, havoc(variable, cx))
        case ps.LocalAssign():
            return exec_assign(st, s, cx)
        case ps.FieldAssign():
            return exec_field_assign(st, s, cx)
        case ps.New():
            return exec_new(st, s, cx)
        case ps.MethodCall():
            return exec_call(st, s, cx)
        case ps.Inhale(assertion):
            return inhale_all(st, (assertion,), None, cx.proving("inhale.failed", assertion))
        case ps.Exhale(assertion):
            return exhale_all(st, (assertion,), cx.proving("exhale.failed", assertion))
        case ps.Assert(assertion):
            return exhale_copy(st, (assertion,), cx.proving("assert.failed", assertion))
        case ps.Fold():
            return predicate.fold(st, s, cx)
        case ps.Unfold():
            return predicate.unfold(st, s, cx)
        case ps.Label(name):
            return st.labelled(name, st.heap)
        case ps.Quasihavoc():
            return exec_quasihavoc(st, s, cx)
        case ps.QuasihavocAll():
            return statements.exec_quasihavoc_all(st, s, cx)
        case ps.Apply():
            return apply.exec_apply(st, s, cx)
        case ps.Package():
            return package.exec_package(st, s, cx)
        case _:
            raise ValueError(f"{type(s).__name__} is control flow, or removed by its plugin")


def _with_origin(s: ps.Stmt, cx: Context) -> Context:
    """Statements that a plugin generated say so in their findings."""
    for annotation in s.annotations:
        if annotation.key == "pitviper.origin":
            return replace(cx, construct=replace(cx.construct, origin=annotation.values))
    return cx


def havoc(variable: Var, cx: Context) -> Term:
    return cx.fresh(variable.name, cx.services.symbols.sort(variable.type))


def exec_assign(st: State, s: ps.LocalAssign, cx: Context) -> State:
    """The variable stands for the value. Often an application is there just to be mentioned."""
    value = ev.evaluate(st, s.value, cx.proving("assignment.failed", s))
    if any(isinstance(node, FunctionApp | DomainApp) for node in descendants(s.value)):
        mention(value, cx)
    return st.binding(s.target.name, value)


def exec_field_assign(st: State, s: ps.FieldAssign, cx: Context) -> State:
    """e1.f := e2 needs full permission."""
    cx = cx.proving("assignment.failed", s)
    receiver = ev.evaluate(st, s.receiver, cx)
    value = ev.evaluate(st, s.value, cx)
    kind = field_kind(s.field, cx.services.symbols)
    location = FieldRead(s.receiver, s.field, s.value.type, span=s.span)
    touch(kind, (receiver,), cx)
    require_all(st, kind, (receiver,), location, cx)
    return write(st, kind, (receiver,), value, cx)
