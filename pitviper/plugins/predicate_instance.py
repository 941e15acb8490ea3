"""The predicate instance plugin: `#P(e)` becomes a function of what `P(e)` holds.

The function has no body: all that is known of an instance is that it depends on the arguments and
on the contents of the predicate. It requires some permission to the predicate, so using it
without is a finding about the application, which is told as one about the instance.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import replace
from pitviper.plugins.step import Findings, Members, PluginContext, Step, Translate
from pitviper.program.assertion import Access, PredicateLocation
from pitviper.program.expr import (
    PREDICATE_INSTANCE,
    FunctionApp,
    PermConstant,
    PermLit,
    PredicateInstance,
)
from pitviper.program.member import Function, Predicate, Program, all_members
from pitviper.program.node import Node
from pitviper.program.walk import descendants, rewrite
from pitviper.results.finding import Finding
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import Span

ERROR = "predicateinstance.no.access"
_APPLICATION = "application.precondition"


def encode_predicate_instances(program: Program, context: PluginContext) -> Step:
    instances = list(_instances(program))
    if not instances:
        return Step(program)
    if PREDICATE_INSTANCE.name not in program.domains:
        return Step(program, tuple([_missing_domain(instance) for instance in instances]))
    used = dict.fromkeys([instance.predicate for instance in instances])
    functions = {
        name: _function(program.predicates[name], context.names.fresh(f"PI_{name}"))
        for name in used
    }
    encoded = _with_applications(program, {name: f.name for name, f in functions.items()})
    added = {function.name: function for function in functions.values()}
    encoded = replace(encoded, functions={**encoded.functions, **added})
    owners = {function.name: predicate for predicate, function in functions.items()}
    return Step(encoded, (), _translation({instance.span for instance in instances}), owners)


def _instances(program: Program) -> Iterator[PredicateInstance]:
    for member in all_members(program):
        for node in descendants(member):
            if isinstance(node, PredicateInstance):
                yield node


def _missing_domain(instance: PredicateInstance) -> Diagnostic:
    return Diagnostic(
        "consistency.error",
        Severity.ERROR,
        instance.span,
        f"Domain {PREDICATE_INSTANCE} is needed for predicate instances but is not declared.",
        help="write `import <predicateinstance/pi.vpr>`",
    )


def _function(predicate: Predicate, name: str) -> Function:
    location = PredicateLocation(predicate.name, predicate.params, span=predicate.span)
    some = PermLit(PermConstant.WILDCARD, span=predicate.span)
    return Function(
        name,
        predicate.params,
        PREDICATE_INSTANCE,
        (Access(location, some, span=predicate.span),),
        (),
        (),
        None,
        span=predicate.span,
    )


def _with_applications(program: Program, functions: dict[str, str]) -> Program:
    def rule(node: Node) -> Node | None:
        if not isinstance(node, PredicateInstance):
            return None
        name = functions[node.predicate]
        return FunctionApp(name, node.args, PREDICATE_INSTANCE, span=node.span)

    return replace(
        program,
        functions={m.name: rewrite(m, rule) for m in program.functions.values()},
        predicates={m.name: rewrite(m, rule) for m in program.predicates.values()},
        methods={m.name: rewrite(m, rule) for m in program.methods.values()},
    )


def _translation(places: set[Span]) -> Translate:
    """An application at the place of an instance is that of its function."""

    def translate(findings: Findings, _: Members) -> Findings:
        return tuple([_told(f) if _is_about(f) else f for f in findings])

    def _is_about(finding: Finding) -> bool:
        return finding.error == _APPLICATION and finding.span in places

    return translate


def _told(finding: Finding) -> Finding:
    text = finding.message.partition("might not hold. ")[2]
    message = f"Accessing predicate instance might fail. {text}".rstrip()
    return replace(finding, error=ERROR, message=message)
