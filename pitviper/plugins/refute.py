"""The refute plugin: `refute e` fails exactly if `e` can be proved there.

The statement becomes an `assert e` on a path of its own that ends behind it. A finding about this
assertion is what the user hopes for and is dropped; a refute without one is told as failed. An
engine that gives up on the assertion has not proved it either: it reports a finding for it as for
one that fails, the refute counts as fulfilled, and the member is not undecided for it. An
assertion that was never reached has no finding, so the refute fails. Findings with this origin
count against no limit of an engine: a path that was cut off would make a refute fail.
"""

from __future__ import annotations

from pitviper.base.record import record, replace
from pitviper.plugins.build import aside, origin, replace_statements
from pitviper.plugins.names import Names
from pitviper.plugins.step import Findings, Members, PluginContext, Step, Translate
from pitviper.program.member import Method, Program
from pitviper.program.node import Annotation
from pitviper.program.print.printer import expr_text
from pitviper.program.stmt import Assert, Block, Refute, Stmt
from pitviper.results.finding import Finding
from pitviper.source.span import Span

PLUGIN = "refute"
SMOKE = Annotation("pitviper.smoke", ())
"""Marks the refutes that smoke detection puts in."""

_HOLDS = (
    "Refute holds in all cases or could not be reached (e.g. see Silicon `numberOfErrorsToReport`)."
)
_SMOKE = "Smoke detection: False could be proven here (which should never hold)."


@record
class _Refuted:
    """One refute statement of the program."""

    member: str
    span: Span
    text: str
    smoke: bool

    def failure(self) -> Finding:
        error = _SMOKE if self.smoke else _HOLDS
        return Finding(
            "refute.failed",
            "refutation.true",
            self.span,
            self.member,
            f"{error} Assertion {self.text} definitely holds.",
            self.span,
        )


def encode_refutes(program: Program, context: PluginContext) -> Step:
    refuted: list[_Refuted] = []
    methods = {
        name: _encode_method(method, refuted, context.names)
        for name, method in program.methods.items()
    }
    return Step(replace(program, methods=methods), (), _translation(tuple(refuted)))


def _encode_method(method: Method, refuted: list[_Refuted], names: Names) -> Method:
    def rule(statement: Stmt) -> list[Stmt]:
        if not isinstance(statement, Refute):
            return [statement]
        key = str(len(refuted))
        refuted.append(_record(statement, method.name))
        check = Assert(statement.condition, annotations=origin(PLUGIN, key), span=statement.span)
        path = aside([check], names, statement.span)
        return [Block(tuple(path), annotations=_kept(statement), span=statement.span)]

    if method.body is None:
        return method
    return replace(method, body=replace_statements(method.body, rule))


def _kept(statement: Refute) -> tuple[Annotation, ...]:
    return tuple([annotation for annotation in statement.annotations if annotation != SMOKE])


def _record(statement: Refute, member: str) -> _Refuted:
    condition = statement.condition
    smoke = SMOKE in statement.annotations
    return _Refuted(member, condition.span, expr_text(condition), smoke)


def _translation(refuted: tuple[_Refuted, ...]) -> Translate:
    def translate(findings: Findings, members: Members) -> Findings:
        other = [finding for finding in findings if finding.origin[:1] != (PLUGIN,)]
        unproved = {f.origin[1] for f in findings if f.origin[:1] == (PLUGIN,)}
        failed = [
            statement.failure()
            for key, statement in enumerate(refuted)
            if str(key) not in unproved and (members is None or statement.member in members)
        ]
        return (*other, *dict.fromkeys(failed))

    return translate
