"""Another measure for a loop or a recursion that does not get smaller by the one that is given."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, conjuncts
from pitviper.explain.cures.changes import changes_of
from pitviper.explain.cures.edit import Candidate
from pitviper.explain.cures.mutations import said_changed
from pitviper.explain.writing import replaced, requires
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method, Program
from pitviper.program.print.expressions import text_of
from pitviper.program.types import AdtType, MapType, MultisetType, SeqType, SetType
from pitviper.program.walk import assigned_variables, descendants, free_vars
from pitviper.results.wording import VIPER, wording_of


def other_measures(case: Case) -> Iterator[Candidate]:
    """The distance of which the condition speaks, and the sum of what the loop changes."""
    yield from _of_recursion(case)
    if not isinstance(case.member, Method):
        return
    yield from _ended(case)
    for loop in [n for n in descendants(case.member) if isinstance(n, s.While)]:
        for clause in loop.decreases:
            if clause.span != case.finding.span or not isinstance(clause, s.DecreasesTuple):
                continue
            if len(clause.measures) != 1:
                continue
            own = clause.measures[0]
            for text in dict.fromkeys([*_distances(loop), *_sums(loop)]):
                if text != text_of(own):
                    yield Candidate(
                        (replaced(own, text),),
                        f"`{text_of(own)}` does not get smaller with each iteration, and `{text}` "
                        f"does: write `decreases {text}` in line {clause.span.line}",
                    )
            yield from _bounded(loop)


def _bounded(loop: s.While) -> Iterator[Candidate]:
    """`i > 0` for `i != 0`: a number that may begin below goes down without end."""
    match loop.condition:
        case x.NotEqual(x.Var(name) as left, right) if str(left.type) == "Int":
            if free_vars(right) & {variable.name for variable in assigned_variables(loop)}:
                return
            for sign in (">", "<"):
                text = f"{name} {sign} {right.span.text}"
                yield Candidate(
                    (replaced(loop.condition, text),),
                    f"`{name}` may begin on the other side of `{right.span.text}`, and never come "
                    f"there: write `while ({text})` in line {loop.span.line}",
                )


def _of_recursion(case: Case) -> Iterator[Candidate]:
    """The distances of which the precondition speaks, the sum of numbers, sizes of parameters."""
    member, clause = case.member, case.part
    if not isinstance(member, Method | Function) or not isinstance(clause, s.DecreasesTuple):
        return
    if not clause.measures:
        yield from _first_measure(member, clause)
    if len(clause.measures) == 2:
        one, two = [text_of(measure) for measure in clause.measures]
        yield Candidate(
            (replaced(clause, f"decreases {two}, {one}"),),
            f"measures are compared from the left, and the first one has to get smaller or stay: "
            f"write `decreases {two}, {one}` in line {clause.span.line}",
        )
    if len(clause.measures) != 1:
        return
    own = clause.measures[0]
    yield from _of_structures(member, clause, own)
    yield from _of_values(case, member, own)
    yield from _of_instances(case, own)
    yield from _of_arguments(case, own)
    tested = _tested_before(member, case)
    for text in dict.fromkeys([*_between(member), *tested, *_of_parameters(member)]):
        if text != text_of(own):
            yield Candidate(
                (replaced(own, text),),
                f"`{text_of(own)}` does not get smaller with each call, and `{text}` does: write "
                f"`decreases {text}` in line {clause.span.line}",
            )


def _of_structures(
    member: Method | Function, clause: s.DecreasesTuple, measure: x.Expr
) -> Iterator[Candidate]:
    """An object does not get smaller, and the list or tree that hangs on it does."""
    if str(measure.type) != "Ref":
        return
    asked = [part for each in member.preconditions for part in conjuncts(each)]
    for part in asked:
        place = part.location if isinstance(part, a.Access) else None
        if isinstance(place, a.PredicateLocation) and measure in place.args:
            text = text_of(place)
            yield Candidate(
                (replaced(measure, text),),
                f"`{text_of(measure)}` is an object, which has no size: what gets smaller with "
                f"each call is the instance, so write `decreases {text}` in line "
                f"{clause.span.line}",
            )


def _of_values(case: Case, member: Method | Function, measure: x.Expr) -> Iterator[Candidate]:
    """A value of an ADT gets smaller where a part of it is taken, and ends with a constructor."""
    if not isinstance(measure, x.Var) or not isinstance(measure.type, AdtType):
        return
    adt, name = case.program.adts[measure.type.name], measure.name
    match case.construct:
        case x.FunctionApp(args=args) | s.MethodCall(args=args):
            same = [arg for arg in args if isinstance(arg, x.Var) and arg.name == name]
        case _:
            return
    parts = [p.name for c in adt.constructors for p in c.params if p.type == measure.type]
    for part in parts if same else ():
        text = f"{name}.{part}"
        yield Candidate(
            (replaced(same[0], text),),
            f"`{name}` is the same in the call: give it a part of that, `{text}` in place of "
            f"`{name}` in line {same[0].span.line}",
        )
    base = {"Int": "0", "Bool": "true", "Ref": "null"}.get(
        str(member.result) if isinstance(member, Function) else ""
    )
    for made in adt.constructors:
        if base is None or not isinstance(member.body, x.Expr):
            return
        if any(p.type == measure.type for p in made.params):
            continue
        whole = f"{name}.is{made.name} ? {base} : {member.body.span.text}"
        yield Candidate(
            (replaced(member.body, whole),),
            f"`{member.name}` calls itself in every case, and nothing ends that: give a value for "
            f"`{made.name}`, as in `{whole}`",
            within=False,
        )


def _of_instances(case: Case, measure: x.Expr) -> Iterator[Candidate]:
    """An instance of a predicate gets smaller where the call is about one inside of it."""
    match case.construct:
        case x.FunctionApp(args=args) | s.MethodCall(args=args):
            pass
        case _:
            return
    for text, inside in parts_inside(measure, case.program):
        for arg in [each for each in args if isinstance(each, x.Var) and each.name == text]:
            yield Candidate(
                (replaced(arg, inside),),
                f"`{text_of(measure).lstrip('#')}` is the same in the call: call it for a part, "
                f"`{inside}` in place of `{text}` in line {arg.span.line}",
            )


def parts_inside(measure: x.Expr, program: Program) -> Iterator[tuple[str, str]]:
    """`x` and `x.next` of `list(x)`, whose body has `list(x.next)`."""
    if not isinstance(measure, x.PredicateInstance):
        return
    predicate = program.predicates[measure.predicate]
    if predicate.body is None:
        return
    formals = [param.name for param in predicate.params]
    for node in descendants(predicate.body):
        if not isinstance(node, a.PredicateLocation) or node.predicate != predicate.name:
            continue
        for inner, own in zip(node.args, measure.args, strict=True):
            match inner, own:
                case x.FieldRead(x.Var(name), field), x.Var(given) if name in formals:
                    yield given, f"{given}.{field}"


def _of_arguments(case: Case, measure: x.Expr) -> Iterator[Candidate]:
    """A number that a call gives, and that is one step away from a smaller one: `n / 1`."""
    match case.construct:
        case x.FunctionApp(args=args) | s.MethodCall(args=args):
            pass
        case _:
            return
    if str(measure.type) != "Int" or wording_of(case.finding.span) is not VIPER:
        return
    for arg in [each for each in args if free_vars(each) & free_vars(measure)]:
        for node, text in changes_of(arg, {}):
            if isinstance(arg, x.Var):
                return
            edit = replaced(node, text)
            yield Candidate((edit,), said_changed(case.construct, edit, ""), weak=True)


def _first_measure(member: Method | Function, clause: s.DecreasesTuple) -> Iterator[Candidate]:
    """A number or the size of a parameter, which a recursive member has to name."""
    numbers = [param.name for param in member.params if str(param.type) == "Int"]
    sizes = [f"|{p.name}|" for p in member.params if isinstance(p.type, _SIZED)]
    for text in (*numbers, *sizes):
        edit = replaced(clause, f"decreases {text}")
        said = (
            "`decreases` alone says that it does not call itself, and it does: say what gets "
            f"smaller with each call, `decreases {text}`"
        )
        yield Candidate((edit,), said, within=False)
        fact = f"{text} >= 0"
        if text in numbers:
            edits = (*requires(member, fact), edit)
            yield Candidate(
                edits,
                f"{said}, and ask for a value from which it comes to an end, `requires {fact}`",
                within=False,
            )


def _between(member: Method | Function) -> Iterator[str]:
    """`n - i` where a precondition says `i <= n`."""
    names = {param.name for param in member.params}
    for clause in member.preconditions:
        for fact in conjuncts(clause):
            match fact:
                case x.Compare(x.CompareOp.LT | x.CompareOp.LE, x.Var(name) as low, high):
                    if name in names:
                        yield _difference(high, low)
                case x.Compare(x.CompareOp.GT | x.CompareOp.GE, high, x.Var(name) as low):
                    if name in names:
                        yield _difference(high, low)


def _tested_before(member: Method | Function, case: Case) -> Iterator[str]:
    """`100 - n` where the body calls itself unless `n > 100`."""
    at = case.finding.span
    for node in descendants(member):
        match node:
            case x.Conditional(condition, then) | s.If(condition, then):
                taken = then.span.encloses(at)
                if not taken and not node.span.encloses(at):
                    continue
            case _:
                continue
        match condition:
            case x.Compare(x.CompareOp.LT | x.CompareOp.LE, low, high):
                yield _difference(high, low) if taken else _difference(low, high)
            case x.Compare(x.CompareOp.GT | x.CompareOp.GE, high, low):
                yield _difference(high, low) if taken else _difference(low, high)
            case x.Equal(left, right) if not taken and str(left.type) == "Int":
                yield _difference(right, left)


def _of_parameters(member: Method | Function) -> Iterator[str]:
    numbers = [param.name for param in member.params if str(param.type) == "Int"]
    if len(numbers) > 1:
        yield from numbers
        yield " + ".join(numbers)
    yield from [f"|{p.name}|" for p in member.params if isinstance(p.type, _SIZED)]


_SIZED = (SeqType, SetType, MultisetType, MapType)


def _ended(case: Case) -> Iterator[Candidate]:
    """A method calls itself in every case: only where its measure is positive."""
    call, clause = case.construct, case.part
    if not isinstance(call, s.MethodCall) or not isinstance(clause, s.DecreasesTuple):
        return
    if len(clause.measures) == 1 and str(clause.measures[0].type) == "Int":
        measure, text = text_of(clause.measures[0]), call.span.text
        guarded = f"if ({measure} > 0) {{ {text} }}"
        yield Candidate(
            (replaced(call, guarded),),
            f"nothing stops the calls where `{measure}` is 0: write `{guarded}` in place of "
            f"`{text}`",
        )


def _distances(loop: s.While) -> Iterator[str]:
    """How far the counter is from its bound; a counter that goes down to a number, by itself."""
    for fact in conjuncts(loop.condition):
        match fact:
            case x.Compare(x.CompareOp.GT | x.CompareOp.GE, x.Var(name), x.IntLit()):
                yield name
            case x.Compare(x.CompareOp.LT | x.CompareOp.LE, x.IntLit(), x.Var(name)):
                yield name
        match fact:
            case x.Compare(x.CompareOp.LT | x.CompareOp.LE, low, high):
                yield _difference(high, low)
            case x.Compare(x.CompareOp.GT | x.CompareOp.GE, high, low):
                yield _difference(high, low)


def _difference(high: x.Expr, low: x.Expr) -> str:
    is_zero = isinstance(low, x.IntLit) and low.value == 0
    return text_of(high) if is_zero else f"{text_of(high)} - {text_of(low)}"


def _sums(loop: s.While) -> Iterator[str]:
    changed = [v.name for v in assigned_variables(loop) if str(v.type) == "Int"]
    if len(changed) > 1:
        yield " + ".join(dict.fromkeys(changed))
