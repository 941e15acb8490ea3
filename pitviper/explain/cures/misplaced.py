"""Other places and values than those that are meant: an index, a field, what a promise names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from pitviper.explain.advice.case import Case, conjuncts
from pitviper.explain.cures.changes import parts_of
from pitviper.explain.cures.edit import Candidate, edited_in, loses_an_argument
from pitviper.explain.cures.forgotten import Assigned, target_of
from pitviper.explain.cures.mutations import said_changed, steps_before
from pitviper.explain.writing import behind, replaced
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars, rewrite
from pitviper.results.wording import VIPER, wording_of
from pitviper.source.edit import Edit
from pitviper.source.span import Span


def misplaced(case: Case) -> Iterator[Candidate]:
    """Permission is missing to what nobody meant: an index beyond the end, another field."""
    member = case.member
    if (
        not isinstance(member, Method)
        or member.body is None
        or wording_of(member.span) is not VIPER
    ):
        return
    if any(held.startswith("forall") for held in case.finding.held):
        yield from _beyond(case, member)
    if case.finding.error in ("fold.failed", "call.precondition"):
        yield from _other_fields(case, member.body)
    if case.finding.error == "postcondition.violated":
        yield from _one_too_many(case, member)


def _beyond(case: Case, method: Method) -> Iterator[Candidate]:
    """A condition around the failing place that lets in one value too many."""
    around = [
        node
        for node in descendants(method)
        if isinstance(node, s.While | s.If) and node.span.encloses(case.finding.span)
    ]
    for node in reversed(around):
        for fact in conjuncts(node.condition):
            match fact:
                case x.Compare(x.CompareOp.LE | x.CompareOp.GE as op, left, right):
                    text = f"{left.span.text} {op.value[0]} {right.span.text}"
                    edit = replaced(fact, text)
                    yield Candidate((edit,), said_changed(node.condition, edit, "the condition "))


def _one_too_many(case: Case, method: Method) -> Iterator[Candidate]:
    """A promise of permissions for one value more than there are: `i <= n`."""
    for clause in method.postconditions:
        for node in descendants(clause):
            if not isinstance(node, a.QuantifiedPermission) or case.part is None:
                continue
            if not node.span.encloses(case.part.span):
                continue
            for fact in conjuncts(node.condition):
                match fact:
                    case x.Compare(x.CompareOp.LE | x.CompareOp.GE as op, left, right):
                        meant = f"{left.span.text} {op.value[0]} {right.span.text}"
                        yield Candidate(
                            (replaced(fact, meant),),
                            f"`{fact.span.text}` promises one more than is held: write `{meant}` "
                            f"in line {fact.span.line}",
                            within=False,
                        )


def _other_fields(case: Case, body: s.Block) -> Iterator[Candidate]:
    """An assignment to a field, or from one, of which there is another of the same type."""
    kinds = {field.name: str(field.type) for field in case.program.fields.values()}
    for node in reversed(list(steps_before(body, case))):
        if not isinstance(node, s.FieldAssign | s.LocalAssign | s.MethodCall):
            continue
        values = node.args if isinstance(node, s.MethodCall) else (node.value,)
        reads = [n for value in values for n in parts_of(value) if isinstance(n, x.FieldRead)]
        places = [(n.field, n.span.end) for n in reads]
        if isinstance(node, s.FieldAssign):
            target = f"{node.receiver.span.text}.{node.field}"
            if node.span.text.startswith(target):
                places.insert(0, (node.field, node.span.start + len(target)))
        for name, end in places:
            for other in [o for o in kinds if o != name and kinds[o] == kinds[name]]:
                edit = Edit(Span(node.span.file, end - len(name), end), other)
                yield Candidate((edit,), said_changed(node, edit, ""), weak=True)


def other_order(case: Case) -> Iterator[Candidate]:
    """Two arguments of a failing call, each in the place of the other."""
    call = case.construct
    if not isinstance(call, s.MethodCall | x.FunctionApp):
        return
    name = call.method if isinstance(call, s.MethodCall) else call.function
    for one, two in combinations(call.args, 2):
        first, second = one.span.text, two.span.text
        if str(one.type) != str(two.type) or first == second:
            continue
        if not free_vars(one) and not free_vars(two):
            continue  # which number is meant where is nothing that a name tells
        args = ", ".join([{one: second, two: first}.get(arg, arg.span.text) for arg in call.args])
        yield Candidate(
            (replaced(one, second), replaced(two, first)),
            f"are the arguments of `{name}` in line {call.span.line} exchanged? Write "
            f"`{name}({args})`",
        )


def other_branch(case: Case) -> Iterator[Candidate]:
    """The values that two branches assign, each in the place of the other."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or part is None or wording_of(method.span) is not VIPER:
        return
    for node in descendants(method):
        if not isinstance(node, s.If):
            continue
        for one, two in combinations(_only_assigned(node), 2):
            place = target_of(one)
            if place != target_of(two) or place not in _spoken_of(part):
                continue
            apart = one.span.line != two.span.line
            first, other = (
                (f"line {one.span.line}", f"line {two.span.line}")
                if apart
                else ("the first", "the other")
            )
            yield Candidate(
                (
                    replaced(one.value, two.value.span.text),
                    replaced(two.value, one.value.span.text),
                ),
                f"are the values of `{place}` in the branches of the `if` in line "
                f"{node.span.line} exchanged? Write `{place} := {two.value.span.text}` in "
                f"{first} and `{place} := {one.value.span.text}` in {other}",
                values=True,
                weak=True,
            )


def _only_assigned(node: s.If) -> list[Assigned]:
    """The assignments of branches that do nothing else, of `elseif` as well."""
    found = list[Assigned]()
    for block in (node.then, node.otherwise):
        match block.statements:
            case (s.If() as further,) if block is node.otherwise:
                found += _only_assigned(further)
            case (one,) if isinstance(one, Assigned):
                found.append(one)
            case _:
                pass
    return found


def _spoken_of(part: Node) -> set[str]:
    return {text_of(node) for node in descendants(part) if isinstance(node, x.Var | x.FieldRead)}


def other_object(case: Case) -> Iterator[Candidate]:
    """A statement about one object that is written for another one, as copied lines are."""
    method = case.member
    if not isinstance(method, Method) or method.body is None:
        return
    if case.finding.error != "postcondition.violated" or wording_of(method.span) is not VIPER:
        return
    names = [v.name for v in (*method.params, *method.returns) if str(v.type) == "Ref"]
    for node in reversed(list(steps_before(method.body, case))):
        if not isinstance(node, s.FieldAssign) or not isinstance(node.receiver, x.Var):
            continue
        own = node.receiver.name
        uses = [n for n in descendants(node) if isinstance(n, x.Var) and n.name == own]
        for other in [name for name in names if name != own and len(uses) > 1]:
            edits = tuple([replaced(n, other) for n in sorted(uses, key=lambda n: n.span.start)])
            text = re.sub(rf"\b{re.escape(own)}\b", other, node.span.text)
            yield Candidate(
                edits,
                f"is `{node.span.text}` (line {node.span.line}) about `{other}`? Write `{text}`",
                values=True,
            )


def other_field(case: Case) -> Iterator[Candidate]:
    """A step of one field that is written for another one, where a promise speaks of that."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or method.body is None or part is None:
        return
    if case.finding.error != "postcondition.violated" or wording_of(method.span) is not VIPER:
        return
    kinds = {field.name: str(field.type) for field in case.program.fields.values()}
    told = {node.field for node in descendants(part) if isinstance(node, x.FieldRead)}
    for node in reversed(list(steps_before(method.body, case))):
        if not isinstance(node, s.FieldAssign) or ":=" not in node.span.text:
            continue
        for other in sorted(told - {node.field}):
            if kinds.get(other) != kinds.get(node.field):
                continue
            text = re.sub(rf"\.{re.escape(node.field)}\b", f".{other}", node.span.text)
            target, _, value = node.span.text.partition(":=")
            only = f"{target.rstrip().removesuffix(node.field)}{other} :={value}"
            for meant in dict.fromkeys([text, only]):
                yield Candidate(
                    (replaced(node, meant),),
                    f"is `{node.span.text}` (line {node.span.line}) about `{other}`? Write "
                    f"`{meant}`",
                    values=True,
                )


def other_results(case: Case) -> Iterator[Candidate]:
    """Two results of a call, each in the variable of the other."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or method.body is None or part is None:
        return
    if wording_of(method.span) is not VIPER:
        return
    for node in reversed(list(steps_before(method.body, case))):
        if not isinstance(node, s.MethodCall) or len(node.targets) < 2:
            continue
        for one, two in combinations(node.targets, 2):
            left, sign, right = node.span.text.partition(":=")
            if one.type != two.type or not sign:
                continue
            names = [name.strip() for name in left.removeprefix("var").split(",")]
            other = {one.name: two.name, two.name: one.name}
            if not {one.name, two.name} <= set(names):
                continue
            meant = f"{', '.join([other.get(name, name) for name in names])} :={right}"
            yield Candidate(
                (replaced(node, meant),),
                f"are the results of `{node.method}` in line {node.span.line} exchanged? Write "
                f"`{meant}`",
            )


def other_callee(case: Case) -> Iterator[Candidate]:
    """A call of one method where another one with the same parameters is meant."""
    method = case.member
    if not isinstance(method, Method) or method.body is None or case.part is None:
        return
    if wording_of(method.span) is not VIPER or case.finding.error == "call.precondition":
        return
    for node in reversed(list(steps_before(method.body, case))):
        if not isinstance(node, s.MethodCall):
            continue
        own = case.program.methods[node.method]
        for other in case.program.methods.values():
            if other.name in (own.name, method.name) or not other.returns:
                continue
            if _types(other) != _types(own) or f"{own.name}(" not in node.span.text:
                continue
            meant = node.span.text.replace(f"{own.name}(", f"{other.name}(", 1)
            yield Candidate(
                (replaced(node, meant),),
                f"is `{own.name}` in line {node.span.line} what you mean? Write `{meant}`",
            )


def other_argument(case: Case) -> Iterator[Candidate]:
    """A call that is made twice with the same arguments, as copied lines are."""
    method = case.member
    if not isinstance(method, Method) or method.body is None or case.part is None:
        return
    if wording_of(method.span) is not VIPER or case.finding.error == "call.precondition":
        return
    made = [n for n in steps_before(method.body, case) if isinstance(n, s.MethodCall)]
    for at, node in enumerate(made):
        same = [n for n in made[:at] if n.method == node.method and n.args == node.args]
        for arg in node.args if same else ():
            for meant in _others(case, method, arg):
                edit = replaced(arg, meant)
                yield Candidate(
                    (edit,),
                    f"lines {same[0].span.line} and {node.span.line} call `{node.method}` "
                    f"with the same arguments: write `{edited_in(node.span, edit)}`",
                )


def _others(case: Case, method: Method, value: x.Expr) -> Iterator[str]:
    """What may be meant by a copied argument: another field, another parameter."""
    match value:
        case x.FieldRead(receiver, field):
            fields = case.program.fields
            for other in fields.values():
                if other.name != field and other.type == fields[field].type:
                    yield f"{receiver.span.text}.{other.name}"
        case x.Var(name):
            yield from [p.name for p in method.params if p.type == value.type and p.name != name]


def element_or_index(case: Case) -> Iterator[Candidate]:
    """A variable that gets an index where the element is meant, or the other way round."""
    method = case.member
    if not isinstance(method, Method) or method.body is None or case.part is None:
        return
    reads = {n.span.text: n for n in descendants(method) if isinstance(n, x.SeqIndex)}
    for node in reversed(list(steps_before(method.body, case))):
        if not isinstance(node, Assigned) or node.value.span.text == node.span.text:
            continue
        for text, read in reads.items():
            index = read.index.span.text
            if read.type != read.index.type or not text.endswith(f"[{index}]"):
                continue
            for own, meant in ((index, text), (text, index)):
                if node.value.span.text == own:
                    edit = replaced(node.value, meant)
                    yield Candidate((edit,), said_changed(node, edit, ""), values=True)


def _types(method: Method) -> list[str]:
    return [str(v.type) for v in (*method.params, *method.returns)] + [str(len(method.params))]


def missing_case(case: Case) -> Iterator[Candidate]:
    """A promise names a value for some arguments, and no case of the body gives it."""
    function = case.member
    if not isinstance(function, Function) or not isinstance(function.body, x.Expr):
        return
    if case.finding.error != "postcondition.violated" or wording_of(function.span) is not VIPER:
        return
    match case.part:
        case x.Implies(condition, x.Equal(x.Result(), value) | x.Equal(value, x.Result())):
            pass
        case _:
            return
    body = function.body.span.text
    if any(isinstance(node, x.Result) for node in descendants(value)) or "\n" in body:
        return
    rest = f"({body})" if isinstance(function.body, x.Conditional) else body
    meant = f"{condition.span.text} ? {value.span.text} : {rest}"
    yield Candidate(
        (replaced(function.body, meant),),
        f"no case of the body (line {function.body.span.line}) is for `{condition.span.text}`: "
        f"write `{meant}`",
        values=True,
    )


def once_more(case: Case) -> Iterator[Candidate]:
    """A call that does a part of what is promised: it may be made again."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or method.body is None or not isinstance(part, x.Equal):
        return
    if case.finding.error != "postcondition.violated" or wording_of(method.span) is not VIPER:
        return
    for node in reversed(method.body.statements):
        if isinstance(node, s.MethodCall) and not node.targets:
            yield Candidate(
                (behind(node, node.span.text),),
                f"line {node.span.line} makes a part of this true: call `{node.method}` once "
                f"more, `{node.span.text}` after it",
                weak=True,
            )


def as_promised(case: Case) -> Iterator[Candidate]:
    """A part of an assigned value, or all of it, that is not the one that a promise names."""
    method, part = case.member, case.part
    if case.finding.error != "postcondition.violated" or not isinstance(part, x.Expr):
        return
    if not isinstance(method, Method) or method.body is None:
        return
    if wording_of(method.span) is not VIPER:
        return
    known = {param.name for param in method.params}
    steps = [n for n in steps_before(method.body, case) if isinstance(n, Assigned)]
    for place, text, kind in _promised(part, known):
        for node in reversed(steps):
            leaves = [n for n in parts_of(node.value) if isinstance(n, _LEAVES)]
            for inner in leaves:
                other = inner is not node.value and str(inner.type) == kind
                if other and not loses_an_argument(method, inner, text):
                    yield _written(node, inner, text)
            same = target_of(node) == place and str(node.value.type) == kind
            if same and not loses_an_argument(method, node.value, text):
                yield _written(node, node.value, text)


_LEAVES = (x.IntLit, x.BoolLit, x.Var)


def _written(node: s.Stmt, value: x.Expr, text: str) -> Candidate:
    edit = replaced(value, text)
    return Candidate((edit,), said_changed(node, edit, ""), values=True, weak=True)


def _promised(part: x.Expr, known: set[str]) -> Iterator[tuple[str, str, str]]:
    """Places with the values that a promise gives them, as text, and their types."""
    match part:
        case x.Equal(left, right):
            for one, other in ((left, right), (right, left)):
                if any(isinstance(n, x.Destruct) for n in descendants(other)):
                    continue  # which constructor made the value is another question
                if free_vars(other) <= known and not isinstance(other, x.Var) and free_vars(one):
                    yield text_of(one), text_of(_at_start(other)), str(other.type)
        case x.Not(operand):
            yield text_of(operand), "false", "Bool"
        case x.FieldRead() | x.Var():
            yield text_of(part), "true", "Bool"


def _at_start(value: x.Expr) -> x.Expr:
    """A value of the start as the body reads it, before it has changed something."""
    return rewrite(value, lambda n: n.operand if isinstance(n, x.Old) and n.label is None else None)
