"""What exploration claims about a program, held against both verifiers and the interpreter."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from fractions import Fraction

from pitviper.driver.explore.explore import Explorer
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify.options import EngineOptions, SymbolicOptions, VcgOptions
from pitviper.driver.verify.verification import verify_program
from pitviper.engines.concrete.interpreter import run_member
from pitviper.engines.concrete.options import ZEROES, Inputs, Tape
from pitviper.engines.concrete.options import Calls as RunCalls
from pitviper.engines.concrete.options import Loops as RunLoops
from pitviper.engines.concrete.options import Options as RunOptions
from pitviper.engines.concrete.outcome import Failed, Passed
from pitviper.engines.explore.model.types import ADT, OBJECT, Type, name_of
from pitviper.engines.explore.options import Calls, Loops, ModelOptions, SearchOptions
from pitviper.engines.explore.report.inputs import finding_of
from pitviper.engines.explore.runtime.ending import Status
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.value import GuardedSet, Lazy, Sym, Value, plain
from pitviper.engines.shared.values import (
    Constructed,
    FiniteMap,
    Multiset,
    Ref,
    finite_map,
    multiset_of,
)
from pitviper.engines.shared.values import Ref as ConcreteRef
from pitviper.engines.shared.values import Value as ConcreteValue
from pitviper.program.member import Program
from pitviper.results.exploration import Claim, MethodExploration
from pitviper.results.verdict import MemberOutcome, Verdict

MAIN = "main"
ENGINES: tuple[EngineOptions, ...] = (SymbolicOptions(), VcgOptions())
MODES = (
    ModelOptions(),
    ModelOptions(calls=Calls.CONTRACT),
    ModelOptions(Loops.INVARIANT, Calls.CONTRACT),
)
RUNS = {Calls.INLINE: RunCalls.INLINE, Calls.CONTRACT: RunCalls.CONTRACT}


@dataclass
class Claims:
    """`contradictions` are texts for people; the counts say what was compared."""

    contradictions: list[str] = field(default_factory=list)
    verified: int = 0
    proved: int = 0
    failed: int = 0


def program_of(text: str) -> Program | None:
    return load_text(text, "m.vpr").program


def outcome_of(program: Program, engine: EngineOptions) -> MemberOutcome:
    """The verifier's word on the main method; bodies of its callees do not matter to it."""
    methods = {
        name: method if name == MAIN else replace(method, body=None)
        for name, method in program.methods.items()
    }
    members = verify_program(replace(program, methods=methods), engine).members
    return next(m for m in members if m.name == MAIN)


def explored(program: Program, model: ModelOptions, runs: int = 60) -> MethodExploration:
    search = SearchOptions(runs=runs, nodes=300, seconds=3.0)
    options = ExploreOptions(methods=(MAIN,), model=model, search=search)
    explorer = Explorer(program, "m.vpr", options)
    try:
        return explorer.explore(MAIN)
    finally:
        explorer.close()


def compare(text: str, tapes: tuple[Tape, ...]) -> Claims:
    """Contradictions between what is claimed about the main method."""
    program = program_of(text)
    claims = Claims()
    if program is None:
        return claims
    verified = [e for e in ENGINES if outcome_of(program, e).verdict is Verdict.VERIFIED]
    claims.verified = len(verified)
    for mode in MODES:
        done = explored(program, mode)
        found = [r.finding for r in done.certain_failures if r.finding is not None]
        own = [f for f in found if f.member == MAIN]
        claims.failed += bool(own)
        if verified and own:
            places = sorted({f"{f.id} in line {f.span.line}" for f in own})
            claims.contradictions.append(f"{verified} verify, but {mode}: {places}")
        if done.claim in (Claim.PROVED, Claim.HOLDS):
            claims.proved += 1
            failure = _run_that_fails(program, done, mode, tapes)
            if failure is not None:
                claims.contradictions.append(f"{done.claim} by {mode}, but a run fails: {failure}")
    return claims


def _run_that_fails(
    program: Program, done: MethodExploration, mode: ModelOptions, tapes: tuple[Tape, ...]
) -> Failed | None:
    calls = RunCalls.INLINE if done.claim is Claim.HOLDS else RunCalls.CONTRACT
    loops = RunLoops.ARBITRARY if mode.loops is Loops.INVARIANT else RunLoops.ITERATE
    options = RunOptions(loops=loops, calls=calls)
    for tape in tapes:
        outcome = run_member(program, MAIN, Inputs(), tape, options).outcome
        if isinstance(outcome, Failed) and not outcome.assuming and outcome.finding.member == MAIN:
            return outcome
    return None


def repaired(text: str, turns: int = 8) -> str:
    """The program without lines at which a verifier finds something, until nothing is found."""
    for _ in range(turns):
        program = program_of(text)
        if program is None:
            return text
        found = [f for e in ENGINES for f in outcome_of(program, e).findings]
        lines = {f.span.line for f in found} | {f.offending.line for f in found if f.offending}
        if not lines:
            return text
        text = "\n".join(
            [_repaired(line, n in lines) for n, line in enumerate(text.split("\n"), 1)]
        )
    return text


def _repaired(line: str, wrong: bool) -> str:
    if not wrong or line.startswith(("method", "function", "predicate", "}")):
        return line
    if line.startswith("if "):
        return "if (c) {"
    if line.startswith("while "):
        return re.sub(r"\) invariant.*\{$", ") {", line)
    return ""


# ---------------------------------------------------------------- runs again, elsewhere


class Unlike(Exception):
    """A value that the interpreter cannot be given; nothing is compared then."""


def concrete(value: Value) -> ConcreteValue:
    match value:
        case Lazy():
            if value.decided is None:
                return _anything(value.type)
            return concrete(value.decided)
        case Sym():
            return value.value
        case Ref():
            return ConcreteRef(value.number)
        case tuple():
            return tuple([concrete(v) for v in value])
        case GuardedSet():
            return frozenset([concrete(e) for e, there in value.items if plain(there)])
        case Multiset():
            listed = [concrete(e) for e, n in value.items for _ in range(int(plain(n)))]
            return multiset_of(listed)
        case FiniteMap():
            return finite_map({concrete(k): concrete(v) for k, v in value.items})
        case Constructed():
            return Constructed(value.constructor, tuple([concrete(v) for v in value.args]))
        case int() | Fraction():
            return value
        case _:
            raise Unlike


def _anything(kind: Type) -> ConcreteValue:
    """A value of which no run has looked at anything."""
    if kind == OBJECT:
        return ConcreteRef(0)
    named = name_of(kind)
    if named is not None and named.namespace == ADT:
        return Constructed("Leaf", ())
    raise Unlike


def concrete_inputs(run: Run, params: list[str]) -> Inputs:
    """The inputs of a run of which nothing was chosen but parameters and fields; else Unlike."""
    arguments, fields = {}, {}
    for name, value in run.inputs.values.items():
        if isinstance(value, Lazy) and value.decided is None:
            continue
        cell = re.fullmatch(r"object(\d+)\.(\w+)", name)
        is_given = name in params or cell is not None or name.startswith(_parts(params))
        if not is_given and not (isinstance(value, Sym) and not value.value):
            raise Unlike  # others are 0 where the interpreter has to choose
        found = concrete(value)
        if cell:
            fields[ConcreteRef(int(cell.group(1))), cell.group(2)] = found
        elif name in params:
            arguments[name] = found
    return Inputs(arguments, fields)


def _parts(params: list[str]) -> tuple[str, ...]:
    return tuple([f"{p}{mark}" for p in params for mark in ("[", ".")])


def unlike_endings(program: Program, runs: int = 25) -> tuple[int, list[str]]:
    """How many runs were repeated by the interpreter, and those that end otherwise there.

    Failures are alike that are about the same assertion: of several that are wrong with it, one
    checks this first, the other that.
    """
    options = ExploreOptions(methods=(MAIN,), search=SearchOptions(runs=runs, nodes=60))
    explorer = Explorer(program, "m.vpr", options)
    params = [p.name for p in program.methods[MAIN].params]
    compared, found = 0, []
    for node in explorer.search(MAIN).nodes():
        if node.run is None or node.status not in (Status.PASSED, Status.FAILED):
            continue
        if node.run.inputs.tables or node.run.inputs.made or node.run.notes:
            continue
        try:
            inputs = concrete_inputs(node.run, params)
        except Unlike:
            continue
        failed = node.status is Status.FAILED and node.site is not None
        ours = finding_of(explorer.code.model, node.site) if failed and node.site else None
        ended = run_member(program, MAIN, inputs, ZEROES, RunOptions(calls=RunCalls.INLINE)).outcome
        compared += 1
        theirs = ended.finding.span if isinstance(ended, Failed) else ended
        wanted = None if ours is None else ours.span
        if theirs != wanted and not (wanted is None and isinstance(ended, Passed)):
            found.append(f"{inputs}: {wanted} here, {theirs} there")
    explorer.close()
    return compared, found


SOME = tuple(
    [Tape(tuple([(first + step * at) % 7 for at in range(80)]), then=first)
     for first, step in ((0, 1), (1, 1), (0, 3), (2, 5), (4, 2), (1, 4), (3, 3), (0, 0))]
)  # fmt: skip
