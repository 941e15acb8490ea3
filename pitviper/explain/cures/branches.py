"""Cases that were not thought of: a second `if` that runs as well, a first iteration at 0."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, call_of, substituted
from pitviper.explain.cures.edit import Candidate, blocks, edited_in, loops_around
from pitviper.explain.cures.forgotten import Assigned, target_of
from pitviper.explain.writing import at_start_of, invariants, replaced
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.print.expressions import text_of
from pitviper.program.types import AdtType
from pitviper.program.walk import assigned_variables, descendants, free_vars
from pitviper.results.wording import VIPER, wording_of
from pitviper.source.edit import Edit
from pitviper.source.span import Span


def chained(case: Case) -> Iterator[Candidate]:
    """A second `if` runs as well where the first one has assigned the same variable."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or method.body is None or part is None:
        return
    if wording_of(case.finding.span) is not VIPER:
        return
    for block in blocks(method.body):
        for first, second in zip(block.statements, block.statements[1:], strict=False):
            if not isinstance(first, s.If) or not isinstance(second, s.If):
                continue
            both = _assigned(first) & _assigned(second) & free_vars(part)
            if not both or first.otherwise.statements or not second.span.text.startswith("if"):
                continue
            name, condition = sorted(both)[0], second.condition.span.text
            between = Span(second.span.file, first.span.end, second.span.start + len("if"))
            yield Candidate(
                (Edit(between, " elseif"),),
                f"line {second.span.line} runs as well where line {first.span.line} has assigned "
                f"`{name}`, and overwrites it: write `elseif ({condition})` for "
                f"`if ({condition})` in line {second.span.line}",
                values=True,
            )


def compared_with_another(case: Case) -> Iterator[Candidate]:
    """`if (c > a) { m := c }`, which is to be asked of the value that is overwritten, `m`."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or method.body is None or part is None:
        return
    if wording_of(case.finding.span) is not VIPER:
        return
    for node in [n for n in descendants(method.body) if isinstance(n, s.If)]:
        match node.condition:
            case x.Compare(_, left, right) if not node.otherwise.statements:
                sides = ((left, right), (right, left))
            case _:
                continue
        for step in [n for n in node.then.statements if isinstance(n, Assigned)]:
            for value, other in sides:
                name, same = target_of(step), text_of(value) == text_of(step.value)
                if not same or text_of(other) == name or not free_vars(other):
                    continue
                edit = replaced(other, name)
                text = edited_in(node.condition.span, edit)
                yield Candidate(
                    (edit,),
                    f"line {step.span.line} overwrites `{name}` with `{text_of(value)}`, which is "
                    f"compared with `{text_of(other)}`: write `if ({text})` in line "
                    f"{node.span.line}",
                    never=(edit, at_start_of(node.then, "assert false")),
                    values=True,
                )


def of_another_constructor(case: Case) -> Iterator[Candidate]:
    """A chain of `c.isRed`, `c.isGreen` without a branch for the last constructor."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or method.body is None or part is None:
        return
    if wording_of(case.finding.span) is not VIPER:
        return
    for first in [n for n in descendants(method.body) if isinstance(n, s.If)]:
        chain = _chain(first)
        tests = [n.condition for n in chain if isinstance(n.condition, x.Discriminate)]
        steps = [n.then.statements[0] for n in chain if len(n.then.statements) == 1]
        values = [n.value for n in steps if isinstance(n, s.LocalAssign)]
        names = {n.target.name for n in steps if isinstance(n, s.LocalAssign)}
        if not len(chain) == len(tests) == len(values) or len(names) != 1:
            continue
        type_ = tests[0].receiver.type
        adt = case.program.adts.get(type_.name) if isinstance(type_, AdtType) else None
        tested = {test.constructor for test in tests}
        left = [] if adt is None else [c for c in adt.constructors if c.name not in tested]
        if len({text_of(test.receiver) for test in tests}) != 1 or len(left) != 1:
            continue
        given = {value.constructor for value in values if isinstance(value, x.Construct)}
        new = [] if adt is None else [c for c in adt.constructors if c.name not in given]
        if len(given) == len(values) and len(new) == 1 and not new[0].params:
            yield _with_else(chain[-1], names.pop(), left[0].name, f"{new[0].name}()")


def _chain(first: s.If) -> list[s.If]:
    """An `if` with its `elseif`, where there is no `else`."""
    match first.otherwise.statements:
        case ():
            return [first]
        case (s.If() as other,) if other.span.text.startswith("else"):
            rest = _chain(other)
            return [first, *rest] if rest else []
        case _:
            return []


def _with_else(last: s.If, name: str, constructor: str, value: str) -> Candidate:
    end = last.then.span.end
    text = f"else {{ {name} := {value} }}"
    return Candidate(
        (Edit(Span(last.span.file, end, end), f" {text}"),),
        f"no branch is for `{constructor}`, and `{name}` keeps its value there: write `{text}` "
        f"after the branch of line {last.span.line}",
        values=True,
    )


def begun_later(case: Case) -> Iterator[Candidate]:
    """A loop calls with its counter, which is 0 at first, what asks for a positive number."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or not isinstance(part, x.Expr) or method.body is None:
        return
    if case.finding.error not in ("call.precondition", "application.precondition"):
        return
    needed = substituted(part, *call_of(case))
    for loop in loops_around(method, case.finding.span):
        for node in descendants(method.body):
            match node:
                case s.LocalAssign(target, x.IntLit(0) as value) if (
                    node.span.end <= loop.span.start and target.name in free_vars(needed)
                ):
                    text, name = node.span.text.removesuffix("0"), target.name
                    if not node.span.text.endswith("0"):
                        continue
                    fact = text_of(needed)
                    lead = f"in the first iteration `{name}` is 0 (line {node.span.line})"
                    other = f"or leave that one out by `if ({fact}) {{ ... }}`"
                    yield Candidate(
                        (replaced(value, "1"),), f"{lead}: begin with 1, `{text}1`, {other}"
                    )
                    yield Candidate(
                        (replaced(value, "1"), *invariants(loop, [fact])),
                        f"{lead}: begin with 1, `{text}1`, and add `invariant {fact}`, {other}",
                    )


def while_the_other(case: Case) -> Iterator[Candidate]:
    """A loop whose condition says when to stop: it goes on while that is true."""
    method = case.member
    if not isinstance(method, Method) or method.body is None:
        return
    if wording_of(case.finding.span) is not VIPER:
        return
    for loop in [n for n in descendants(method.body) if isinstance(n, s.While)]:
        match loop.condition:
            case x.Compare(op, left, right):
                sign = _NEGATED[op]
            case x.Equal(left, right):
                sign = "!="
            case x.NotEqual(left, right):
                sign = "=="
            case _:
                continue
        text = f"{left.span.text} {sign} {right.span.text}"
        edit = replaced(loop.condition, text)
        yield Candidate(
            (edit,),
            f"a loop goes on while its condition is true: is `{loop.condition.span.text}` (line "
            f"{loop.span.line}) when to stop? Write `while ({text})`",
            never=(edit, at_start_of(loop.body, "assert false")),
            weak=True,
        )


_NEGATED = {
    x.CompareOp.LT: ">=",
    x.CompareOp.LE: ">",
    x.CompareOp.GT: "<=",
    x.CompareOp.GE: "<",
}


def _assigned(branch: s.If) -> frozenset[str]:
    return frozenset([variable.name for variable in assigned_variables(branch)])
