"""Types that do not fit because of one declaration: another type for it is tried.

`returns (found: Int)` with `found := true` and `found ==> ...` is one mistake, and has many errors.
The declarations that an error touches are read with the type that it asks for; where errors go and
none comes, they say so, all in the same words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from pitviper.base.record import record, replace
from pitviper.checking.report import Misfit
from pitviper.checking.types import Hole, Marker, has_holes
from pitviper.program.types import BOOL, INT, PERM, REF, Type, TypeVar, arguments_of, rebuild
from pitviper.source.diagnostic import Diagnostic
from pitviper.source.span import Span
from pitviper.syntax import tree
from pitviper.syntax.walk import descendants, map_children

Members: TypeAlias = tuple[tree.Member, ...]
Gone: TypeAlias = frozenset[tuple[str, Span | None]]
"""Messages and places of errors that are no more."""
Declared: TypeAlias = tree.VarBinding | tree.Function
"""What has a type that is written."""
Callee: TypeAlias = tree.Method | tree.Function | tree.Predicate

MOST_TRIALS = 8
"""Other types that are tried in a program."""
MOST_MEMBERS = 100
"""Larger programs are not checked again and again."""


@record
class _Trial:
    """Another type for a declaration; the closer it stands to its uses, the lower its `distance`.

    `alone`: one error is enough, because the declaration has the value beside it, or because it is
    a field of numbers, which nothing uses as one.
    """

    declared: Declared
    type: Type
    distance: int
    alone: bool = False

    @property
    def name(self) -> str:
        return self.declared.name.name

    @property
    def written(self) -> tree.TypeName:
        """The type as it stands in the source."""
        declared = self.declared
        return declared.result if isinstance(declared, tree.Function) else declared.type


def blame_declarations(
    members: Members,
    errors: list[Diagnostic],
    misfits: list[Misfit],
    errors_of: Callable[[Members], list[Diagnostic]],
) -> list[Diagnostic]:
    """The errors, in other words where one declaration is to blame for them."""
    if not misfits or len(members) > MOST_MEMBERS:
        return errors
    before = {_key(error) for error in errors}
    useful: list[tuple[_Trial, Gone]] = []
    for trial in _trials(members, misfits)[:MOST_TRIALS]:
        after = {_key(error) for error in errors_of(_tried(members, trial))}
        gone = frozenset(before - after)
        enough = len(gone) > (0 if trial.alone else 1)
        if enough and not after - before and _is_meant(trial, gone, misfits):
            useful.append((trial, gone))
    useful.sort(key=lambda each: (-len(each[1]), each[0].distance))
    told: dict[tuple[str, Span | None], Diagnostic] = {}
    for trial, gone in useful:
        if gone.isdisjoint(told):
            other = _other(trial, gone, useful)
            told |= {_key(e): _about(trial, e, misfits, other) for e in errors if _key(e) in gone}
    told |= _in_other_order(members, errors, misfits)
    return [told.get(_key(error), error) for error in errors]


def _other(trial: _Trial, gone: Gone, useful: list[tuple[_Trial, Gone]]) -> _Trial | None:
    """Another declaration that may as well be to blame for the same errors: a field's, mostly.

    A variable of the body has no other purpose than its uses, and is to blame alone.
    """
    if trial.distance == 0:
        return None
    for other, errors in useful:
        if other.declared is not trial.declared and errors == gone:
            return other
    return None


def _in_other_order(
    members: Members, errors: list[Diagnostic], misfits: list[Misfit]
) -> dict[tuple[str, Span | None], Diagnostic]:
    """Errors about two arguments of a call, each of which has the type of the other."""
    at = {misfit.span: misfit for misfit in misfits}
    told: dict[tuple[str, Span | None], Diagnostic] = {}
    for node in (n for member in members for n in descendants(member)):
        if not isinstance(node, tree.Call):
            continue
        wrong = [(i, at[arg.span]) for i, arg in enumerate(node.args) if arg.span in at]
        if len(wrong) != 2:
            continue
        (i, first), (j, second) = wrong
        if first.found != second.expected or second.found != first.expected:
            continue
        texts = [arg.span.text for arg in node.args]
        texts[i], texts[j] = texts[j], texts[i]
        callee = node.callee.name
        message = f"two arguments of `{callee}` stand in the wrong order"
        help_ = f"write `{callee}({', '.join(texts)})`"
        for error in errors:
            if error.span in (first.span, second.span):
                told[_key(error)] = replace(error, span=node.span, message=message, help=help_)
    return told


def _is_meant(trial: _Trial, gone: Gone, misfits: list[Misfit]) -> bool:
    """A number or an object as a condition is a habit: only a Boolean given to it tells more."""
    spans = {span for _, span in gone}
    return trial.type is not BOOL or any(m.span in spans and m.found is BOOL for m in misfits)


def _key(error: Diagnostic) -> tuple[str, Span | None]:
    return error.message, error.span


# ---------------------------------------------------------------- what may be declared otherwise


def _trials(members: Members, misfits: list[Misfit]) -> list[_Trial]:
    """Each declaration and type once, in the order of their errors."""
    found = {misfit.span: misfit for misfit in misfits}
    callees = {m.name.name: m for m in members if isinstance(m, Callee)}
    fields = {
        binding.name.name: binding
        for member in members
        if isinstance(member, tree.FieldDeclaration)
        for binding in member.fields
    }
    trials: dict[tuple[int, Type], _Trial] = {}
    for member in members:
        for trial in _Look(member, found).trials(callees, fields):
            is_here = trial.written.span.file is member.span.file
            if is_here and _can_be_written(trial.type):
                trials.setdefault((id(trial.declared), trial.type), trial)
    return list(trials.values())


def _can_be_written(t: Type) -> bool:
    return not isinstance(t, (TypeVar, Marker)) and not has_holes(t)


class _Look:
    """A member with the errors in it, and the variables that it declares."""

    __slots__ = ("_bindings", "_member", "_misfits")

    def __init__(self, member: tree.Member, misfits: dict[Span, Misfit]) -> None:
        self._member = member
        self._misfits = misfits
        self._bindings: list[tuple[tree.VarBinding, int]] = []
        if isinstance(member, Callee):
            self._bindings += [(each, 2) for each in member.params]
        if isinstance(member, tree.Method):
            self._bindings += [(each, 1) for each in member.returns or ()]
        for node in descendants(member):
            if isinstance(node, tree.VarDeclaration):
                self._bindings += [(each, 0) for each in node.variables]

    def trials(
        self, callees: dict[str, Callee], fields: dict[str, tree.VarBinding]
    ) -> Iterator[_Trial]:
        if isinstance(self._member, tree.Function) and self._member.body is not None:
            yield from self._otherwise(self._member, self._member.body, 3)
        for node in descendants(self._member):
            match node:
                case tree.VarDeclaration((binding,), init) if init is not None:
                    yield from self._otherwise(binding, init, 0)
                case tree.Assign((tree.Name() as to,), value):
                    for binding, distance in self._declaration(to):
                        yield from self._otherwise(binding, value, distance)
                case tree.Assign((tree.FieldAccess() as to,), value) if to.field.name in fields:
                    yield from self._otherwise(fields[to.field.name], value, 4)
                case _:
                    pass
            yield from self._used(node, callees, fields)

    def _used(
        self, node: tree.Node, callees: dict[str, Callee], fields: dict[str, tree.VarBinding]
    ) -> Iterator[_Trial]:
        """What stands at the place of an error has the type that is asked for there."""
        callee = callees.get(node.callee.name) if isinstance(node, tree.Call) else None
        if isinstance(node, tree.Call) and callee is not None:
            for arg, param in zip(node.args, callee.params, strict=False):
                yield from self._otherwise(param, arg, 4)
        misfit = self._at(node)
        for asked in () if misfit is None else _asked(misfit):
            match node:
                case tree.Name():
                    for binding, distance in self._declaration(node):
                        yield _Trial(binding, asked, distance)
                case tree.Call() if isinstance(callee, tree.Function):
                    yield _Trial(callee, asked, 3)
                case tree.ResultLiteral() if isinstance(self._member, tree.Function):
                    yield _Trial(self._member, asked, 3)
                case tree.FieldAccess(_, name) if name.name in fields:
                    of_objects = asked is REF and misfit is not None and misfit.found is INT
                    yield _Trial(fields[name.name], asked, 4, alone=of_objects)
                case _:
                    pass

    def _otherwise(self, declared: Declared, value: tree.Expr, distance: int) -> Iterator[_Trial]:
        """The type of a value that does not fit what it is given to."""
        misfit = self._at(value)
        if misfit is not None:
            plain = misfit.found in (INT, BOOL, REF) and misfit.expected in (INT, REF)
            beside = distance == 0 and self._declares(declared, value)
            alone = plain and beside and not isinstance(value, _LITERALS)
            yield _Trial(declared, misfit.found, distance, alone)

    def _declares(self, declared: Declared, value: tree.Expr) -> bool:
        """Whether there is nothing between a declaration and a value but `:=`."""
        between = declared.span.file.text[declared.span.end : value.span.start]
        return between.strip() == ":="

    def _declaration(self, name: tree.Name) -> list[tuple[tree.VarBinding, int]]:
        """The last declaration of a variable in front of a use."""
        before = [
            (binding, distance)
            for binding, distance in self._bindings
            if binding.name.name == name.name and binding.span.start <= name.span.start
        ]
        return before[-1:]

    def _at(self, node: tree.Node) -> Misfit | None:
        return self._misfits.get(node.span)


def _asked(misfit: Misfit) -> tuple[Type, ...]:
    """What may be asked for: operators of amounts are those of numbers, elements may be numbers."""
    if misfit.expected is PERM and misfit.found is not INT:
        return INT, PERM
    if has_holes(misfit.expected) and arguments_of(misfit.found):
        return ()
    return (_of_numbers(misfit.expected),)


def _of_numbers(t: Type) -> Type:
    return INT if isinstance(t, Hole) else rebuild(t, _of_numbers)


_LITERALS = (tree.IntLiteral, tree.BoolLiteral, tree.NullLiteral, tree.PermLiteral)


# ---------------------------------------------------------------- trying


def _tried(members: Members, trial: _Trial) -> Members:
    """The program with another type; only the member that declares it is new."""
    return tuple([_changed(member, trial) for member in members])


def _changed(member: tree.Member, trial: _Trial) -> tree.Member:
    type_ = _type_name(trial.type, trial.written.span)
    if isinstance(trial.declared, tree.Function):
        return replace(member, result=type_) if member is trial.declared else member

    def change(node: tree.Node, _: None) -> tree.Node:
        if node is trial.declared and isinstance(node, tree.VarBinding):
            return replace(node, type=type_)
        if isinstance(node, tree.Statement):
            return map_children(node, change, None)
        return node

    return map_children(member, change, None)


def _type_name(t: Type, span: Span) -> tree.TypeName:
    name = str(t).partition("[")[0]
    args = tuple([_type_name(part, span) for part in arguments_of(t)])
    return tree.TypeName(name, args or None, span=span)


# ---------------------------------------------------------------- words


def _about(
    trial: _Trial, error: Diagnostic, misfits: list[Misfit], other: _Trial | None
) -> Diagnostic:
    """The error in the words for all that the declaration is to blame for."""
    line = trial.written.span.start_position[0]
    is_now, name = f"`{trial.name}` is declared as {trial.written.span.text}", trial.name
    if isinstance(trial.declared, tree.Function):
        body = trial.declared.body
        misfit = body is not None and any(m.span == body.span for m in misfits)
        said = f"{is_now}, and {'its body is' if misfit else 'used as'} {_kind(trial.type)}"
        cure = f"write `: {trial.type}` for the result of `{name}` in line {line}"
    else:
        said = f"{is_now}, and used as {_kind(trial.type)}"
        cure = f"declare `{name}: {trial.type}` in line {line}"
    if other is not None and not isinstance(other.declared, tree.Function):
        line = other.written.span.start_position[0]
        cure += f", or `{other.name}: {other.type}` in line {line}: the two have to be the same"
    return replace(error, message=said, help=cure)


def _kind(t: Type) -> str:
    return f"{'an' if str(t)[0] in 'AEIOU' else 'a'} {t}"
