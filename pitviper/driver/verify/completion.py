"""Ghost statements that a language leaves out, written into the typed program.

Symbolic execution infers them (section 4.1). Other engines, the debugger, searches for
counterexamples and runs then see a program that opens and closes its predicates itself.
"""

from __future__ import annotations

from typing import cast

from pitviper.base.deep_stack import run_deep
from pitviper.base.record import replace
from pitviper.checking.options import INFER_DEPTH
from pitviper.driver.front.frontend import FrontEnd
from pitviper.driver.verify.options import SymbolicOptions, VerifyOptions
from pitviper.plugins.build import substitute
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.assertion import Access, FieldLocation, Location, PredicateLocation, Star
from pitviper.program.member import Method, Program
from pitviper.program.node import Node
from pitviper.program.types import REF
from pitviper.program.walk import children
from pitviper.results.ghost import GhostStep, Position
from pitviper.source.span import Span


def completed(front: FrontEnd, options: VerifyOptions | None = None) -> FrontEnd:
    """The program with the ghost statements that its language leaves to inference.

    Where a statement is needed on some paths only, it depends on what is held there. Nothing that
    is proved rests on what is put in here, since each engine checks it.
    """
    wanted = (options or VerifyOptions()).no_inference
    if front.program is None or front.language is None or not front.language.infers_ghosts:
        return front
    if wanted:
        return front
    return replace(front, program=with_statements(front.program, front.infer_depth))


def runnable(front: FrontEnd) -> FrontEnd:
    """The completed program, with what only runs need; rejected if the solver cannot read it."""
    done = _readable(completed(front))
    language = done.language
    if done.program is None or language is None or language.runnable is None:
        return done
    return replace(done, program=language.runnable(done.program))


def _readable(front: FrontEnd) -> FrontEnd:
    """Without program where the solver does not understand a text of an interpreted domain."""
    program = front.program
    if program is None or all(d.interpretations is None for d in program.domains.values()):
        return front
    from pitviper.driver.verify.solver_texts import wrong_texts

    wrong = run_deep(lambda: wrong_texts(program))
    if not wrong:
        return front
    return replace(front, program=None, diagnostics=(*front.diagnostics, *wrong))


def with_statements(program: Program, depth: int = INFER_DEPTH) -> Program:
    """The program with all ghost statements that can be inferred."""
    from pitviper.driver.verify.verification import verify_program

    done = verify_program(program, SymbolicOptions(infer_ghost=True, infer_depth=depth))
    methods = dict(program.methods)
    for outcome in done.members:
        method = methods.get(outcome.name)
        if method is not None and outcome.inferred:
            methods[outcome.name] = _with(method, outcome.inferred, program)
    return replace(program, methods=methods)


def _with(method: Method, steps: tuple[GhostStep, ...], program: Program) -> Method:
    if method.body is None:
        return method
    ghosts = [step for step in steps if isinstance(step.node, s.Fold | s.Unfold)]
    inserted = _Insertion(ghosts, program)
    body = inserted.block(method.body)
    last = inserted.take(Position.END_OF_BODY, method.body.span)
    return replace(method, body=replace(body, statements=(*body.statements, *last)))


def _statement(step: GhostStep, program: Program) -> s.Stmt:
    """The statement of a step; one that some paths need only is executed where it has work to do.

    An instance is opened where it is held, and closed where it is not and where there is something
    to close: an object, and the fields that its body begins with. To say so its arguments are read,
    so the fields in them have to be held, too.
    """
    node = cast(s.Fold | s.Unfold, step.node)
    if not step.sometimes:
        return node
    span = node.span
    held = _compare(x.CompareOp.GE, node.predicate, node.amount, span)
    if node.amount == x.PermLit(x.PermConstant.WILDCARD, span=span):
        held = _compare(x.CompareOp.GT, node.predicate, x.PermLit(_NONE, span=span), span)
    wanted: x.Expr = held
    if isinstance(node, s.Fold):
        wanted = x.And((*_there(node.predicate, program), x.Not(held, span=span)), span=span)
    for field in _fields(node.predicate):
        readable = _compare(x.CompareOp.GT, field, x.PermLit(_NONE, span=span), span)
        wanted = x.And((readable, wanted), span=span)
    return s.If(wanted, s.Block((node,), span=span), s.Block((), span=span), span=span)


def _there(instance: PredicateLocation, program: Program) -> list[x.Expr]:
    """That there is something to close: no null, and some of each field that its body names."""
    span, predicate = instance.span, program.predicates[instance.predicate]
    given = {p.name: arg for p, arg in zip(predicate.params, instance.args, strict=True)}
    objects = [arg for arg in instance.args if arg.type == REF]
    found: list[x.Expr] = [x.NotEqual(o, x.NullLit(span=span), span=span) for o in objects[:1]]
    body = predicate.body
    for part in body.conjuncts if isinstance(body, Star) else () if body is None else (body,):
        location = part.location if isinstance(part, Access) else None
        if isinstance(location, FieldLocation) and isinstance(location.receiver, x.Var):
            field = substitute(location, given)
            found.append(_compare(x.CompareOp.GT, field, x.PermLit(_NONE, span=span), span))
    return found


_NONE = x.PermConstant.NONE


def _compare(op: x.CompareOp, location: Location, amount: x.Expr, span: Span) -> x.Expr:
    return x.Compare(op, x.CurrentPerm(location, span=span), amount, span=span)


def _fields(node: Node) -> list[FieldLocation]:
    """The fields that are read in a node; one that is read for another one comes after it."""
    found = [field for child in children(node) for field in _fields(child)]
    if not isinstance(node, x.FieldRead):
        return found
    return [FieldLocation(node.receiver, node.field, span=node.span), *found]


class _Insertion:
    """Puts statements where their steps say; each is put in once."""

    def __init__(self, steps: list[GhostStep], program: Program) -> None:
        self._steps = steps
        self._program = program

    def take(self, position: Position, span: Span) -> list[s.Stmt]:
        """The statements for a place, which are then no longer open."""
        found = [step for step in self._steps if step.position is position and step.span == span]
        self._steps = [step for step in self._steps if step not in found]
        return [_statement(step, self._program) for step in found]

    def block(self, block: s.Block) -> s.Block:
        done: list[s.Stmt] = []
        for statement in block.statements:
            done += self.take(Position.BEFORE, statement.span)
            done.append(self._inside(statement))
        return replace(block, statements=tuple(done))

    def _inside(self, statement: s.Stmt) -> s.Stmt:
        match statement:
            case s.Block():
                return self.block(statement)
            case s.If(then=then, otherwise=otherwise):
                return replace(statement, then=self.block(then), otherwise=self.block(otherwise))
            case s.While(body=body):
                inner = self.block(body)
                last = self.take(Position.END_OF_LOOP, statement.span)
                return replace(
                    statement, body=replace(inner, statements=(*inner.statements, *last))
                )
            case _:
                return statement
