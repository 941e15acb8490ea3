"""Results as the messages of ViperServer: objects with `msg_type` and `msg_body`, one a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pitviper.driver.front.frontend import FrontEnd
from pitviper.driver.front.viper_syntax import viper_members
from pitviper.driver.verify.verify import diagnosed
from pitviper.program.member import Program
from pitviper.results.report import Problem, problems_of_outcome
from pitviper.results.verdict import MemberOutcome
from pitviper.servers.lsp.texts.index import Declaration, index_of
from pitviper.source.diagnostic import Severity
from pitviper.source.span import Span
from pitviper.syntax import tree
from pitviper.views.json.lines import Json, JsonObject

COUNTED = ("domain", "field", "function", "predicate", "method")
"""The kinds of members that ViperServer lists, in its order."""

_ATOMIC = ("Int", "Bool", "Ref", "Perm", "Rational")

_SYMBOLS = {
    "domain": "Domain",
    "adt": "Domain",
    "axiom": "Axiom",
    "field": "Field",
    "function": "Function",
    "constructor": "Function",
    "predicate": "Predicate",
    "method": "Method",
    "parameter": "Argument",
    "result": "Return",
    "variable": "Local",
    "label": "Local",
}


def message(kind: str, body: Json) -> JsonObject:
    """Returns a message of the stream."""
    return {"msg_type": kind, "msg_body": body}


def position(span: Span | None) -> Json:
    """Returns a place as ViperServer writes it; lines and columns count from 1."""
    if span is None:
        return "<no position>"
    (l1, c1), (l2, c2) = span.start_position, span.end_position
    path = str(span.file.path.absolute())
    return {"file": path, "start": f"{l1}:{c1}", "end": f"{l2}:{c2}"}


# ---------------------------------------------------------------- the program


def construction(front: FrontEnd, milliseconds: int) -> Iterator[JsonObject]:
    """Returns the messages about reading and checking a program."""
    problems = diagnosed(front, front.diagnostics)
    warnings = [front_error(p) for p in problems if p.severity is Severity.WARNING]
    yield message("copyright_report", {"text": "Viper AST Constructor"})
    yield message("warnings_during_parsing", [*warnings])
    if front.program is None:
        errors = [front_error(p) for p in problems if p.severity is Severity.ERROR]
        details: JsonObject = {
            "time": milliseconds,
            "result": {"type": "error", "errors": [*errors]},
        }
        yield message("ast_construction_result", {"status": "failure", "details": details})
        yield message("pprogram", body=False)
        return
    success: JsonObject = {"status": "success", "details": {"time": milliseconds}}
    yield message("ast_construction_result", success)
    yield message("pprogram", body=True)
    listed: list[Json] = [*entities(front).values()]
    yield message("program_outline", {"members": listed})
    yield message("program_definitions", {"definitions": [*definitions(front)]})


def entities(front: FrontEnd) -> dict[str, JsonObject]:
    """Returns the members of a program by their names, in the order of ViperServer."""
    found = [entity for member in viper_members(front) for entity in _entities(member)]
    found += [_entity("method", d.name, d.span) for d in front.declared if front.language]
    ordered = sorted(found, key=lambda entity: COUNTED.index(str(entity["type"])))
    return {str(entity["name"]): entity for entity in ordered}


def _entities(member: tree.Member) -> Iterator[JsonObject]:
    match member:
        case tree.FieldDeclaration(fields):
            for field in fields:
                yield _entity("field", field.name.name, field.span)
        case tree.Import() | tree.Define():
            return
        case tree.Adt(name):
            yield _entity("domain", name.name, member.span)
        case _:
            yield _entity(type(member).__name__.lower(), member.name.name, member.span)


def _entity(kind: str, name: str, span: Span) -> JsonObject:
    return {"type": kind, "name": name, "position": position(span)}


def definitions(front: FrontEnd) -> Iterator[JsonObject]:
    """Returns the declared names with their types and scopes, those of a member behind it."""
    fields = {
        field.name.span: field.span
        for member in viper_members(front)
        if isinstance(member, tree.FieldDeclaration)
        for field in member.fields
    }
    groups: list[list[Declaration]] = []
    for declared in index_of(front.source, viper_members(front)).declarations:
        if declared.kind not in _SYMBOLS:
            continue
        if declared.scope is None or not groups:
            groups.append([])
        groups[-1].append(declared)
    groups.sort(key=lambda group: _rank(group[0].kind))
    for group in groups:
        for declared in group:
            place = fields.get(declared.place, declared.whole)
            yield _definition(declared, declared.place if declared.scope else place)


def _rank(kind: str) -> int:
    kind = {"adt": "domain", "axiom": "domain", "constructor": "domain"}.get(kind, kind)
    return COUNTED.index(kind) if kind in COUNTED else len(COUNTED)


def _definition(declared: Declaration, place: Span) -> JsonObject:
    symbol: JsonObject = {"name": _SYMBOLS[declared.kind]}
    if declared.kind in ("field", "parameter", "result", "variable"):
        _, colon, typed = declared.text.partition(": ")
        if colon:
            kind = "atomic" if typed in _ATOMIC else "generic"
            symbol["viperType"] = {"kind": kind, "typename": typed}
    scope = declared.scope
    if scope is None:
        start = end = "global"
    else:
        start, end = [f"{line}:{column}" for line, column in (
            scope.start_position, scope.end_position
        )]  # fmt: skip
    return {
        "name": declared.name,
        "type": symbol,
        "location": position(place),
        "scopeStart": start,
        "scopeEnd": end,
    }


def statistics(program: Program) -> JsonObject:
    """Returns how many members of each kind there are."""
    counts: JsonObject = {
        "methods": len(program.methods),
        "functions": len(program.functions),
        "predicates": len(program.predicates),
        "domains": len(program.domains) + len(program.adts),
        "fields": len(program.fields),
    }
    return message("statistics", counts)


# ---------------------------------------------------------------- what was found


def front_error(problem: Problem) -> JsonObject:
    """Returns what the front end says."""
    return {
        "tag": problem.id,
        "text": problem.readable,
        "position": position(problem.span),
        "cached": False,
    }


def outcome_errors(outcome: MemberOutcome) -> list[Json]:
    """Returns why a member is not verified; none exactly if it is."""
    cached = outcome.remembered
    problems = [p for p in problems_of_outcome(outcome) if p.severity is Severity.ERROR]
    errors = [_error(p.id, p.readable, p.span, cached=cached) for p in problems]
    for point in outcome.undecided:
        text = f"{point.message} ({point.span})"
        errors.append(_error("undecided", text, point.span, cached=cached))
    if outcome.crash is not None:
        text = f"internal error of Pitviper in {outcome.name}: {outcome.crash.said}"
        errors.append(_error("internal", text, None, cached=False))
    if outcome.omitted and not errors:
        errors.append(_error("omitted", f"{outcome.omitted} errors", None, cached=cached))
    return [*errors]


def _error(tag: str, text: str, span: Span | None, *, cached: bool) -> JsonObject:
    return {
        "tag": tag,
        "text": f"{text}\n",
        "position": position(span),
        "cached": cached,
        "counterexamples": [],
    }


def for_entity(verifier: str, entity: JsonObject, outcome: MemberOutcome) -> JsonObject:
    """Returns what is known about a member."""
    errors = outcome_errors(outcome)
    details: JsonObject = {
        "entity": entity,
        "time": round(outcome.seconds * 1000),
        "cached": outcome.remembered,
    }
    return _result(verifier, "for_entity", details, errors)


def overall(verifier: str, milliseconds: int, errors: Iterable[Json]) -> JsonObject:
    """Returns what is known about the program; without errors, it is verified."""
    return _result(verifier, "overall", {"time": milliseconds}, [*errors])


def _result(verifier: str, kind: str, details: JsonObject, errors: list[Json]) -> JsonObject:
    if errors:
        details["result"] = {"type": "error", "errors": errors}
    body: JsonObject = {
        "verifier": verifier,
        "kind": kind,
        "status": "failure" if errors else "success",
        "details": details,
    }
    return message("verification_result", body)


def exception_report(text: str) -> JsonObject:
    """Returns that something went wrong which is not the fault of the program."""
    return message("exception_report", {"message": text, "stacktrace": []})
