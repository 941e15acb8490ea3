"""What an expression or a statement of the object language may mention where it stands."""

from __future__ import annotations

from pitviper.base.record import field, record, struct
from pitviper.checking.report import Report
from pitviper.languages.cool.classes import ClassInfo, Table
from pitviper.languages.cool.types import NOTHING, ClassT, CoolType, core_type
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.source.span import Span


@record
class Typed:
    """A node of the core with its type in the object language."""

    value: a.Assertion
    type: CoolType

    @property
    def is_pure(self) -> bool:
        return not isinstance(self.value, a.Impure)

    @property
    def span(self) -> Span:
        return self.value.span


@record
class Variable:
    """A variable in scope; `is_fixed` for parameters and bound variables."""

    core: x.Var
    type: CoolType
    is_fixed: bool
    span: Span


@struct
class Scope:
    """Names in scope, and the rules of the place.

    `in_code` for what is executed: it cannot ask for permissions or old values. `has_old` where
    there is an earlier state. `result` is the type of `result`, if the place has one; it is a
    variable in the contracts of mutators.
    """

    table: Table
    report: Report
    owner: ClassInfo | None
    variables: dict[str, Variable]
    in_code: bool = False
    has_old: bool = False
    result: CoolType | None = None
    result_is_variable: bool = False
    names: dict[str, x.Var] | None = None
    types: dict[str, CoolType] = field(default_factory=dict)
    """The types of all variables of a method, by their names in the core."""

    def inner(self) -> Scope:
        """The scope of a block or of a quantifier."""
        return Scope(
            self.table, self.report, self.owner, dict(self.variables), self.in_code,
            self.has_old, self.result, self.result_is_variable, self.names, self.types,
        )  # fmt: skip

    def spec(self, *, has_old: bool = False) -> Scope:
        """The same names, in a contract or another assertion."""
        found = self.inner()
        found.in_code, found.has_old = False, has_old
        return found

    def error(self, span: Span, message: str, cure: str | None = None) -> Typed:
        """Tells a mistake; what is returned fits everywhere, so that it is told once."""
        self.report.error(span, message, help=cure)
        return Typed(x.NullLit(span=span), NOTHING)

    def this(self, span: Span) -> Typed:
        if self.owner is None:
            return self.error(span, "there is no `this` in the main routine")
        from pitviper.program.types import REF

        return Typed(x.Var("this", REF, span=span), ClassT(self.owner.name))

    def declare(
        self, name: str, type_: CoolType, span: Span, *, is_fixed: bool, core_name: str = ""
    ) -> x.Var:
        """A new variable; two of one name and type in blocks beside each other share a core one.

        A parameter may have another name in the core: that of the method whose place it takes.
        """
        earlier = self.variables.get(name)
        if earlier is not None:
            from pitviper.source.diagnostic import Related

            related = (Related(earlier.span, "it is declared here, too"),)
            message = f"there is a variable `{name}` here already"
            self.report.error(span, message, related=related, help="choose another name")
        core = x.Var(self._core_name(name, core_name or name, type_), core_type(type_), span=span)
        self.variables[name] = Variable(core, type_, is_fixed, span)
        self.types[core.name] = type_
        return core

    def _core_name(self, name: str, found: str, type_: CoolType) -> str:
        names = {} if self.names is None else self.names
        taken = {v.core.name for other, v in self.variables.items() if other != name}
        wanted = x.Var(found, core_type(type_))
        while found in taken or names.setdefault(found, wanted).type != wanted.type:
            found += "'"
        return found
