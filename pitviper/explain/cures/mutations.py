"""Small slips: one operator, name or number of a body that is another one than meant.

Only what may have made the failing formula false is touched: the assignments to what it speaks of,
the conditions around them, and invariants; never the formula itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import LONGEST, Case, call_of, conjuncts, place_of, substituted
from pitviper.explain.advice.facts.written import unassigned_paths
from pitviper.explain.advice.objects.objects import fields_behind, is_of_instance
from pitviper.explain.cures.changes import changes_of, left_out, negated, other_parts, parts_of
from pitviper.explain.cures.clauses.strict import is_at_border
from pitviper.explain.cures.edit import (
    Candidate,
    edited_in,
    loses_an_argument,
    never_called,
    statement_at,
)
from pitviper.explain.writing import Edits, at_start_of, replaced, requires
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import children, descendants, free_vars
from pitviper.results.wording import VIPER, wording_of
from pitviper.source.edit import Edit
from pitviper.source.span import Span

MOST = 48
"""Slips that are looked at for one finding."""


def slips(case: Case) -> Iterator[Candidate]:
    """Those of assignments first, then of invariants, then of conditions."""
    member = case.member
    if not isinstance(member, Method | Function) or member.body is None or case.part is None:
        return
    tried, at_border = set[Edit](), is_at_border(case)
    for owner, expression, known in _touched(case, member):
        kind, names = _kind(owner, member), _likely_first(known, owner, case.part, member)
        for node, text in _in_order(
            owner,
            [
                *_second_first(changes_of(expression, names)),
                *negated(owner, expression),
                *other_parts(expression, case.program),
                *left_out(expression, member, case.program),
            ],
        ):
            if len(tried) == MOST:
                return
            if not _is_written(node) or not _is_sensible(case, owner, node, text):
                continue
            if isinstance(owner, s.Stmt) and node.span == owner.span:
                continue  # what a language makes of a statement has no text of its own
            if _says_nothing(expression, node, text) or _assigns_itself(owner, node, text):
                continue
            if loses_an_argument(member, node, text) and not _is_receiver(owner, node):
                continue  # an argument that is given is needed somewhere
            if at_border and text in (f"{node.span.text} + 1", f"{node.span.text} - 1"):
                continue  # the promise is off by one, and not the body
            if kind == "the invariant " and not _is_border(node, text):
                continue
            if isinstance(node, x.IntLit) and text.isidentifier() and _is_first(owner, member):
                continue  # a variable begins with a number, and goes on
            if case.finding.reason == "map.key.contains" and isinstance(node, x.IntLit):
                continue  # any other key is as good as this one
            if case.finding.error == "apply.failed" and isinstance(node, x.IntLit):
                continue  # a wand says what values may be, and not which one is meant
            edit = replaced(node, text)
            if edit in tried:
                continue
            tried.add(edit)
            never = never_taken(owner, member, edit)
            yield Candidate(
                (edit,), said_changed(owner, edit, kind), values=True, weak=True, never=never
            )


def _is_first(owner: Node, member: Method | Function) -> bool:
    """Whether an assignment gives a variable its first value of several."""
    if not isinstance(owner, s.LocalAssign) or not isinstance(owner.value, x.IntLit):
        return False
    steps = [n for n in descendants(member) if isinstance(n, s.LocalAssign)]
    return sum(n.target == owner.target for n in steps) > 1


def _likely_first(
    names: dict[str, str], owner: Node, part: Node, member: Method | Function
) -> dict[str, str]:
    """Variables of the failing formula first, then those of the conditions around a place."""
    around = [
        node.condition
        for node in descendants(member)
        if isinstance(node, s.If | s.While) and node.span.encloses(owner.span)
    ]
    told = free_vars(part)
    tested = {name for condition in around for name in free_vars(condition)}
    return dict(
        sorted(names.items(), key=lambda each: (each[0] not in told, each[0] not in tested))
    )


def tightened(case: Case) -> Iterator[Candidate]:
    """A precondition lets in one value too many, or asks for one of two things that are needed."""
    member = case.member
    if not isinstance(member, Method | Function) or member.body is None:
        return
    facts = [fact for clause in member.preconditions for fact in conjuncts(clause)]
    for fact in facts:
        text = fact.span.text
        if not member.span.encloses(fact.span):
            continue
        match fact:
            case x.Compare(x.CompareOp.LE | x.CompareOp.GE as op, left, right):
                meant = text.replace(op.value, op.value[0], 1)
                one, two = (right, left) if isinstance(left, x.IntLit) else (left, right)
                lead = f"lets `{text_of(one)}` be `{text_of(two)}`, too"
            case x.Equal(left, x.IntLit(0 | 1 as value) as right) if free_vars(left):
                if text.count("==") != 1 or not text.endswith(right.span.text):
                    continue
                meant = f"{text.removesuffix(right.span.text)}{1 - value}"
                lead = "may ask for the other case"
            case x.Or(operands) if len(operands) == 2 and text.count("||") == 1:
                meant = text.replace("||", "&&")
                lead = "asks for one of both only"
            case _:
                continue
        edits = (replaced(fact, meant),)
        yield Candidate(
            edits,
            f"line {fact.span.line} {lead}: write `{meant}` there, in place of `{text}`",
            within=False,
            values=True,
            weak=True,
            never=never_called(member, edits),
        )


def weakened(case: Case) -> Iterator[Candidate]:
    """An invariant that is the condition of its loop, with what makes the weaker one true first."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or not isinstance(part, x.Compare) or part.op not in _WEAKER:
        return
    for loop in [n for n in descendants(method) if isinstance(n, s.While)]:
        if text_of(loop.condition) != text_of(part) or not loop.span.encloses(part.span):
            continue
        weaker = f"{text_of(part.left)} {_WEAKER[part.op]} {text_of(part.right)}"
        edit = replaced(part, weaker)
        clause = _clause_with(loop, edit)
        text = weaker if clause is None else f"invariant {clause}"
        place = " in its place" if clause is None else ""
        lead = f"when the loop ends `{text_of(part)}` is false: write `{text}`{place}"
        yield Candidate((edit,), lead)
        steps = [
            n
            for n in (method.body.statements if method.body is not None else ())
            if isinstance(n, s.LocalAssign) and n.span.end <= loop.span.start
        ]
        targets = tuple([n.target for n in steps])
        first = substituted(part, targets, tuple([n.value for n in steps]))
        if free_vars(first) <= {param.name for param in method.params} and free_vars(first):
            fact = f"{text_of(first.left)} {_WEAKER[part.op]} {text_of(first.right)}"
            edits = (edit, *requires(method, fact))
            yield Candidate(
                edits,
                f"{lead}, and ask for what makes it true at the start, `requires {fact}`",
                within=False,
                never=never_called(method, edits),
            )


def _clause_with(loop: s.While, edit: Edit) -> str | None:
    """The whole invariant as an edit of a part leaves it, where that is short."""
    for clause in loop.invariants:
        if clause.span.encloses(edit.span):
            whole = edited_in(clause.span, edit)
            if len(whole) <= LONGEST and "\n" not in whole:
                return whole
    return None


_WEAKER = {x.CompareOp.LT: "<=", x.CompareOp.GT: ">="}


def assigned_otherwise(case: Case) -> Iterator[Candidate]:
    """A result that is assigned in one branch only may be a parameter in the other."""
    method = case.member
    if not isinstance(method, Method) or method.body is None or case.part is None:
        return
    at_end = case.finding.error == "postcondition.violated"
    before = method.body.span.end if at_end else case.finding.span.start
    for result in method.returns:
        branch = unassigned_paths(method.body, result.name, before)
        if branch is None or result.name not in free_vars(case.part):
            continue
        first, branch = branch, _last_of_chain(branch)
        lead = f"only if `{branch.condition.span.text}` (line {branch.span.line})"
        if first is not branch:
            lead = f"only in the branches of the `if` of line {first.span.line}"
        if branch.otherwise.statements or not branch.span.text.endswith(branch.then.span.text):
            continue
        end = branch.then.span.end
        place = Span(branch.span.file, end, end)
        others = [p.name for p in method.params if p.type == result.type]
        for value in dict.fromkeys([*_promised_values(method, result), *others]):
            text = f"else {{ {result.name} := {value} }}"
            yield Candidate(
                (Edit(place, f" {text}"),),
                f"`{result.name}` is assigned {lead}, and may have any value otherwise: write "
                f"`{text}` after it",
                values=True,
            )


def _last_of_chain(branch: s.If) -> s.If:
    """The last `elseif` behind an `if`."""
    match branch.otherwise.statements:
        case (s.If() as other,) if "elseif" in branch.span.text:
            return _last_of_chain(other)
        case _:
            return branch


def _promised_values(method: Method, result: x.Var) -> Iterator[str]:
    """Values that promises give to a result, by the parameters."""
    known = {param.name for param in method.params}
    for clause in method.postconditions:
        for node in descendants(clause):
            match node:
                case x.Equal(left, right) if result in (left, right):
                    other = right if left == result else left
                    is_early = not any(
                        isinstance(n, x.Old | x.FieldRead) for n in descendants(other)
                    )
                    if free_vars(other) <= known and is_early:
                        yield text_of(other)


def _is_border(node: Node, text: str) -> bool:
    """Whether only the last value is in or out: a loop that goes the other way may never run."""
    if not isinstance(node, x.Compare):
        return True
    sign = text[len(node.left.span.text) :].split()[0]
    return sign[0] == node.op.value[0]


def _kind(owner: Node, member: Method | Function) -> str:
    """What a formula is that is no statement: `the invariant `, `the condition `."""
    for node in descendants(member):
        if isinstance(node, s.While) and any(i.span.encloses(owner.span) for i in node.invariants):
            return "the invariant "
        if isinstance(node, s.If) and node.condition is owner:
            return "the condition "
    return ""


def changed(owner: Node, node: Node, text: str) -> Candidate:
    """One change of what an owner says, which concerns others than the failing member."""
    edit = replaced(node, text)
    return Candidate((edit,), said_changed(owner, edit, ""), within=False, weak=True)


def said_changed(owner: Node, edit: Edit, kind: str) -> str:
    """The line as it would be; a long one by what changes in it."""
    span = owner.span
    if isinstance(owner, s.While):
        span, kind = owner.condition.span, "the condition "
    at, whole = edit.span, edited_in(span, edit)
    if len(whole) <= LONGEST and "\n" not in whole:
        return f"is {kind}`{span.text}` (line {span.line}) what you mean? Write `{whole}`"
    return f"is `{at.text}` in line {span.line} what you mean? Write `{edit.text}`"


def _is_written(node: Node) -> bool:
    """Whether a node stands in the text as what it is: languages make some that do not."""
    text = node.span.text
    match node:
        case x.Compare(op, left, right):
            return op.value in _between(left, right)
        case x.Equal(left, right):
            return "==" in _between(left, right)
        case x.NotEqual(left, right):
            return "!=" in _between(left, right)
        case x.And(operands) | x.Or(operands):
            return all(
                text.startswith(operand.span.text) or operand.span.text in text
                for operand in operands
            ) and ("&&" in text or "||" in text)
        case x.Var(name):
            return text == name
        case x.IntLit(value):
            return text == str(value)
        case _:
            return text.strip() != ""


def _between(left: Node, right: Node) -> str:
    """The text between two operands."""
    return left.span.file.text[left.span.end : right.span.start]


def _says_nothing(expression: x.Expr, node: Node, text: str) -> bool:
    """Whether a change compares something with itself: `n <= n` mends nothing."""
    for one in parts_of(expression):
        if isinstance(one, x.Compare | x.Equal | x.NotEqual):
            sides = {id(one.left): one.right, id(one.right): one.left}
            if id(node) in sides and sides[id(node)].span.text == text:
                return True
    return False


def _assigns_itself(owner: Node, node: Node, text: str) -> bool:
    """Whether a change gives a variable or a field what it has: `r := r` does nothing."""
    match owner:
        case s.LocalAssign(target, value):
            return value is node and text == target.name
        case s.FieldAssign(_, _, value):
            return value is node and text == place_of(owner)
        case _:
            return False


def _is_other_way(case: Case, node: Node) -> bool:
    """Whether a step up or down goes the other way than a promise says: `x >= old(x)`."""
    steps = (x.IntOp.ADD, x.IntOp.SUB)
    is_step = isinstance(node, x.IntArith) and node.op in steps
    return is_step and _is_exact(case, x.Compare)


def _is_exact(case: Case, kinds: type[Node] = x.Equal) -> bool:
    """Whether a promise says what a value is at the end, by what it was."""
    if case.finding.error != "postcondition.violated" or case.part is None:
        return False
    said: list[Node] = [case.part]
    if is_of_instance(case) and isinstance(case.member, Method):
        said = [fact for clause in case.member.postconditions for fact in conjuncts(clause)]
    return any(
        isinstance(fact, kinds) and any(isinstance(node, x.Old) for node in descendants(fact))
        for fact in said
    )


def _is_sensible(case: Case, owner: Node, node: Node, text: str) -> bool:
    """A step that counts a place up or down is believed to be meant so, unless a promise says what
    it is to be; arguments are given."""
    match owner:
        case s.FieldAssign() if _is_exact(case) or _is_other_way(case, node):
            return True
        case s.While():
            return not isinstance(node, x.Var) and _is_border(node, text)
        case s.LocalAssign(target, value) if node is value and _is_said_exactly(case, target):
            return True
        case s.LocalAssign(target, x.IntArith(_, x.Var(name), right)) if target.name == name:
            if isinstance(node, x.IntLit):
                return text == "1" or _is_related(case, target)
            if isinstance(right, x.IntArith) and any(n is node for n in descendants(right)):
                return True
            if isinstance(right, x.IntLit) and case.finding.reason != "assertion.false":
                return False  # it counts, and any other index that makes sense would do
            return isinstance(node, x.Var) and text.isidentifier()
        case s.FieldAssign(value=x.IntArith(left=x.FieldRead() as left)):
            return place_of(owner) != text_of(left) or (
                isinstance(node, x.Var) and text.isidentifier()
            )
        case s.MethodCall(method) if case.member and method == getattr(case.member, "name", ""):
            return (
                isinstance(node, x.Var) and text.isidentifier()
            )  # a number that is changed may never come to an end
        case s.MethodCall():
            return not isinstance(node, x.IntLit | x.BoolLit)
        case _:
            return True


def _is_receiver(owner: Node, node: Node) -> bool:
    """Whether an object is the one of which a field is assigned: another one is kept by that."""
    return isinstance(owner, s.FieldAssign) and owner.receiver is node


def _is_related(case: Case, target: x.Var) -> bool:
    """Whether the failing formula is an equation in which a variable stands."""
    return isinstance(case.part, x.Equal) and target.name in free_vars(case.part)


def _is_said_exactly(case: Case, target: x.Var) -> bool:
    """Whether the failing formula says what a variable is, by a function: `r == pow(b, i)`."""
    match case.part:
        case x.Equal(left, right) if target in (left, right):
            other = right if left == target else left
            return isinstance(other, x.FunctionApp)
        case _:
            return False


Touched = tuple[Node, x.Expr, dict[str, str]]


def _touched(case: Case, member: Method | Function) -> Iterator[Touched]:
    """What may be wrong: the node that is shown, the expression in it, the variables in scope."""
    assert member.body is not None and case.part is not None
    names = {v.name: str(v.type) for v in member.params}
    if isinstance(member, Function):
        if case.finding.error == "postcondition.violated":
            assert isinstance(member.body, x.Expr)
            yield member.body, member.body, names
        return
    names = _names_in(case, member)
    part = substituted(case.part, *call_of(case))
    about = _relevant(member, part, case.program)
    steps = list(steps_before(member.body, case))
    if case.finding.error == "postcondition.violated":
        yield from [(n, n.condition, names | _locals(member, n)) for n in _loops_of(steps)]
    is_border = isinstance(part, x.Compare) or case.finding.reason != "assertion.false"
    if is_border:  # of anything else than a bound the body is believed to be wrong
        yield from _of_the_place(case, member, names)
    for node in reversed(steps):
        scope = names | _locals(member, node)
        match node:
            case s.LocalAssign(target, value) if target.name in about:
                yield node, value, scope
            case s.FieldAssign(receiver, field, value) if f".{field}" in about:
                yield node, value, scope
                yield node, receiver, scope
            case s.MethodCall(args=args):
                for arg in args:
                    yield node, arg, scope
    for node in by_likeness([n for n in steps if isinstance(n, s.If)], part):
        yield node.condition, node.condition, names | _locals(member, node)
    if not is_border:
        yield from _of_the_place(case, member, names)
    for loop in _loops_of(steps):
        scope = names | _locals(member, loop)
        yield loop, loop.condition, scope
        yield from [(c, c, scope) for c in loop.invariants if isinstance(c, x.Expr)]


def _loops_of(steps: list[s.Stmt]) -> list[s.While]:
    return [node for node in steps if isinstance(node, s.While)]


def by_likeness(branches: list[s.If], part: Node) -> list[s.If]:
    """Those first whose condition speaks of the same: `x < hi` of `r <= hi`."""
    about = free_vars(part)
    return sorted(branches, key=lambda node: -len(free_vars(node.condition) & about))


def _of_the_place(case: Case, member: Method, names: dict[str, str]) -> Iterator[Touched]:
    """The invariant that fails with the condition of its loop, the value that makes no sense."""
    if case.finding.reason != "assertion.false":
        around = statement_at(member, case.finding.span)
        if around is not None and isinstance(case.part, x.Expr):
            yield around[0], case.part, names | _locals(member, around[0])
        return
    for loop in descendants(member):
        if not isinstance(loop, s.While) or not case.finding.error.startswith("invariant"):
            continue
        if not any(i.span.encloses(case.finding.span) for i in loop.invariants):
            continue
        scope = names | _locals(member, loop)
        if case.finding.error == "invariant.not.preserved":
            yield loop, loop.condition, scope
        if isinstance(case.part, x.Expr):
            yield case.part, case.part, scope


def _relevant(method: Method, part: Node, program: Program) -> set[str]:
    """Variables and fields on which the part depends, by all assignments of the method."""
    found = _names(part) | {f".{field}" for field in fields_behind(part, program)}
    for _ in range(3):
        for node in descendants(method):
            match node:
                case s.LocalAssign(target, value) if target.name in found:
                    found |= _names(value)
                case s.FieldAssign(_, field, value) if f".{field}" in found:
                    found |= _names(value)
    return found


def _names(node: Node) -> set[str]:
    fields = {f".{n.field}" for n in descendants(node) if isinstance(n, x.FieldRead)}
    return fields | set(free_vars(node))


def steps_before(block: s.Block, case: Case) -> Iterator[s.Stmt]:
    """Statements that may run before the failing one."""
    at_end = case.finding.error in ("postcondition.violated", "invariant.not.preserved")
    for node in block.statements:
        inside_loop = isinstance(node, s.While) and node.span.encloses(case.finding.span)
        if not at_end and not inside_loop and node.span.start > case.finding.span.start:
            return
        yield node
        for inner in children(node):
            if isinstance(inner, s.Block):
                yield from steps_before(inner, case)


def _locals(method: Method, at: Node) -> dict[str, str]:
    return {
        n.variable.name: str(n.variable.type)
        for n in descendants(method)
        if isinstance(n, s.Declare)
        and n.span.start < at.span.start
        and n.variable.name.isidentifier()
    }


def _names_in(case: Case, member: Method) -> dict[str, str]:
    """Parameters and results of a method, with their types; in a class, its fields with objects.

    These are written without receiver there, and nobody writes `this` or `result`.
    """
    names = {v.name: str(v.type) for v in (*member.params, *member.returns)}
    if wording_of(member.span) is VIPER:
        return names
    names = {name: kind for name, kind in names.items() if name not in ("this", "result")}
    owner = member.name.partition(".")[0]
    fields = [f for f in case.program.fields.values() if f.name.startswith(f"{owner}.")]
    return names | {f.name.rpartition(".")[2]: "Ref" for f in fields if str(f.type) == "Ref"}


def never_taken(owner: Node, member: Method | Function, edit: Edit) -> Edits:
    """Shows whether a branch is never taken with another condition, which nobody means."""
    for node in descendants(member):
        if isinstance(node, s.If) and node.condition is owner:
            sides = (node.then, node.otherwise)
            taken = [b for b in sides if b.statements and b.span.text[:1] == "{"]
            if not taken:
                return ()
            return (edit, *[at_start_of(block, "assert false") for block in taken])
    return ()


def _in_order(owner: Node, changes: list[tuple[Node, str]]) -> list[tuple[Node, str]]:
    """Where one variable is given another, one too many or too few comes before a wrong sign."""
    match owner:
        case s.LocalAssign(target):
            name = target.name
            return sorted(changes, key=lambda one: not _is_one_less(one[0], one[1], name))
        case _:
            return changes


def _second_first(changes: Iterator[tuple[Node, str]]) -> Iterator[tuple[Node, str]]:
    """Of a name that stands twice, as in `a + a`, the second one is the slip."""
    found = list(changes)
    names = [(node.name, text) for node, text in found if isinstance(node, x.Var)]
    twice = {each for each in names if names.count(each) > 1}
    for node, text in found:
        if not isinstance(node, x.Var) or (node.name, text) not in twice:
            yield node, text
            continue
        same = [n for n, t in found if isinstance(n, x.Var) and (n.name, t) == (node.name, text)]
        if node is same[0]:
            yield from [(n, text) for n in reversed(same)]


def _is_one_less(node: Node, text: str, target: str) -> bool:
    """Whether a change leaves the 1 out of `mid - 1`, which is no step of the target itself."""
    match node:
        case x.IntArith(_, x.Var(name), x.IntLit(1)):
            return name == text != target
        case _:
            return False
