"""What to do about a finding, in the words of the source: the rules look at the program only.

A rule gets a `Case` and returns advice, or None where it does not apply; the first one that knows
something is believed, and `results/wording.py` has what is said otherwise. Rules see the program
before all plugins, so that what they quote is what was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pitviper.base.record import record, replace
from pitviper.explain.changes import changed_by
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import assigned_variables, children, descendants, free_vars, rewrite
from pitviper.results.finding import Condition, Finding
from pitviper.results.wording import NULL_RECEIVER, VIPER, wording_of
from pitviper.source.span import Span

LONGEST = 60
"""Characters of an expression that advice repeats."""


@record
class Case:
    """A finding with the parts of the program that it is about, where they are found.

    `member` has the failing construct `construct`, `part` is what failed of it.
    """

    finding: Finding
    program: Program
    member: Method | Function | Predicate | None
    construct: Node | None
    part: Node | None


def advised(finding: Finding, program: Program) -> Finding:
    """The finding with advice and notes, and with a message in the words of the source."""
    member = _member(finding.member, program)
    around = None if member is None else _at(member, finding.span)
    offending = finding.offending or finding.span
    case = Case(finding, program, member, around, _anywhere(offending, program, member))
    receiver = _null_receiver(case)
    advice = next((said for rule in _RULES if (said := rule(case)) is not None), None)
    return replace(
        finding,
        message=_without_fresh_names(_message(case), finding.span),
        offending=finding.offending if receiver is None else receiver.span,
        conditions=_known_conditions(finding.conditions, member),
        notes=(*_bindings(case), *_macro(case), *_uses(case)),
        advice=None if advice is None else _without_fresh_names(advice, finding.span),
    )


def advised_all(findings: list[Finding], program: Program) -> list[Finding]:
    """The findings about one member, each with advice; what may follow from another says so."""
    found = [advised(finding, program) for finding in findings]
    broken = [f.offending or f.span for f in found if f.error == "not.wellformed"]
    return [replace(f, advice=_FOLLOWS) if _follows(f, broken) else f for f in found]


_FOLLOWS = "this may follow from the contract, which is not well-formed: mend that first"


def _follows(finding: Finding, broken: list[Span]) -> bool:
    """Whether a contract does not hold of which a part makes no sense."""
    if finding.error != "postcondition.violated" or finding.reason != "assertion.false":
        return False
    part = finding.offending or finding.span
    return any(_encloses(part, span) for span in broken)


_FRESH = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\$[0-9]+\b")


def _without_fresh_names(text: str, span: Span) -> str:
    """Variables that macros bring along have new names, which nobody has written."""
    written = span.file.text
    return _FRESH.sub(lambda name: name[0] if name[0] in written else name[1], text)


def _member(name: str, program: Program) -> Method | Function | Predicate | None:
    tables = (program.methods, program.functions, program.predicates)
    return next((table[name] for table in tables if name in table), None)


def _at(member: Node, span: Span) -> Node | None:
    """The outermost node at a place."""
    return next((node for node in descendants(member) if node.span == span), None)


def _anywhere(span: Span, program: Program, first: Node | None) -> Node | None:
    """The node at a place, in the member itself or in one whose contract or body it belongs to."""
    tables = (program.methods, program.functions, program.predicates)
    others: list[Node] = [member for table in tables for member in table.values()]
    for member in [*([] if first is None else [first]), *others]:
        if member is first or _encloses(member.span, span):
            found = _at(member, span)
            if found is not None:
                return found
    return None


# ---------------------------------------------------------------- words of the source

_ASSERTION = re.compile(r"Assertion .* might not hold\.$", re.DOTALL)


def _message(case: Case) -> str:
    """Plugins rewrite parts of the program, and `/` is printed as `\\`: shown as it was written."""
    message, part = case.finding.message, case.part
    receiver = _null_receiver(case)
    if receiver is not None:
        return message.replace("Its receiver", f"Its receiver {text_of(receiver)}")
    if part is None or case.finding.reason != "assertion.false":
        return message
    text = text_of(part) if isinstance(part, x.Expr) else None
    if text is None:
        return message
    if "\\" in text and "\\" not in part.span.text:
        text = text.replace("\\", "/")
    return _ASSERTION.sub(lambda _: f"Assertion {text} might not hold.", message)


def _null_receiver(case: Case) -> x.Expr | None:
    """The receiver of the failing call, if that it is there is what fails."""
    own = wording_of(case.finding.span).reasons.get(NULL_RECEIVER)
    if own is None or not case.finding.message.endswith(own):
        return None
    _, args = _call(case)
    return args[0] if args else None


def _known_conditions(
    conditions: tuple[Condition, ...], member: Node | None
) -> tuple[Condition, ...]:
    """Without decisions about variables that a plugin made."""
    if member is None or not any(c.text.isidentifier() for c in conditions):
        return conditions
    names = {node.name for node in descendants(member) if isinstance(node, x.Var)}
    return tuple([c for c in conditions if not c.text.isidentifier() or c.text in names])


def _bindings(case: Case) -> Iterator[str]:
    """What the formals are that a failing part of another member's contract mentions."""
    part = case.part
    params, args = _call(case)
    if part is None or len(params) != len(args) or _null_receiver(case) is not None:
        return
    used = free_vars(part)
    shown = [
        f"`{formal.name}` is `{quoted}`"
        for formal, actual in zip(params, args, strict=True)
        if formal.name in used and (quoted := _quote(actual)) and quoted != formal.name
    ]
    if shown:
        yield f"here {' and '.join(shown)}"


_DEFINE = r"\bdefine\s+{}\s*(?:\(([^)]*)\))?\s*([^\n]*)"


def _macro(case: Case) -> Iterator[str]:
    """What stands in a macro whose body is at fault: the program shows its use only."""
    place = case.finding.offending or case.finding.span
    used = re.fullmatch(r"([A-Za-z_$][\w$']*)\s*(?:\((.*)\))?", place.text.strip(), re.DOTALL)
    if used is None:
        return
    found = re.search(_DEFINE.format(re.escape(used[1])), place.file.text)
    if found is None:
        return
    line = place.file.text.count("\n", 0, found.start()) + 1
    formals = [name.strip() for name in (found[1] or "").split(",") if name.strip()]
    actuals = _arguments(used[2] or "")
    yield f"`{used[1]}` is the macro of line {line}: `{found[2].strip()}`"
    if len(formals) == len(actuals):
        pairs = [(f, v) for f, v in zip(formals, actuals, strict=True) if f != v]
        if pairs:
            yield "there " + " and ".join(f"`{f}` is `{v}`" for f, v in pairs)


def _uses(case: Case) -> Iterator[str]:
    """Where a member uses the macro in whose statements something fails."""
    place, member = case.finding.span, case.member
    if member is None or _encloses(member.span, place):
        return
    before = re.findall(_DEFINE.format(r"([A-Za-z_$][\w$']*)"), place.file.text[: place.start])
    if not before:
        return
    name, own = before[-1][0], member.span
    found = re.finditer(rf"(?<![\w$']){re.escape(name)}(?![\w$'])", own.text)
    lines = dict.fromkeys(own.line + own.text.count("\n", 0, use.start()) for use in found)
    if lines:
        yield f"`{name}` is used in line {' and '.join(map(str, lines))}"


def _encloses(outer: Span, inner: Span) -> bool:
    return outer.file is inner.file and outer.start <= inner.start and inner.end <= outer.end


def _arguments(text: str) -> list[str]:
    """The parts between commas that stand in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def _call(case: Case) -> tuple[tuple[x.Var, ...], tuple[x.Expr, ...]]:
    """The formals of what the failing construct calls or folds, and their arguments."""
    match case.construct:
        case s.MethodCall(method, args):
            return case.program.methods[method].params, args
        case x.FunctionApp(function, args) if function in case.program.functions:
            return case.program.functions[function].params, args
        case s.Fold(a.PredicateLocation(predicate, args)):
            return case.program.predicates[predicate].params, args
        case _:
            return (), ()


def _quote(node: Node) -> str:
    """The text of a short expression, else nothing."""
    text = text_of(node)
    return text if len(text) <= LONGEST and "\n" not in text else ""


# ---------------------------------------------------------------- assertions that fail


def _old_of_a_value(case: Case) -> str | None:
    """`old` is about the heap only."""
    if case.part is None or case.finding.reason != "assertion.false":
        return None
    for node in descendants(case.part):
        if isinstance(node, x.FieldRead) and isinstance(node.receiver, x.Old):
            inner = text_of(node.receiver.operand)
            return (
                f"`{text_of(node)}` reads the field now: for its earlier value write "
                f"`old({inner}.{node.field})`"
            )
        if isinstance(node, x.Old) and not _reads_heap(node.operand):
            inner = text_of(node.operand)
            return (
                f"`{text_of(node)}` is `{inner}` as it is now: `old` is about fields, and "
                "variables are none; keep the earlier value in a variable of its own"
            )
    return None


def _reads_heap(node: Node) -> bool:
    kinds = (x.FieldRead, x.FunctionApp, x.Unfolding, x.CurrentPerm)
    return any(isinstance(inner, kinds) for inner in descendants(node))


def _labelled_old(case: Case) -> str | None:
    if case.part is None or case.finding.reason != "assertion.false":
        return None
    for node in descendants(case.part):
        if isinstance(node, x.Old) and node.label is not None and node.label != "lhs":
            labels = [] if case.member is None else list(descendants(case.member))
            at = [n.span.line for n in labels if isinstance(n, s.Label) and n.name == node.label]
            where = f" (line {at[0]})" if at else ""
            return f"`{text_of(node)}` is the value at `label {node.label}`{where}, not the one now"
    return None


def _destructor(case: Case) -> str | None:
    if case.part is None or case.finding.reason != "assertion.false":
        return None
    for node in descendants(case.part):
        if isinstance(node, x.Destruct):
            owner = _constructor_with(node.argument, case.program)
            receiver = _quote(node.receiver) or "the value"
            if owner is not None and _tests(case, receiver, owner):
                return f"nothing is known of `{receiver}.{node.argument}` here: say it in front"
            if owner is not None:
                return (
                    f"`{node.argument}` belongs to `{owner}`: say that `{receiver}` is one, by "
                    f"`{receiver}.is{owner}`, and what is known of it"
                )
    return None


def _tests(case: Case, receiver: str, constructor: str) -> bool:
    """Whether the member says in front of the failing part which constructor made a value."""
    return case.member is not None and any(
        isinstance(node, x.Discriminate)
        and node.constructor == constructor
        and text_of(node.receiver) == receiver
        and node.span.start < case.finding.span.start
        for node in descendants(case.member)
    )


def _constructor_with(argument: str, program: Program) -> str | None:
    constructors = [c for adt in program.adts.values() for c in adt.constructors]
    return next((c.name for c in constructors if any(p.name == argument for p in c.params)), None)


def _existential(case: Case) -> str | None:
    if isinstance(case.part, x.Exists) and case.finding.reason == "assertion.false":
        names = ", ".join(variable.name for variable in case.part.variables)
        return (
            "if there is one: the solver does not guess values, so name it in the body, "
            f"`{case.part.variables[0].name} == ... && ...`, or use a function of `{names}` in the "
            "body that a fact mentions, as trigger `{ f(x) }`"
        )
    return None


def _recursive_function(case: Case) -> str | None:
    """A definition is unrolled as often as applications are mentioned."""
    if case.part is None or case.finding.reason != "assertion.false":
        return None
    for node in descendants(case.part):
        if isinstance(node, x.FunctionApp):
            function = case.program.functions.get(node.function)
            if function is not None and function.body is not None and _calls_itself(function):
                return (
                    f"if it is true: the definition of `{function.name}` is used once for each "
                    "application that "
                    "is mentioned: `assert` what it gives for smaller arguments in front, from the "
                    "smallest on, or prove a lemma by a method that calls itself"
                )
    return None


def _calls_itself(function: Function) -> bool:
    assert function.body is not None
    return any(
        isinstance(node, x.FunctionApp) and node.function == function.name
        for node in descendants(function.body)
    )


def _forgotten(case: Case) -> str | None:
    """Behind a call or a loop only contracts and invariants are known of what it assigns."""
    if case.finding.reason != "assertion.false" or case.part is None:
        return None
    if not isinstance(case.member, Method) or case.member.body is None:
        return None
    wanted, before = free_vars(case.part), case.finding.span.start
    if case.finding.error == "postcondition.violated":
        before = case.member.body.span.end
    said = None
    reads = {text_of(n): n for n in descendants(case.part) if isinstance(n, x.FieldRead)}
    for node in _in_front(case.member.body, before):
        match node:
            case s.MethodCall():
                told = _behind_call(node, wanted, case.program)
                said = told or _call_takes(node, reads, case.program) or said
            case s.While() if node.span.end <= before:
                said = _behind_loop(node, wanted) or _loop_takes(node, reads) or said
            case s.FieldAssign(receiver, field) if f"{text_of(receiver)}.{field}" in reads:
                said = None
            case s.While():
                said = _inside_loop(node, wanted) or said
            case s.LocalAssign(target) | s.New(target) if target.name in wanted:
                said = None
    return said


def _in_front(block: s.Block, before: int) -> Iterator[s.Stmt]:
    """Statements in front of a place, without those of loops that end in front of it."""
    for node in block.statements:
        if node.span.start >= before:
            return
        yield node
        if isinstance(node, s.While) and node.span.end <= before:
            continue
        for part in children(node):
            if isinstance(part, s.Block):
                yield from _in_front(part, before)


def _behind_call(call: s.MethodCall, wanted: frozenset[str], program: Program) -> str | None:
    method = program.methods[call.method]
    pairs = zip(call.targets, method.returns, strict=True)
    for target, formal in pairs:
        if target.name in wanted:
            told = any(formal.name in free_vars(p) for p in method.postconditions)
            return _only_postcondition(call, target.name, formal.name, told=told)
    return None


def _only_postcondition(call: s.MethodCall, what: str, formal: str, *, told: bool) -> str:
    lack = "say more there" if told else f"it says nothing about `{formal}`, so say it there"
    clause = "ensures ..." if told else f"ensures {formal} == ..."
    return (
        f"behind the call of `{call.method}` (line {call.span.line}) only its postcondition is "
        f"known of `{what}`, not its body: {lack}, `{clause}`"
    )


def _call_takes(call: s.MethodCall, reads: dict[str, x.FieldRead], program: Program) -> str | None:
    """A call that is given the whole permission to a field may change it."""
    method = program.methods[call.method]
    for clause in method.preconditions:
        for node in descendants(clause):
            if not isinstance(node, a.Access) or not isinstance(node.location, a.FieldLocation):
                continue
            place = text_of(_substituted(node.location, method.params, call.args))
            if place in reads and text_of(node.amount) == "write":
                formal = text_of(node.location)
                told = any(_mentions(p, formal) for p in method.postconditions)
                return _only_postcondition(call, place, formal, told=told)
    return None


def _mentions(clause: Node, place: str) -> bool:
    return any(isinstance(n, x.FieldRead) and text_of(n) == place for n in descendants(clause))


def _loop_takes(loop: s.While, reads: dict[str, x.FieldRead]) -> str | None:
    """A loop whose invariant asks for a field may change it."""
    for clause in loop.invariants:
        for node in descendants(clause):
            if not isinstance(node, a.Access) or text_of(node.amount) != "write":
                continue  # who keeps a part knows the value
            if (place := text_of(node.location)) in reads:
                told = any(_mentions(i, place) for i in loop.invariants)
                lack = "say more in one" if told else "none says what its value is, so say it"
                return (
                    f"behind the loop of line {loop.span.line} only its invariants are known of "
                    f"`{place}`, and that the condition is false: {lack}, `invariant ...`"
                )
    return None


def _behind_loop(loop: s.While, wanted: frozenset[str]) -> str | None:
    assigned = [v.name for v in assigned_variables(loop) if v.name in wanted]
    if not assigned:
        return None
    names = " and ".join(f"`{name}`" for name in assigned)
    told = [name for name in assigned if any(name in free_vars(i) for i in loop.invariants)]
    lack = "say more in one" if told == assigned else "they do not mention it, so say it in one"
    return (
        f"behind the loop of line {loop.span.line} only its invariants are known of {names}, and "
        f"that the condition is false: {lack}, `invariant ...`"
    )


def _inside_loop(loop: s.While, wanted: frozenset[str]) -> str | None:
    assigned = [v.name for v in assigned_variables(loop) if v.name in wanted]
    if not assigned:
        return None
    names = " and ".join(f"`{name}`" for name in assigned)
    return (
        f"an iteration of the loop of line {loop.span.line} starts with its invariants and its "
        f"condition: nothing else is known of {names}; add `invariant ...`"
    )


def _of_the_loop(case: Case) -> str | None:
    match case.finding.error, case.finding.reason:
        case "invariant.not.established", "assertion.false":
            return _at_first(case) or (
                "an invariant has to hold before the first iteration, too: weaken it, or start "
                "with other values"
            )
        case "invariant.not.preserved", "assertion.false":
            return _like_the_condition(case) or (
                "each iteration starts with the invariants and the condition only, and has to "
                "end with the invariants: weaken this one, or add what is known of its variables"
            )
    return None


def _at_first(case: Case) -> str | None:
    """What an invariant says before the first iteration, where the values there are constants."""
    loop = _loop_with_invariant(case)
    if loop is None or not isinstance(case.part, x.Expr) or _reads_heap(case.part):
        return None
    assert isinstance(case.member, Method)
    values = _constants_in_front(case.member, loop)
    used = {name: value for name, value in values.items() if name in free_vars(case.part)}
    said = rewrite(case.part, lambda n: used.get(n.name) if isinstance(n, x.Var) else None)
    quoted = _quote(said)
    given = " and ".join([f"`{name}` is {text_of(value)}" for name, value in used.items()])
    if not quoted:
        return None
    if not free_vars(said) and given:
        return (
            f"before the first iteration {given}, and `{quoted}` is not true: weaken the "
            "invariant, or start with other values"
        )
    if not free_vars(said) <= {param.name for param in case.member.params}:
        return None
    where = f"before the first iteration {given}, so it says `{quoted}`" if given else "it"
    lead = f"{where}: ask for that" if given else "it has to hold before the loop: ask for it"
    return f"{lead}, `requires {quoted}`, or weaken the invariant"


def _loop_with_invariant(case: Case) -> s.While | None:
    """The loop of a failing invariant, if it is no part of another statement of the body."""
    if not isinstance(case.member, Method) or case.member.body is None:
        return None
    at = case.finding.span
    for node in case.member.body.statements:
        if isinstance(node, s.While) and any(i.span == at for i in node.invariants):
            return node
    return None


def _constants_in_front(method: Method, loop: s.While) -> dict[str, x.Expr]:
    """Variables that are literals when a loop begins, as far as the statements tell."""
    assert method.body is not None
    values: dict[str, x.Expr] = {}
    if any(isinstance(node, s.Goto) for node in descendants(method.body)):
        return values
    for node in method.body.statements:
        if node is loop:
            break
        for variable in assigned_variables(node):
            values.pop(variable.name, None)
        if isinstance(node, s.LocalAssign) and isinstance(node.value, x.IntLit | x.BoolLit):
            values[node.target.name] = node.value
    return values


_WEAKER = {x.CompareOp.LT: x.CompareOp.LE, x.CompareOp.GT: x.CompareOp.GE}


def _like_the_condition(case: Case) -> str | None:
    """An invariant that is the condition of its loop cannot hold when the loop ends."""
    loop, part = _loop_with_invariant(case), case.part
    if loop is None or not isinstance(part, x.Compare) or part.op not in _WEAKER:
        return None
    if text_of(loop.condition) != text_of(part):
        return None
    weaker = replace(part, op=_WEAKER[part.op])
    return (
        f"`{text_of(part)}` is the condition of the loop: when the loop ends it is false, and the "
        f"invariant has to hold then, too; weaken it, as in `{text_of(weaker)}`"
    )


def _changed_before(case: Case) -> str | None:
    """What a call may have changed, where pure methods rest on predicates of their classes."""
    if case.finding.reason != "assertion.false" or case.part is None:
        return None
    if case.finding.error not in ("assert.failed", "call.precondition", "application.precondition"):
        return None
    if not isinstance(case.member, Method) or wording_of(case.finding.span) is VIPER:
        return None
    part = case.part
    params, args = _call(case)
    if len(params) == len(args) and params:
        values = {p.name: arg for p, arg in zip(params, args, strict=True)}
        part = rewrite(part, lambda n: values.get(n.name) if isinstance(n, x.Var) else None)
    return changed_by(part, case.finding.span, case.member, case.program)


def _of_a_contract(case: Case) -> str | None:
    if case.finding.reason != "assertion.false":
        return None
    match case.finding.error:
        case "call.precondition" | "application.precondition" if said := _of_constants(case):
            return said
        case "call.precondition" | "application.precondition":
            return (
                "make sure of it in front of the call: test it, or ask for it in the precondition"
            )
        case "postcondition.violated":
            return (
                "the body has to make it true on every path: what it says of fields is about "
                "their values at the end, `old(e)` about those at the start"
            )
        case "fold.failed":
            return "make the body of the predicate true in front of the `fold`"
        case "assert.failed" | "exhale.failed":
            return (
                "it does not follow from what is known here: `pitviper counterexample` shows a "
                "state in which it is false, `pitviper debug` what is known"
            )
    return None


_OF_LITERALS = (
    x.IntLit, x.BoolLit, x.NullLit, x.Compare, x.Equal, x.NotEqual, x.IntArith, x.Negate, x.Not,
    x.And, x.Or,
)  # fmt: skip


def _of_constants(case: Case) -> str | None:
    """A precondition that is about the arguments only, which are constants."""
    params, args = _call(case)
    if case.part is None or not params or len(params) != len(args):
        return None
    said = _substituted(case.part, params, args)
    if not all(isinstance(node, _OF_LITERALS) for node in descendants(said)):
        return None
    quoted = _quote(said)
    return f"`{quoted}` is not true: call it with another value" if quoted else None


# ---------------------------------------------------------------- missing permission


def _lacking(case: Case) -> a.FieldLocation | a.PredicateLocation | None:
    """The location that permission is missing to, where it is one of the failing member."""
    if case.finding.reason != "insufficient.permission":
        return None
    match case.part:
        case a.FieldLocation() | a.PredicateLocation():
            return case.part
        case x.FieldRead(receiver, field):
            return a.FieldLocation(receiver, field, span=case.part.span)
        case s.FieldAssign(receiver, field):
            return a.FieldLocation(receiver, field, span=case.part.span)
        case a.Access(location):
            return location
        case _:
            return None


def _with_arguments(case: Case, location: a.FieldLocation | a.PredicateLocation) -> Node:
    """The location with arguments for formals, where it stands in another member's contract."""
    return _substituted(location, *_call(case))


def _substituted(node: Node, params: tuple[x.Var, ...], args: tuple[x.Expr, ...]) -> Node:
    if len(params) != len(args):
        return node
    values: dict[str, Node] = {p.name: arg for p, arg in zip(params, args, strict=True)}
    return rewrite(node, lambda n: values.get(n.name) if isinstance(n, x.Var) else None)


def _inside_an_instance(case: Case) -> str | None:
    """A predicate instance that is held has the location inside.

    Where the engine does not know, one of which the member has heard is believed to be held.
    """
    location = _lacking(case)
    if location is None or not isinstance(case.member, Method | Function):
        return None
    if case.finding.containing is not None:
        known = [text for text in case.finding.containing if "@" not in text]
        return _unfold_advice(case, known[0]) if known else None
    wanted = text_of(_with_arguments(case, location))
    unfolded = _unfolded(case)
    for instance in _instances(case):
        predicate = case.program.predicates[instance.predicate]
        if predicate.body is None or text_of(instance) in unfolded:
            continue
        body = _substituted(predicate.body, predicate.params, instance.args)
        places = [n.location for n in descendants(body) if isinstance(n, a.Access)]
        if wanted in [text_of(place) for place in places] and text_of(instance) != wanted:
            return _unfold_advice(case, text_of(instance))
    return None


def _unfold_advice(case: Case, instance: str) -> str:
    in_condition = case.finding.error == "while.failed"  # there is no place in front of all of them
    if isinstance(case.member, Function) or case.finding.error in _CONTRACTS or in_condition:
        return f"`{instance}` contains this permission: write `unfolding {instance} in ...`"
    if (
        case.finding.error in ("assert.failed", "exhale.failed")
        or case.finding.error == "if.failed"
    ):
        return (
            f"`{instance}` contains this permission: `unfold {instance}` in front of line "
            f"{case.finding.span.line}, or write `unfolding {instance} in ...`"
        )
    return (
        f"`{instance}` contains this permission: `unfold {instance}` in front of line "
        f"{case.finding.span.line}"
    )


_CONTRACTS = ("not.wellformed", "function.not.wellformed", "predicate.not.wellformed")


def _instances(case: Case) -> list[a.PredicateLocation]:
    """Instances that the member asks for or makes in front of the failing construct."""
    found: dict[str, a.PredicateLocation] = {}
    assert case.member is not None
    for node in descendants(case.member):
        if isinstance(node, a.PredicateLocation) and node.span.start < case.finding.span.start:
            found.setdefault(text_of(node), node)
    return list(found.values())


def _unfolded(case: Case) -> set[str]:
    assert case.member is not None
    return {
        text_of(node.predicate)
        for node in descendants(case.member)
        if isinstance(node, s.Unfold) and node.span.start < case.finding.span.start
    }


def _given_away(case: Case) -> str | None:
    """What was held before went away in a step that is known: how to get it back there."""
    location, history = _lacking(case), case.finding.history
    if location is None or not history or not isinstance(case.member, Method):
        return None
    wanted = text_of(_with_arguments(case, location))
    step = _statement_at(case.member, history[-1].span)
    folded = _statement_at(case.member, history[0].span)
    if isinstance(folded, s.Fold) and step is not folded:
        wanted = text_of(folded.predicate)
    match step:
        case s.MethodCall(method):
            formal = _formal_access(step, wanted, case.program) or "acc(...)"
            return (
                f"let `{method}` give it back: `ensures {formal}` in its contract; or call it "
                "when the permission is no longer needed"
            )
        case s.While():
            return (
                f"the loop of line {step.span.line} has only what its invariants ask for: add "
                f"`invariant acc({wanted})`, and what is known of its value"
            )
        case s.Exhale():
            return (
                f"line {step.span.line} gives it away: use it before, exhale less, or inhale it "
                "again"
            )
        case s.Unfold(instance) if text_of(instance) == wanted and case.finding.error in _CLOSED:
            where = _CLOSED[case.finding.error]
            return f"it was opened in line {step.span.line}: `fold {wanted}` {where}"
        case s.Unfold():
            return f"it was opened in line {step.span.line}: `fold` it again before"
        case s.Package():
            return (
                f"the package of line {step.span.line} took it: `apply` the wand to get it back, "
                "or use it before"
            )
    return None


_CLOSED = {
    "postcondition.violated": "at the end of the body",
    "invariant.not.preserved": "at the end of the loop's body",
    "invariant.not.established": "in front of the loop",
    "call.precondition": "in front of the call",
    "exhale.failed": "in front of it",
    "assert.failed": "in front of it",
    "fold.failed": "in front of it",
    "package.failed": "between the braces of the package, `package ... { fold ... }`",
    "apply.failed": "in front of the apply",
}
"""Where an instance has to be closed again, by what needs it."""


def _statement_at(member: Method, span: Span) -> s.Stmt | None:
    """The statement of an event; that of a loop is told at its condition."""
    for node in descendants(member):
        if isinstance(node, s.While) and node.condition.span == span:
            return node
        if isinstance(node, s.Stmt) and not isinstance(node, s.Block) and node.span == span:
            return node
    return None


def _formal_access(call: s.MethodCall, wanted: str, program: Program) -> str | None:
    """The permission of a callee's precondition that is this one at the call, in its own words."""
    method = program.methods[call.method]
    for clause in method.preconditions:
        for node in descendants(clause):
            if isinstance(node, a.Access):
                place = _substituted(node.location, method.params, call.args)
                if text_of(place) == wanted:
                    formal = text_of(node.location)
                    whole = text_of(node.amount) == "write"
                    return f"acc({formal})" if whole else text_of(node)
    return None


def _made_without(case: Case) -> str | None:
    """The object was made by a `new` that does not name the field."""
    location = _lacking(case)
    if location is None or not isinstance(case.member, Method) or case.finding.history:
        return None
    place = _with_arguments(case, location)
    if wording_of(case.finding.span) is not VIPER:
        return None
    if not isinstance(place, a.FieldLocation) or not isinstance(place.receiver, x.Var):
        return None
    name, made = place.receiver.name, None
    for node in descendants(case.member):
        if isinstance(node, s.Stmt) and node.span.start < case.finding.span.start:
            if isinstance(node, s.New) and node.target.name == name:
                made = node
            elif isinstance(node, s.LocalAssign | s.MethodCall) and name in [
                variable.name for variable in assigned_variables(node)
            ]:
                made = None
    if made is None or place.field in made.fields:
        return None
    fields = ", ".join((*made.fields, place.field))
    return (
        f"the `new` of line {made.span.line} makes no permission to `{place.field}`: write "
        f"`{name} := new({fields})`"
    )


def _folded_without(case: Case) -> str | None:
    location = _lacking(case)
    if location is None or case.finding.error != "fold.failed" or case.finding.history:
        return None
    wanted = _quote(_with_arguments(case, location))
    if not wanted:
        return None
    return f"a `fold` needs all that the body of the predicate holds: `acc({wanted})` is missing"


def _in_a_contract(case: Case) -> str | None:
    """A contract reads a field that it has no permission to."""
    location = _lacking(case)
    if location is None or case.finding.error != "not.wellformed" or case.member is None:
        return None
    wanted = _quote(location)
    if not wanted or not isinstance(case.part, x.FieldRead):
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    around = [
        node
        for node in descendants(case.member)
        if isinstance(node, x.Old) and any(inner is case.part for inner in descendants(node))
    ]
    bound = _quantified_over(case.member, case.part)
    if bound is not None:
        return _for_all_of_them(bound, location)
    if not around:
        return f"the permission has to come first: write `acc({wanted}) &&` in front of this"
    if around[0].label is not None:
        return None
    return (
        f"`old(...)` looks at the state at the start: ask for the permission there, at the end of "
        f"the precondition, `&& acc({wanted})`"
    )


def _quantified_over(member: Node, part: x.Expr) -> x.Forall | None:
    """The innermost quantifier of whose variables a part of a contract speaks."""
    found = None
    for node in descendants(member):
        if isinstance(node, x.Forall) and any(inner is part for inner in descendants(node)):
            names = {variable.name for variable in node.variables}
            found = node if names & free_vars(part) else found
    return found


def _for_all_of_them(
    quantifier: x.Forall, location: a.FieldLocation | a.PredicateLocation
) -> str | None:
    """Permission for all that a quantifier speaks about."""
    bound = ", ".join([f"{v.name}: {v.type}" for v in quantifier.variables])
    body = quantifier.body
    premise = f"{text_of(body.left)} ==> " if isinstance(body, x.Implies) else ""
    wanted = f"forall {bound} :: {premise}acc({text_of(location)})"
    if len(wanted) > 2 * LONGEST:
        return None
    return f"the permissions have to come first: write `({wanted}) &&` in front of this"


def _fold_at_the_end(case: Case) -> str | None:
    """An instance is promised that was never made."""
    location = _lacking(case)
    if not isinstance(location, a.PredicateLocation) or case.finding.history:
        return None
    predicate = case.program.predicates.get(location.predicate)
    if predicate is None or predicate.body is None or not isinstance(case.member, Method):
        return None
    wanted = text_of(_with_arguments(case, location))
    if case.finding.error == "postcondition.violated":
        where = "at the end of the body"
    elif case.finding.error in ("call.precondition", "invariant.not.established"):
        where = f"in front of line {case.finding.span.line}"
    else:
        return None
    return f"`fold {wanted}` {where}, if what is inside is held; else it has to be asked for"


def _of_a_function(case: Case) -> str | None:
    """What a function looks at, its precondition has to ask for."""
    location = _lacking(case)
    if not isinstance(case.member, Function) or location is None:
        return None
    if case.finding.error != "function.not.wellformed":
        return None
    wanted = text_of(location)
    return (
        f"a function may look at what its precondition holds: `requires acc({wanted}, wildcard)`, "
        "or a predicate that contains it, and `unfolding` that"
    )


def _same_object_twice(case: Case) -> str | None:
    """A call needs permission to two objects that are one."""
    if case.finding.reason != "insufficient.permission":
        return None
    if not isinstance(case.construct, s.MethodCall):
        return None
    texts = [text_of(arg) for arg in case.construct.args]
    params = case.program.methods[case.construct.method].params
    used = frozenset() if case.part is None else free_vars(case.part)
    for at, text in enumerate(texts):
        twin = texts.index(text)
        if twin < at and params[at].name in used:
            return (
                f"`{params[twin].name}` and `{params[at].name}` are both `{text}`: the "
                "precondition asks for the permissions of two objects, and there is one"
            )
    return None


def _under_a_condition(case: Case) -> str | None:
    """The member has the permission only if something holds."""
    location = _lacking(case)
    if location is None or case.member is None:
        return None
    wanted = text_of(location)
    for node in descendants(case.member):
        if isinstance(node, a.Guarded) and node.span.start < case.finding.span.start:
            inner = [n.location for n in children(node) if isinstance(n, a.Access)]
            if wanted in [text_of(place) for place in inner] and (quoted := _quote(node.condition)):
                return (
                    f"the permission is there only if `{quoted}` (line {node.span.line}): test "
                    "that before, or ask for the permission without the condition"
                )
    return None


def _among_many(case: Case) -> str | None:
    """The member has quantified permission to the field or predicate."""
    location = _lacking(case)
    if location is None or case.member is None:
        return None
    name = location.field if isinstance(location, a.FieldLocation) else location.predicate
    for node in descendants(case.member):
        if not isinstance(node, a.QuantifiedPermission) or not isinstance(node.resource, a.Access):
            continue
        place = node.resource.location
        other = place.field if isinstance(place, a.FieldLocation) else place.predicate
        if other == name and node.span.start < case.finding.span.start:
            told = _one_of(node, place, location)
            condition = _quote(node.condition) or "the condition"
            bound = ", ".join(variable.name for variable in node.variables)
            return (
                f"line {node.span.line} has `{text_of(place)}` for all `{bound}` with "
                f"`{condition}`: say in front that "
                + (f"`{told}`" if told else f"`{text_of(location)}` is one of these")
            )
    return None


def _one_of(
    many: a.QuantifiedPermission,
    place: a.FieldLocation | a.PredicateLocation,
    location: a.FieldLocation | a.PredicateLocation,
) -> str | None:
    """What makes an object one of those that a quantifier is about, if these are its variable."""
    if not isinstance(place, a.FieldLocation) or not isinstance(location, a.FieldLocation):
        return None
    if len(many.variables) != 1 or not isinstance(place.receiver, x.Var):
        return None
    if place.receiver.name != many.variables[0].name:
        return None
    return _quote(_substituted(many.condition, many.variables, (location.receiver,))) or None


def _in_part(case: Case) -> str | None:
    location = _lacking(case)
    if location is None:
        return None
    wanted = text_of(location)
    part = next((h for h in case.finding.held if h.startswith(f"acc({wanted}, ")), None)
    if part is not None and isinstance(case.part, s.FieldAssign):
        return (
            f"only a part of the permission is held, which is enough to read: writing needs all of "
            f"it, `acc({wanted})`"
        )
    if part is not None and isinstance(case.construct, s.Unfold):
        return (
            f"only a part is held: open that part, `unfold {part}`, or ask for the whole, "
            f"`acc({wanted})`"
        )
    if part is not None and case.finding.error not in _READING:
        return f"only a part of the permission is held, `{part}`, and more is needed here"
    if part is not None:
        amount = part[len(f"acc({wanted}, ") : -1]
        return (
            f"is the amount positive? Reading needs more than `none`, and `{part}` may be nothing: "
            f"say `{amount} > none`"
        )
    return None


_READING = ("assignment.failed", "assert.failed", "if.failed", "while.failed", "inhale.failed")
"""Constructs that read fields; others give permissions away."""


def _of_a_local(case: Case, location: a.FieldLocation | a.PredicateLocation) -> bool:
    """Whether a precondition cannot speak of a location, for it belongs to a local variable."""
    if not isinstance(case.member, Method) or wording_of(case.finding.span) is not VIPER:
        return False
    return not free_vars(location) <= {param.name for param in case.member.params}


def _to_read_or_write(case: Case) -> str | None:
    location = _lacking(case)
    if location is None or case.finding.history:
        return None
    wanted = text_of(_with_arguments(case, location))
    match case.finding.error:
        case "assignment.failed" if _of_a_local(case, location):
            return (
                f"get `acc({wanted})` in front of this: `new` makes it, a call or an `unfold` may "
                "give it"
            )
        case "assignment.failed" if isinstance(case.part, s.FieldAssign):
            return (
                f"writing needs the whole permission: `requires acc({wanted})`, or `new` makes it"
            )
        case (
            "assignment.failed" | "assert.failed" | "if.failed" | "while.failed" | "inhale.failed"
        ) if isinstance(location, a.FieldLocation) and not isinstance(case.part, a.FieldLocation):
            return (
                f"reading needs some permission: `requires acc({wanted})`, or a part of it, "
                f"`acc({wanted}, 1/2)`"
            )
        case "assert.failed" | "exhale.failed":
            return (
                f"the permission has to be there: ask for it, `requires acc({wanted})`, or "
                "`fold` what contains it"
            )
        case "call.precondition" | "application.precondition":
            return (
                f"the caller has to hold what the callee requires: ask for `acc({wanted})`, or "
                "`fold` or `unfold` what contains it"
            )
        case "package.failed":
            return (
                "what the right side of a wand needs comes from its left side, or from what is "
                f"held where it is packaged: get `acc({wanted})` first, or put it on the left"
            )
    return None


# ---------------------------------------------------------------- other reasons


def _not_injective(case: Case) -> str | None:
    if case.finding.reason != "qp.not.injective" or case.construct is None:
        return None
    found = [n for n in descendants(case.construct) if isinstance(n, a.QuantifiedPermission)]
    if case.part is not None:
        inside = [n for n in found if any(d is case.part for d in descendants(n))]
        found = inside or found
    if not found or len(found[0].variables) != 1 or not isinstance(found[0].resource, a.Access):
        return None
    node, place = found[0], found[0].resource.location
    variable = node.variables[0]
    other = x.Var(f"{variable.name}2", variable.type, span=variable.span)
    if not isinstance(place, a.FieldLocation):
        return None

    def renamed(part: x.Expr) -> str:
        return text_of(_substituted(part, (variable,), (other,)))

    fact = (
        f"forall {variable.name}: {variable.type}, {other.name}: {variable.type} :: "
        f"{text_of(node.condition)} && {renamed(node.condition)} && "
        f"{variable.name} != {other.name} ==> "
        f"{text_of(place.receiver)} != {renamed(place.receiver)}"
    )
    return f"say in front that no object comes twice: `{fact}`"


def _termination(case: Case) -> str | None:
    if case.finding.error != "termination.failed":
        return None
    match case.finding.reason:
        case "termination.condition.false" if isinstance(case.construct, s.While):
            return (
                "the method promises to end, so the loop has to: give it a measure that gets "
                "smaller with each iteration, such as `decreases n - i`, behind its invariants"
            )
        case "termination.condition.false":
            return (
                "what a terminating member calls has to terminate, too: give it a `decreases` "
                "clause"
            )
        case "tuple.false":
            return (
                "the measure has to get smaller with each call or iteration, and not below 0: "
                "choose another one, or other arguments"
            )
    return None


def _amount(case: Case) -> str | None:
    if case.part is None:
        return None
    match case.finding.reason:
        case "negative.permission":
            amount = _quote(case.part) or "p"
            return (
                f"say that it is not: `{amount} > none` in front, or `{amount} >= none` if it may "
                "be nothing"
            )
        case "permission.not.positive":
            return f"say that it is: `{_quote(case.part) or 'p'} > none` in front"
    return None


def _map_key(case: Case) -> str | None:
    if case.finding.reason != "map.key.contains" or case.member is None or case.part is None:
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    for node in descendants(case.member):
        if isinstance(node, x.MapLookup) and any(part is case.part for part in children(node)):
            test = f"{text_of(node.key)} in domain({text_of(node.map)})"
            return f"say in front that the key is there, `{test}`: test it, or ask for it"
    return None


def _wand(case: Case) -> str | None:
    if case.finding.reason == "wand.not.found":
        return "the wand has to be held: `package` it before, or ask for it in the precondition"
    return None


_RULES: tuple[Callable[[Case], str | None], ...] = (
    _termination,
    _inside_an_instance,
    _same_object_twice,
    _given_away,
    _made_without,
    _fold_at_the_end,
    _of_a_function,
    _under_a_condition,
    _in_part,
    _among_many,
    _in_a_contract,
    _folded_without,
    _to_read_or_write,
    _old_of_a_value,
    _labelled_old,
    _destructor,
    _existential,
    _of_the_loop,
    _forgotten,
    _recursive_function,
    _changed_before,
    _of_a_contract,
    _not_injective,
    _amount,
    _map_key,
    _wand,
)
