"""What a body may have forgotten to do: assign what is promised, close and link a new object."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, place_of, substituted
from pitviper.explain.cures.edit import Candidate, words_for_end, words_for_front
from pitviper.explain.writing import at_end_of, in_front_of, invariants
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, rewrite
from pitviper.results.wording import VIPER, wording_of


def promised_change(case: Case) -> Iterator[Candidate]:
    """`x.f == old(x.f) + 1` is promised, and nothing assigns `x.f`; also of a function of it."""
    method, part = case.member, case.part
    if case.finding.error != "postcondition.violated" or not isinstance(method, Method):
        return
    if method.body is None or not isinstance(part, x.Equal):
        return
    if wording_of(case.finding.span) is not VIPER:
        return
    for left, right in ((part.left, part.right), (part.right, part.left)):
        yield from _assigned(case, method, method.body, left, right)


def _assigned(
    case: Case, method: Method, body: s.Block, left: x.Expr, right: x.Expr
) -> Iterator[Candidate]:
    """The value that is promised, assigned in front of a `fold` or at the end."""
    place, folded = _field_of(case, left)
    if place is None or any(
        isinstance(n, s.FieldAssign) and place_of(n) == text_of(place) for n in descendants(body)
    ):
        return
    if _is_changed_by_a_call(case, body, place):
        return
    value = rewrite(right, lambda n: place if _is_old_of(n, left) else None)
    is_of_itself = any(text_of(n) == text_of(left) for n in descendants(right))
    if any(isinstance(n, x.Old) for n in descendants(value)) or (is_of_itself and value == right):
        return
    text = f"{text_of(place)} := {text_of(value)}"
    named = f", which is `{text_of(left)}`" if folded else ""
    lead = f"nothing assigns `{text_of(place)}`{named}: write `{text}`"
    weak = value == right
    for node in body.statements:
        if isinstance(node, s.Fold):
            said = f"{lead} {words_for_front(node)}"
            yield Candidate((in_front_of(node, [text]),), said, weak=weak)
    end = words_for_end(body, method)
    yield Candidate((at_end_of(body, [text]),), f"{lead} {end}", weak=weak)
    if folded:
        steps = (f"unfold {folded}", text, f"fold {folded}")
        said = ", ".join([f"`{step}`" for step in steps])
        yield Candidate(
            (at_end_of(body, steps),),
            f"nothing assigns `{text_of(place)}`{named}: write {said} {end}",
            weak=weak,
        )


def _is_changed_by_a_call(case: Case, body: s.Block, place: x.FieldRead) -> bool:
    """Whether a callee has the field in its contract: what it ensures of it is the question."""
    calls = [n for n in descendants(body) if isinstance(n, s.MethodCall)]
    callees = [case.program.methods[n.method] for n in calls]
    return any(
        isinstance(node, a.FieldLocation | x.FieldRead) and node.field == place.field
        for callee in callees
        for clause in callee.postconditions
        for node in descendants(clause)
    )


def _field_of(case: Case, value: Node) -> tuple[x.FieldRead | None, str]:
    """The field that a promise speaks of, with the instance that a function opens for it."""
    match value:
        case x.FieldRead():
            return value, ""
        case x.FunctionApp(function, args):
            declared = case.program.functions.get(function)
            body = None if declared is None else declared.body
            folded = ""
            if isinstance(body, x.Unfolding) and declared is not None:
                folded = text_of(substituted(body.predicate, declared.params, args))
                body = body.body
            if isinstance(body, x.FieldRead) and declared is not None:
                return substituted(body, declared.params, args), folded
    return None, ""


def _is_old_of(node: Node, value: Node) -> bool:
    return isinstance(node, x.Old) and text_of(node.operand) == text_of(value)


def closed_new(case: Case) -> Iterator[Candidate]:
    """A new object is linked in, and the predicate asks for an instance of it: it is made first."""
    method, fold = case.member, case.construct
    if not isinstance(method, Method) or not isinstance(fold, s.Fold):
        return
    predicate = case.program.predicates[fold.predicate.predicate]
    made = {n.target.name for n in descendants(method) if isinstance(n, s.New)}
    for node in [n for n in descendants(method) if isinstance(n, s.FieldAssign)]:
        if not isinstance(node.value, x.Var) or node.value.name not in made:
            continue
        if len(predicate.params) != 1:
            continue
        name = node.value.name
        steps = _steps(predicate.name, predicate.body, predicate.params[0].name, name)
        for chosen in (steps, [step for step in steps if ":=" not in step]):
            said = ", ".join([f"`{step}`" for step in chosen])
            yield Candidate(
                (in_front_of(node, chosen),),
                f"`{node.span.text}` (line {node.span.line}) links a new object, of which "
                f"`{predicate.name}({name})` was not made: write {said} {words_for_front(node)}",
            )


def ended_new(case: Case) -> Iterator[Candidate]:
    """A new object has links that nothing has set: `n.next := null` ends what begins with it."""
    method, fold = case.member, case.construct
    if not isinstance(method, Method) or not isinstance(fold, s.Fold):
        return
    predicate = case.program.predicates[fold.predicate.predicate]
    made = {n.target.name: n for n in descendants(method) if isinstance(n, s.New)}
    args = [arg.name for arg in fold.predicate.args if isinstance(arg, x.Var)]
    if len(args) != 1 or args[0] not in made or predicate.body is None:
        return
    name = args[0]
    links = [
        f"{name}.{n.args[0].field}"
        for n in descendants(predicate.body)
        if _is_next(n, predicate.name, predicate.params[0].name)
        and isinstance(n, a.PredicateLocation)
        and isinstance(n.args[0], x.FieldRead)
    ]
    is_set = {
        f"{text_of(n.receiver)}.{n.field}"
        for n in descendants(method)
        if isinstance(n, s.FieldAssign)
    }
    steps = [f"{link} := null" for link in dict.fromkeys(links) if link not in is_set]
    if not steps:
        return
    said = " and ".join([f"`{step}`" for step in steps])
    yield Candidate(
        (in_front_of(fold, steps),),
        f"nothing says where `{steps[0].partition(' ')[0]}` points to, as `new` gives any value: "
        f"write {said} {words_for_front(fold)}",
    )
    folds = [f"fold {predicate.name}({step.partition(' ')[0]})" for step in steps]
    both = " and ".join([f"`{step}`" for step in (*steps, *folds)])
    yield Candidate(
        (in_front_of(fold, [*steps, *folds]),),
        f"nothing says where `{steps[0].partition(' ')[0]}` points to, as `new` gives any value: "
        f"write {both} {words_for_front(fold)}",
    )


def _steps(name: str, body: a.Assertion | None, param: str, made: str) -> list[str]:
    """`n.next := null`, `fold list(n.next)`, `fold list(n)`: the last one of a list."""
    inner = [] if body is None else [n for n in descendants(body) if _is_next(n, name, param)]
    steps = list[str]()
    for node in inner:
        assert isinstance(node, a.PredicateLocation)
        place = text_of(node.args[0]).replace(f"{param}.", f"{made}.", 1)
        steps += [f"{place} := null", f"fold {name}({place})"]
    return [*steps, f"fold {name}({made})"]


def _is_next(node: Node, name: str, param: str) -> bool:
    return (
        isinstance(node, a.PredicateLocation)
        and node.predicate == name
        and len(node.args) == 1
        and isinstance(node.args[0], x.FieldRead)
        and text_of(node.args[0].receiver) == param
    )


def chosen_from(case: Case) -> Iterator[Candidate]:
    """A variable that nothing assigns, in a loop while a set is not empty: one of its elements."""
    method = case.member
    match case.part:
        case s.FieldAssign(x.Var(name)) | x.FieldRead(x.Var(name)):
            pass
        case _:
            return
    if not isinstance(method, Method) or method.body is None:
        return
    if name in {p.name for p in method.params} or wording_of(case.finding.span) is not VIPER:
        return
    for loop in [n for n in descendants(method) if isinstance(n, s.While)]:
        if not loop.body.span.encloses(case.finding.span):
            continue
        sizes = [n for n in descendants(loop.condition) if isinstance(n, x.Cardinality)]
        for size in [n for n in sizes if str(n.collection.type) == "Set[Ref]"]:
            whole = text_of(size.collection)
            first = next((n for n in loop.body.statements if _uses(n, name)), None)
            if first is None:
                continue
            text = f"assume {name} in {whole}"
            said = f"`{name}` is never assigned: choose one of `{whole}`, which is not empty here, "
            front = f"`{text}` {words_for_front(first)}"
            yield Candidate((in_front_of(first, [text]),), f"{said}{front}")
            for other in _held_of(loop):
                fact = f"{whole} subset {other}"
                yield Candidate(
                    (*invariants(loop, [fact]), in_front_of(first, [text])),
                    f"{said}{front}, and add `invariant {fact}`",
                    further=True,
                )


def _uses(node: s.Stmt, name: str) -> bool:
    is_declared = isinstance(node, s.Declare)
    return not is_declared and any(
        isinstance(n, x.Var) and n.name == name for n in descendants(node)
    )


def _held_of(loop: s.While) -> Iterator[str]:
    """Sets of which the invariants hold a field of all elements."""
    for clause in loop.invariants:
        for node in descendants(clause):
            if isinstance(node, a.QuantifiedPermission):
                for inner in descendants(node.condition):
                    if isinstance(inner, x.SetContains):
                        yield text_of(inner.set)
