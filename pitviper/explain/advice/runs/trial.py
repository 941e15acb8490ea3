"""Runs of a member for small values: those for which an assertion is false, states of a loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from pitviper.base.record import record, replace
from pitviper.explain.advice.case import (
    LONGEST,
    Case,
    compared,
    conjuncts,
    quote,
    reads_heap,
)
from pitviper.explain.advice.cures import Said, asks, in_general
from pitviper.explain.advice.plain import affirmed, is_plain
from pitviper.explain.advice.runs.data import small_values
from pitviper.explain.advice.runs.run import (
    Head,
    Jump,
    Made,
    Nothing,
    Reached,
    Run,
    Value,
    Values,
    value_of,
)
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.types import AdtType
from pitviper.program.walk import children, descendants, free_vars
from pitviper.results.wording import VIPER, wording_of

_NUMBERS = {
    1: (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 7, 10, -10, 99, -99),
    2: (0, 1, -1, 2, -2, 3, 5, -5),
    3: (0, 1, -1, 2),
    4: (0, 1, -1, 2),
}
"""The numbers that are tried, by the number of parameters."""

_SEQUENCES: tuple[Value, ...] = ((), (0,), (1,), (-1,), (1, 0), (0, 1), (0, 0), (1, 2, 3))
_SETS: tuple[Value, ...] = tuple([frozenset(each) for each in ((), (0,), (1,), (0, 1), (1, 2))])

_MOST_MADE = {1: 24, 2: 12, 3: 7, 4: 5}
"""The values of a data type that are tried, by the number of parameters."""

_LARGEST_LITERAL = 10_000

_MOST_LITERALS = {1: 6, 2: 3, 3: 1}
"""Numbers of the program that are tried with their neighbours, by the number of parameters."""


@record
class Witness:
    """Values of parameters for which a part is false, and how the run came there."""

    values: Values
    assigned: tuple[tuple[str, Value, s.LocalAssign | s.FieldAssign], ...]
    jumps: tuple[s.Goto, ...]
    given: tuple[Value, x.Expr] | None = None
    """The result of a function, and the case of its body that gives it."""


Tried = list[tuple[Witness, bool]]
"""The runs that come to a failing part, and whether it holds there."""


def size_of(values: Values) -> tuple[int, int]:
    """Smaller numbers are easier to read."""
    numbers = [n for value in values.values() for n in _numbers_of(value)]
    return sum(abs(number) for number in numbers), -sum(numbers)


def _numbers_of(value: Value) -> Iterator[int]:
    """The numbers of a value, and one for each thing that is made of others."""
    if isinstance(value, int):
        yield int(value)
        return
    yield 1
    for inner in value.args if isinstance(value, Made) else value:
        yield from _numbers_of(inner)


def _excluding(case: Case, runs: Tried) -> str | None:
    """What to ask of the only parameter, so that no run that was tried makes the part false."""
    if not isinstance(case.member, Method | Function):
        return None
    unknown = dict(unknown_of(case.member, case.program))
    if list(unknown.values()) != ["Int"]:
        return None
    name = next(iter(unknown))
    for text, test in _ASKED.items():
        known = [(run.values[name], holds) for run, holds in runs]
        rest = [holds for value, holds in known if isinstance(value, int) and test(value)]
        gone = [holds for value, holds in known if isinstance(value, int) and not test(value)]
        if len(rest) > 2 and all(rest) and 2 * sum(gone) <= len(gone):
            left = [run.values for run, _ in runs if test(_as_int(run.values[name]))]
            return f"{name} {text}" if _keeps_cases(case, left) else None
    return None


def _as_int(value: Value) -> int:
    return value if isinstance(value, int) else 0


def _keeps_cases(case: Case, starts: list[Values]) -> bool:
    """Whether conditions on parameters are true of some values that are left and false of others:
    what a body tells apart, a precondition must not take away; nor what a claim is about."""
    member, program = case.member, case.program
    assert isinstance(member, Method | Function)
    names = {param.name for param in member.params}
    told = [
        fact.left
        for clause in member.postconditions
        for fact in conjuncts(clause)
        if isinstance(fact, x.Implies)
    ]
    told += [case.part.left] if isinstance(case.part, x.Implies) else []
    for condition in (*conditions_of(member), *told):
        if not free_vars(condition) <= names or reads_heap(condition):
            continue
        try:
            seen = {bool(Run(program, values).number(condition)) for values in starts}
        except (Nothing, Jump, RecursionError):
            continue
        if len(seen) < 2:
            return False
    return True


def conditions_of(member: Method | Function) -> list[x.Expr]:
    """The conditions by which a body tells cases apart."""
    inside = () if member.body is None else descendants(member.body)
    return [n.condition for n in inside if isinstance(n, s.If | x.Conditional)]


_ASKED: dict[str, Callable[[int], bool]] = {
    "!= 0": lambda n: n != 0,
    ">= 0": lambda n: n >= 0,
    "<= 0": lambda n: n <= 0,
    "> 0": lambda n: n > 0,
    "< 0": lambda n: n < 0,
}
"""Conditions on a number; weaker ones come first."""


def holding(case: Case) -> Iterator[bool]:
    """Whether the failing part holds, for each run that comes to it."""
    for _, holds in _tried(case):
        yield holds


def _tried(case: Case) -> Iterator[tuple[Witness, bool]]:
    """The runs that come to the failing part, and whether it holds there."""
    member, part = case.member, case.part
    if part is None or not isinstance(part, x.Expr) or case.finding.reason != "assertion.false":
        return
    if not isinstance(member, Method | Function) or member.body is None:
        return
    stop = None
    if case.finding.error == "assert.failed" and isinstance(member, Method):
        stop = _asserting(member, case)
        if stop is None:
            return
    elif case.finding.error != "postcondition.violated":
        return
    for values in _starts(member, case.program):
        run = Run(case.program, values, stop)
        try:
            holds = _holds(run, member, part)
        except (Nothing, Jump, RecursionError):
            continue
        if holds is not None:
            names = [(n, run.values[n], node) for n, node in run.assigned.items()]
            given = None
            if isinstance(member, Function):
                given = run.values["result"], _case_taken(case.program, values, member)
            yield Witness(values, tuple(names), tuple(run.jumps), given), holds


def _case_taken(program: Program, values: Values, function: Function) -> x.Expr:
    """The case of a body that gives the result for some values."""
    assert function.body is not None
    case, run = function.body, Run(program, values)
    try:
        while isinstance(case, x.Conditional):
            case = case.then if run.number(case.condition) else case.otherwise
    except (Nothing, Jump, RecursionError):
        return function.body
    return case


def _asserting(member: Method, case: Case) -> s.Stmt | None:
    """The statement with the failing assertion, if it runs once: that of a loop is none."""
    at = case.finding.span
    for node in _outside_loops(member.body):
        if isinstance(node, s.Assert) and node.assertion.span == at:
            return node
    return None


def _outside_loops(block: s.Block | None) -> Iterator[s.Stmt]:
    for node in () if block is None else block.statements:
        yield node
        match node:
            case s.If(_, then, otherwise):
                yield from _outside_loops(then)
                yield from _outside_loops(otherwise)
            case s.Block():
                yield from _outside_loops(node)


def _starts(member: Method | Function, program: Program) -> Iterator[Values]:
    return starts_of(dict(unknown_of(member, program)), member, program)


def starts_of(
    unknown: dict[str, str], member: Method | Function, program: Program
) -> Iterator[Values]:
    """Small values for names of these types."""
    if len(unknown) > max(_NUMBERS):
        return
    choices: dict[str, tuple[Value, ...]] = {
        "Int": _numbers(member, len(unknown)),
        "Bool": (0, 1),
        "Seq[Int]": _SEQUENCES,
        "Set[Int]": _SETS,
    }
    for kind in [param.type for param in member.params]:
        if isinstance(kind, AdtType):
            choices[str(kind)] = small_values(kind, program)[: _MOST_MADE[len(unknown)]]
    for values in product(*[choices.get(kind, ()) for kind in unknown.values()]):
        yield dict(zip(unknown, values, strict=True))


def _numbers(member: Method | Function, count: int) -> tuple[int, ...]:
    """Small numbers, then those that the member mentions, where it may change its mind."""
    literals = dict.fromkeys(n.value for n in descendants(member) if isinstance(n, x.IntLit))
    known = [n for n in literals if n <= _LARGEST_LITERAL][: _MOST_LITERALS.get(count, 0)]
    near = [number for n in known for number in (n, n + 1, n - 1)]
    return tuple(dict.fromkeys([*_NUMBERS.get(count, ()), *near]))


def unknown_of(member: Method | Function, program: Program) -> Iterator[tuple[str, str]]:
    """What has some value at the start, with its type: parameters, and fields of objects."""
    objects = {param.name for param in member.params if str(param.type) == "Ref"}
    yield from [(p.name, str(p.type)) for p in member.params if p.name not in objects]
    if not isinstance(member, Method):
        yield from [(name, "Ref") for name in objects]
        return
    for node in descendants(member):
        match node:
            case a.FieldLocation(x.Var(name), field) if name in objects:
                yield f"{name}.{field}", str(program.fields[field].type)


def _holds(run: Run, member: Method | Function, part: x.Expr) -> bool | None:
    """Whether the part holds at the end of the run, or at the place where it stops."""
    if not all(run.number(clause) for clause in member.preconditions):
        return None
    if isinstance(member, Function):
        assert member.body is not None
        run.values["result"] = run.value(member.body)
        return bool(run.number(part))
    assert member.body is not None
    try:
        run.block(member.body)
    except Reached:
        return bool(run.number(part))
    return bool(run.number(part)) if run.stop is None else None


def fails_only_without(case: Case, weaker: x.Expr) -> bool:
    """Whether a formula is false in runs that were tried, and a weaker one is true in all these."""
    failing = [run.values for run, holds in _tried(case) if not holds]
    true = [run.values for run, holds in _tried(replace(case, part=weaker)) if holds]
    return bool(failing) and all(values in true for values in failing)


def at_head(case: Case, loop: s.While) -> list[Head]:
    """States at the start of iterations and at the end of a loop, of some runs."""
    if not isinstance(case.member, Method) or case.member.body is None:
        return []
    found: list[Head] = []
    for values in _starts(case.member, case.program):
        run = Run(case.program, values)
        try:
            if all(run.number(clause) for clause in case.member.preconditions):
                run.block(case.member.body)
        except (Nothing, Jump, RecursionError):
            continue
        found += [state for node, state in run.heads if node is loop]
    return found


def false_for(case: Case) -> str | None:
    """Values for which the failing part is false, in words, where small ones were found."""
    found = _told(case, list(_tried(case)))
    return None if found is None else found[0]


def _told(case: Case, runs: Tried) -> tuple[str, list[str], list[str]] | None:
    """The smallest values for which a part is false, in words: all, the values, the steps."""
    failing = [run for run, holds in runs if not holds]
    if not failing or case.part is None:
        return None
    witness = min(failing, key=lambda run: size_of(run.values))
    assert isinstance(case.member, Method | Function)
    told = in_words(witness.values, dict(unknown_of(case.member, case.program)))
    lead = "it is false" + (f" for {' and '.join([f'`{one}`' for one in told])}" if told else "")
    if witness.jumps:
        jump = witness.jumps[-1]
        lead += f", on the path of `goto {jump.target}` (line {jump.span.line})"
    used = free_vars(case.part) | _fields_of_now(case.part)
    steps = [
        f"`{as_read(name)}` is {_shown(value, node)} there "
        f"(line {node.span.line}, `{node.span.text}`)"
        for name, value, node in witness.assigned
        if name in used and len(node.span.text) <= LONGEST
    ]
    if witness.given is not None and not steps:
        steps = [_result_given(case.member, witness.values, *witness.given)]
    lead += f": {' and '.join(steps)}" if steps else ""
    return lead, told, steps


def _result_given(member: Method | Function, values: Values, result: Value, taken: x.Expr) -> str:
    """`fib(1)` is 0 (line 5, `n <= 1 ? 0`)."""
    args = ", ".join([written(values[param.name]) for param in member.params])
    shown = written(bool(result)) if str(taken.type) == "Bool" else written(result)
    text = taken.span.text
    is_whole = len(text) <= LONGEST and "\n" not in text and text.count("(") == text.count(")")
    quoted = f", `{text}`" if is_whole else ""
    return f"`{member.name}({args})` is {shown} (line {taken.span.line}{quoted})"


def tried(case: Case) -> Said:
    """A rule: values for which the failing part is false, and what to do about them."""
    if wording_of(case.finding.span) is not VIPER:
        return None
    runs = list(_tried(case))
    found = _told(case, runs)
    if found is None:
        return None
    assert isinstance(case.member, Method | Function) and case.part is not None
    lead, told, steps = found
    mend = "assert" if case.finding.error == "assert.failed" else "mend the body, or promise"
    if not any(holds for _, holds in runs):
        lead += ", and for all other values that were tried" if told and not steps else ""
        fixed = _fixing(case)
        if fixed is not None and told and not steps:
            said = quote(fixed)
            fact = f"`{said}` (line {fixed.span.line})" if said else f"line {fixed.span.line}"
            return in_general(f"{lead}; {mend} something that follows from {fact}")
        ask = ", or ask for more in the precondition" if told and not steps else ""
        value = None if told or steps else _value_instead(case)
        if value is not None:
            return in_general(f"{lead}: `{value}` is true; assert that, or mend what it speaks of")
        return in_general(f"{lead}; {mend} something else{ask}")
    asked = _excluding(case, runs)
    if asked is None and case.finding.error == "assert.failed":
        names = {param.name for param in case.member.params}
        claim = affirmed(case.part)
        kept = is_plain(claim) and free_vars(claim) <= names
        asked = (quote(claim) or None) if kept else None
    exclude = f"exclude that, `requires {asked}`" if asked else _excluded(case)
    cures = asks(case.member, asked) if asked else ()
    if case.finding.error == "assert.failed":
        return in_general(f"{lead}; assert less, or {exclude}", cures)
    if asked is None and conditions_of(case.member):
        return in_general(f"{lead}; mend that case, or promise less")
    if asked is None:
        return in_general(
            f"{lead}; mend the body, promise less, or ask for other values by a precondition"
        )
    return in_general(f"{lead}; mend the body, {exclude}, or promise less", cures)


def _excluded(case: Case) -> str:
    """To exclude one value brings the next one: the claim itself, where it can be asked for."""
    assert isinstance(case.member, Method | Function) and case.part is not None
    is_own = free_vars(case.part) <= {param.name for param in case.member.params}
    whole = quote(case.part) if is_own and case.finding.error == "assert.failed" else ""
    return f"ask for it, `requires {whole}`" if whole else "exclude that by a precondition"


def _value_instead(case: Case) -> str | None:
    """`f(3) == 2`, of a value that is said to be another number and depends on nothing else."""
    part = case.part
    if not isinstance(part, x.Equal) or case.finding.error != "assert.failed":
        return None
    if not isinstance(part.right, x.IntLit | x.Negate) or str(part.left.type) != "Int":
        return None
    value = value_of(part.left, {}, case.program)
    return None if value is None else f"{text_of(part.left)} == {value}"


def _fixing(case: Case) -> Node | None:
    """A fact in front of the failing part about what this compares: to ask for the part as well
    may contradict it."""
    if not isinstance(case.member, Method) or case.part is None:
        return None
    body = () if case.member.body is None else case.member.body.statements
    front = [n for n in body if n.span.start < case.finding.span.start]
    inhaled = [n.assertion for n in front if isinstance(n, s.Inhale)]
    about = compared(case.part)
    for clause in (*case.member.preconditions, *inhaled):
        for fact in conjuncts(clause):
            if compared(fact) & about:
                return fact
    return None


def in_words(values: Values, types: dict[str, str]) -> list[str]:
    """`n == 0`, and `b` or `!b` of a truth value."""
    return [
        (as_read(name) if value else f"!{as_read(name)}")
        if types[name] == "Bool"
        else f"{as_read(name)} == {written(value)}"
        for name, value in values.items()
    ]


def as_read(name: str) -> str:
    """A variable or a field as it is written: `this.n` for the field `Counter.n` of `this`."""
    receiver, dot, field = name.partition(".")
    return f"{receiver}{dot}{field.rpartition('.')[2]}"


def _fields_of_now(part: Node) -> set[str]:
    """The fields that a formula reads, but not those in `old`."""
    if isinstance(part, x.Old):
        return set()
    found = {name for inner in children(part) for name in _fields_of_now(inner)}
    if isinstance(part, x.FieldRead) and isinstance(part.receiver, x.Var):
        found.add(f"{part.receiver.name}.{part.field}")
    return found


def _shown(value: Value, node: s.LocalAssign | s.FieldAssign) -> str:
    if str(node.value.type) == "Bool":
        return "true" if value else "false"
    return written(value)


def written(value: Value) -> str:
    """As it is written in Viper."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Made):
        return f"{value.constructor}({', '.join(map(written, value.args))})"
    kind, numbers = ("Seq", value) if isinstance(value, tuple) else ("Set", sorted(value))
    return f"{kind}({', '.join(map(str, numbers))})" if numbers else f"{kind}[Int]()"
