"""What to do where an assertion is not true: the rules about facts, in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from pitviper.base.record import replace
from pitviper.explain.advice.case import (
    LONGEST,
    Case,
    call_of,
    compared,
    conjuncts,
    in_front,
    place_of,
    quote,
    reads_heap,
    substituted,
    with_values,
)
from pitviper.explain.advice.case import asked as is_asked
from pitviper.explain.advice.cures import (
    Advice,
    Cures,
    Said,
    asks,
    in_general,
    writes_before,
)
from pitviper.explain.advice.facts.cases import without_case
from pitviper.explain.advice.facts.defined import DEFINEDNESS_RULES
from pitviper.explain.advice.facts.elements import equal_elements
from pitviper.explain.advice.facts.forgotten import forgotten
from pitviper.explain.advice.facts.parts import (
    IF_TRUE,
    calls_itself,
    of_a_part,
    of_another_constructor,
)
from pitviper.explain.advice.facts.ranges import as_conjunction, as_implication
from pitviper.explain.advice.facts.since import (
    by_another_name,
    given_in,
    last_touched,
    lost_between,
    true_at_first,
)
from pitviper.explain.advice.facts.termination import termination
from pitviper.explain.advice.facts.unknown import (
    literally_false,
    of_parameters,
    remainder,
    two_objects,
    unknown_field,
)
from pitviper.explain.advice.facts.unset import read_unset
from pitviper.explain.advice.facts.written import (
    given_back,
    heap_changed,
    last_said,
    never_assigned,
    new_values,
    overwritten,
    without_old,
)
from pitviper.explain.advice.loops.loops import of_the_loop
from pitviper.explain.advice.objects.changes import changed_by
from pitviper.explain.advice.objects.objects import (
    of_interface,
    of_iteration,
    of_objects,
    of_pure_method,
)
from pitviper.explain.advice.runs.run import value_of
from pitviper.explain.advice.runs.trial import false_for, tried
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method, Program
from pitviper.program.never import range_of_all
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.types import REF, AdtType
from pitviper.program.walk import descendants, free_vars, rewrite
from pitviper.results.wording import VIPER, wording_of
from pitviper.source.span import NO_SPAN


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
        if isinstance(node, x.Old) and not reads_heap(node.operand):
            inner = text_of(node.operand)
            results = case.member.returns if isinstance(case.member, Method) else ()
            if inner in [result.name for result in results]:
                return (
                    f"`{text_of(node)}` is `{inner}` as it is now: a result has no value at the "
                    "start, and `old` is about fields only"
                )
            return (
                f"`{text_of(node)}` is `{inner}` as it is now: `old` is about fields, and "
                "variables are none; keep the earlier value in a variable of its own"
            )
    return None


def _labelled_old(case: Case) -> str | None:
    if case.part is None or case.finding.reason != "assertion.false":
        return None
    for node in descendants(case.part):
        if isinstance(node, x.Old) and node.label is not None and node.label != "lhs":
            labels = [] if case.member is None else list(descendants(case.member))
            at = [n.span.line for n in labels if isinstance(n, s.Label) and n.name == node.label]
            where = f" (line {at[0]})" if at else ""
            if at and not _changes_between(case, at[0], node.operand):
                return (
                    f"`{text_of(node)}` is the value now, too, since nothing after "
                    f"`label {node.label}`{where} changes it: put the label further up, "
                    "before what does"
                )
            return (
                f"`{text_of(node)}` is the value at `label {node.label}`{where}, not the one now: "
                f"for that write `{text_of(node.operand)}`, or put the label further down"
            )
    return None


def _changes_between(case: Case, line: int, value: x.Expr) -> bool:
    """Whether what stands between a line and the failed check may change what a value reads."""
    fields = {n.field for n in descendants(value) if isinstance(n, x.FieldRead)}
    end = case.finding.span.line
    for node in descendants(case.member) if case.member is not None else ():
        if isinstance(node, s.Statement) and line < node.span.line < end:
            if isinstance(node, s.FieldAssign) and node.field not in fields:
                continue
            if not isinstance(node, s.Declare | s.LocalAssign | s.Assert | s.Label):
                return True
    return False


def _of_a_body(case: Case) -> Said:
    """A claim about a function of the heap: what its body says of it."""
    if case.part is None or not isinstance(case.part, x.Expr) or not _is_of_own(case):
        return None
    apps = [n for n in descendants(case.part) if isinstance(n, x.FunctionApp)]
    for app in apps:
        function = case.program.functions.get(app.function)
        body = None if function is None else function.body
        if function is None or body is None or calls_itself(function):
            continue
        if not reads_heap(body) or any(isinstance(n, x.Unfolding) for n in descendants(body)):
            continue
        value = substituted(body, function.params, app.args)
        other = replace(case, part=_with_body(case.part, app, value))
        rules = (given_in, true_at_first, overwritten, tried, last_touched)
        said = next((told for rule in rules if (told := rule(other)) is not None), None)
        if said is not None and quote(value):
            told = Advice(said) if isinstance(said, str) else said
            return replace(told, text=f"`{quote(app)}` is `{quote(value)}`: {told.text}")
    return None


def _is_of_own(case: Case) -> bool:
    claims = ("assert.failed", "postcondition.violated")
    return isinstance(case.member, Method) and case.finding.error in claims


def _with_body(part: x.Expr, app: x.FunctionApp, body: x.Expr) -> x.Expr:
    """A formula with the body of a function in place of its application."""
    text = text_of(app)
    return rewrite(
        part, lambda n: body if isinstance(n, x.FunctionApp) and text_of(n) == text else None
    )


def _two_values(case: Case) -> str | None:
    """`assert x == 1 && x == 2`, which no value makes true."""
    nodes = () if case.member is None else descendants(case.member)
    around = [n for n in nodes if isinstance(n, s.Assert) and n.span.encloses(case.finding.span)]
    said = [f for n in around for f in conjuncts(n.assertion) if isinstance(f, x.Equal)]
    for one, two in combinations(said, 2):
        numbers = isinstance(one.right, x.IntLit) and isinstance(two.right, x.IntLit)
        if numbers and text_of(one.left) == text_of(two.left) and one.right != two.right:
            return (
                f"`{text_of(one)}` and `{text_of(two)}` are never true together: leave one of them "
                "out, or write `||` between them"
            )
    return None


def _of_numbers(case: Case) -> Said:
    """What small numbers tell, with a word about remainders."""
    if (both := _two_values(case)) is not None:
        return both
    if case.part is not None and any(isinstance(n, x.FieldRead) for n in descendants(case.part)):
        return None  # where a field has its value from tells more
    asks_case = isinstance(case.part, x.Discriminate) and false_for(case) is not None
    if _is_of_data(case) and _recursive_in(case) is None and not asks_case:
        return None  # which part of the value is not known tells more
    larger, values = _larger_set(case), false_for(case)
    if larger is not None and values is not None and case.finding.error == "assert.failed":
        return f"{values}; {larger}"
    said, lead = tried(case), remainder(case)
    if said is None or lead is None:
        return said
    told = Advice(said) if isinstance(said, str) else said
    text = told.text.replace("it is false", "the whole is false", 1)
    return replace(told, text=f"{lead}; {text}")


def _is_of_data(case: Case) -> bool:
    """Whether the failing member is given a value of a data type."""
    if not isinstance(case.member, Method | Function):
        return False
    return any(isinstance(param.type, AdtType) for param in case.member.params)


def _wrong_connective(case: Case) -> str | None:
    """`forall i: Int :: 0 <= i && ...` is false, `exists i: Int :: 0 <= i ==> ...` says nothing."""
    if case.finding.reason != "assertion.false":
        return None
    match case.part:
        case x.Forall() if (found := range_of_all(case.part)) is not None:
            bound = ", ".join([f"{v.name}: {v.type}" for v in case.part.variables])
            meant = as_implication(case.part)
            if not isinstance(case.part.body, x.And):
                return (
                    f"it speaks of every {bound}, of which some do not fit: say first which "
                    f"ones are meant, `forall {bound} :: ... ==> {quote(case.part.body) or '...'}`"
                )
            told = "`range ==> fact`" if meant is None else f"`{meant}`"
            return (
                f"it says that `{quote(found) or 'the range'}` holds of every {bound}, which is "
                f"false: write `==>` after the range, {told}, in place of `&&`"
            )
        case part if part is not None:
            for node in descendants(part):
                if isinstance(node, x.Exists) and (said := as_conjunction(node)) is not None:
                    return (
                        "an `exists` with `==>` is true of every value outside of the range, and "
                        f"says nothing of those inside: write `&&` after the range, `{said}`"
                    )
    return None


def _existential(case: Case) -> Said:
    """There is none in a run, or the solver may not have found it."""
    part = case.part
    while isinstance(part, x.Forall | x.Implies):
        part = part.body if isinstance(part, x.Forall) else part.right
    if isinstance(part, x.Exists) and case.finding.reason == "assertion.false":
        names = ", ".join(variable.name for variable in part.variables)
        trigger = ", as trigger `{ f(x) }`" if wording_of(case.finding.span) is VIPER else ""
        return tried(case) or (
            "if there is one: the solver does not guess values, so name it in the body, "
            f"`{part.variables[0].name} == ... && ...`, or use a function of `{names}` in the "
            f"body that a fact mentions{trigger}"
        )
    return None


def _recursive_function(case: Case) -> Said:
    """A definition is unrolled as often as applications are mentioned."""
    function = _recursive_in(case)
    if function is None or case.finding.reason != "assertion.false":
        return None
    return in_general(
        f"{IF_TRUE}: the definition of `{function.name}` is used once for each application "
        "that is mentioned: `assert` what it gives for smaller arguments first, from the "
        "smallest on, or prove a lemma by a method that calls itself"
    )


def _recursive_in(case: Case) -> Function | None:
    """A function of a claim that applies itself."""
    for node in () if case.part is None else descendants(with_values(case) or case.part):
        if isinstance(node, x.FunctionApp):
            function = case.program.functions.get(node.function)
            if function is not None and function.body is not None and calls_itself(function):
                return function
    return None


def _changed_before(case: Case) -> str | None:
    """What a call may have changed, where pure methods rest on predicates of their classes."""
    if case.finding.reason != "assertion.false" or case.part is None:
        return None
    if case.finding.error not in ("assert.failed", "call.precondition", "application.precondition"):
        return None
    if not isinstance(case.member, Method) or wording_of(case.finding.span) is VIPER:
        return None
    part = case.part
    params, args = call_of(case)
    if len(params) == len(args) and params:
        values = {p.name: arg for p, arg in zip(params, args, strict=True)}
        part = rewrite(part, lambda n: values.get(n.name) if isinstance(n, x.Var) else None)
    return changed_by(part, case.finding.span, case.member, case.program)


def _of_a_contract(case: Case) -> Said:
    if case.finding.reason != "assertion.false":
        return None
    match case.finding.error:
        case "call.precondition" | "application.precondition" if said := _of_constants(case):
            return said
        case "application.precondition" if _in_a_clause(case) and isinstance(case.part, x.Expr):
            asked = substituted(case.part, *call_of(case))
            fact = quote(asked) or "..."
            if isinstance(asked, x.Implies | x.Or | x.Conditional):
                fact = f"({fact})"
            cures = () if case.construct is None else writes_before(case.construct, f"{fact} &&")
            text = f"a contract is read from the left: write `{fact} &&` before this"
            return Advice(text, cures)
        case "call.precondition" | "application.precondition":
            return _asked_by_a_callee(case)
        case "postcondition.violated" if isinstance(case.member, Function):
            return in_general(
                "the body has to make it true for all arguments: exclude those for which it is "
                "false by a precondition, or promise less"
            )
        case "postcondition.violated" if told := (
            never_assigned(case)
            or without_old(case)
            or overwritten(case)
            or tried(case)
            or lost_between(case)
            or last_touched(case)
        ):
            return told
        case "postcondition.violated" if case.part is not None and not reads_heap(case.part):
            return in_general(
                "the body has to make it true on every path: `pitviper counterexample` shows one "
                "on which it is false"
            )
        case "postcondition.violated":
            return in_general(
                "the body has to make it true on every path: what it says of fields is about "
                "their values at the end, `old(e)` about those at the start"
            )
        case "fold.failed" if isinstance(case.part, x.Expr):
            return _of_a_fold(case, substituted(case.part, *call_of(case)))
        case "fold.failed":
            return "make the body of the predicate true before the `fold`"
        case "package.failed" if isinstance(case.construct, s.Package):
            return _of_a_package(case.construct.wand, case.part)
        case "apply.failed":
            return _of_a_wand(case) or in_general(
                "an `apply` gives the left side of the wand away, so it has to be true: make it so "
                "first"
            )
        case "assert.failed" | "exhale.failed" if told := (
            _of_a_place(case)
            or heap_changed(case)
            or never_assigned(case)
            or new_values(case)
            or given_back(case)
            or two_objects(case)
            or unknown_field(case)
            or _no_body(case)
            or of_parameters(case)
            or _larger_set(case)
            or tried(case)
            or last_said(case)
            or lost_between(case)
            or last_touched(case)
        ):
            return told
        case "assert.failed" | "exhale.failed":
            return in_general(
                "what is known here is not enough: `pitviper counterexample` looks for a "
                "state in which it is false, `pitviper debug` what is known"
            )
    return None


def _of_a_wand(case: Case) -> str | None:
    """What the left side of a wand asks for, and the line in front that made it another value."""
    member, part = case.member, case.part
    if not isinstance(member, Method) or member.body is None or not isinstance(part, x.Expr):
        return None
    reads = {text_of(n) for n in descendants(part) if isinstance(n, x.FieldRead)} | free_vars(part)
    last: s.FieldAssign | s.LocalAssign | None = None
    for node in [n for n in member.body.statements if n.span.end <= case.finding.span.start]:
        match node:
            case s.FieldAssign() if place_of(node) in reads:
                last = node
            case s.LocalAssign(target) if target.name in reads:
                last = node
            case s.MethodCall() | s.While() | s.If() | s.Unfold() | s.Apply() | s.Exhale():
                last = None
    if last is None or wording_of(last.span) is not VIPER or not quote(part):
        return None
    return (
        f"the left side of the wand asks for `{quote(part)}` where it is applied, and line "
        f"{last.span.line} (`{last.span.text}`) does not make that true: assign another value, or "
        "ask for less when it is packaged"
    )


def _of_a_place(case: Case) -> str | None:
    """Nobody wrote this check: an array has an element at an index, or a length is none below 0.

    Both sides of what is compared stand where one of them was written.
    """
    claim = case.part.assertion if isinstance(case.part, s.Assert) else case.part
    parts = claim.operands if isinstance(claim, x.And) else (claim,)
    if wording_of(case.finding.span) is VIPER or not all(_is_unwritten(part) for part in parts):
        return None
    fact = " && ".join([quote(part) for part in parts if part is not None])
    return (
        f"test `{fact}` first by an `if`, or say it where it is known: in a `requires`, in the "
        "invariant of the loop around it, or in the predicate that is opened"
    )


def _is_unwritten(e: Node | None) -> bool:
    """Whether both sides of what is compared stand where one of them was written."""
    match e:
        case x.Compare(_, left, right):
            return left.span == right.span != NO_SPAN
        case _:
            return False


def _preconditions(case: Case) -> tuple[a.Assertion, ...]:
    return case.member.preconditions if isinstance(case.member, Method) else ()


def _of_a_fold(case: Case, needed: Node) -> Advice:
    """What the body of a predicate says about the arguments."""
    null = _receiver_of_a_fold(case)
    told = None if null is None else _asked_in_classes(null, quote(null), case)
    if told is not None:
        return told
    fact, ask = quote(needed), ""
    said = f"`{fact}`, which the body of the predicate says," if fact else "its body"
    said_of = {text for c in _preconditions(case) for text in compared(c)}
    if (
        fact
        and reads_heap(needed)
        and not compared(needed) & said_of
        and _may_be_asked(case, needed)
    ):
        ask = f"ask for it, `requires {fact}` after the permissions, "
    text = f"{said} has to be true before the `fold`: {ask}make it so, or fold later"
    return in_general(text, _asking(case, fact) if ask else ())


def _receiver_of_a_fold(case: Case) -> x.Expr | None:
    """The receiver of an instance, where that may be null and the language asks for an object."""
    own, fold = wording_of(case.finding.span), case.construct
    is_null = own is not VIPER and case.finding.message.endswith("might be null.")
    return fold.predicate.args[0] if is_null and isinstance(fold, s.Fold) else None


def _asking(case: Case, fact: str) -> Cures:
    return asks(case.member, fact) if isinstance(case.member, Method | Function) else ()


def _of_one_moment(case: Case) -> Said:
    """Before the statements that change a field are named, which is not to the point."""
    if wording_of(case.finding.span) is VIPER or case.finding.error != "postcondition.violated":
        return None
    return without_old(case)


def _asked_by_a_callee(case: Case) -> Advice:
    """What the precondition of a callee says about the arguments."""
    unsure = in_general(
        "make sure of it before the call: test it, or ask for it in the precondition"
    )
    if not isinstance(case.part, x.Expr):
        return unsure
    asked = substituted(case.part, *call_of(case))
    fact = quote(asked)
    if wording_of(case.finding.span) is not VIPER:
        return _asked_in_classes(asked, fact, case) or unsure
    if isinstance(asked, x.NotEqual) and text_of(asked.left) == text_of(asked.right):
        return Advice(f"both are `{text_of(asked.left)}` here: call it with two different ones")
    if not fact or not isinstance(case.member, Method | Function):
        return unsure
    if reads_heap(asked):
        return _asked_of_fields(case, asked, fact) or unsure
    if _in_an_invariant(case):
        return Advice(f"invariants are read in their order: add `invariant {fact}` before this one")
    test = (
        f"`if ({fact}) {{ ... }}`" if isinstance(case.member, Method) else f"`{fact} ? ... : ...`"
    )
    if free_vars(asked) <= {param.name for param in case.member.params}:
        ask = f"ask for it, `requires {fact}`, or test it, {test}"
        return in_general(f"make sure of it before the call: {ask}", _asking(case, fact))
    return Advice(
        f"make sure of `{fact}` before the call: test it, {test}, or say what makes it true"
    )


def _asked_in_classes(asked: Node, fact: str, case: Case) -> Advice | None:
    """The same in words of a language with classes; what is null is named."""
    if not fact or not isinstance(case.member, Method | Function):
        return None
    if isinstance(asked, x.Expr) and asked.type == REF:  # a receiver
        asked = x.NotEqual(asked, x.NullLit(span=asked.span), span=asked.span)
        fact = quote(asked)
    test = f"test it before the call, `if ({fact}) {{ ... }}`"
    if not case.member.params:  # the main routine
        if isinstance(asked, x.NotEqual) and isinstance(asked.right, x.NullLit):
            made = f"`{text_of(asked.left)} := new ...(...);`"
            return in_general(f"make an object first, {made}, or {test}")
        return in_general(f"`{fact}` cannot be proved from what is promised before: {test}")
    if free_vars(asked) <= {param.name for param in case.member.params}:
        return in_general(f"ask for it, `requires {fact}`, or {test}")
    return in_general(f"make sure of `{fact}`: {test}")


def _asked_of_fields(case: Case, asked: Node, fact: str) -> Advice | None:
    """The same about fields that nothing in front of the call changes."""
    if not _may_be_asked(case, asked):
        return None
    return in_general(
        f"make sure of it before the call: ask for it, `requires {fact}` after the "
        f"permissions, or test it, `if ({fact}) {{ ... }}`",
        _asking(case, fact),
    )


def _may_be_asked(case: Case, asked: Node) -> bool:
    """Whether a fact about fields is the same at the start, with the permissions for it."""
    member = case.member
    if not isinstance(member, Method) or member.body is None or isinstance(case.part, x.Old):
        return False
    quiet = (s.Declare, s.LocalAssign, s.Assert, s.Label, s.If, s.Block)
    before = [n for n in in_front(member.body, case.finding.span.start) if n is not case.construct]
    reads = {text_of(node) for node in descendants(asked) if isinstance(node, x.FieldRead)}
    held = all(is_asked(member.preconditions, place) for place in reads)
    known = free_vars(asked) <= {param.name for param in member.params}
    plain = not any(isinstance(n, x.FunctionApp | x.Unfolding | x.Old) for n in descendants(asked))
    return known and held and plain and all(isinstance(node, quiet) for node in before)


def _in_an_invariant(case: Case) -> bool:
    at = case.finding.span
    return any(
        clause.span.start <= at.start and at.end <= clause.span.end
        for node in ([] if case.member is None else descendants(case.member))
        if isinstance(node, s.While)
        for clause in node.invariants
    )


def _larger_set(case: Case) -> str | None:
    """An element that a set has already does not make it larger."""
    if case.part is None or case.member is None:
        return None
    if not any(isinstance(node, x.Cardinality) for node in descendants(case.part)):
        return None
    equal = equal_elements(with_values(case) or case.part)
    if equal is not None:
        return f"{equal[0]}: say that they differ, `{equal[1]}`"
    for node in descendants(case.member):
        match node:
            case x.SetBinary(x.SetOp.UNION, left, x.SetLit((element,))) if quote(left) and quote(
                element
            ):
                return (
                    f"an element that is there already adds nothing: say that it is not, "
                    f"`!({quote(element)} in {quote(left)})`"
                )
    return None


def _of_a_package(wand: a.Wand, part: Node | None) -> str:
    """A wand whose right side does not follow from its left side."""
    left, fact = wand.left.span.text, "" if part is None else quote(part)
    left = left if len(left) <= LONGEST and "\n" not in left else ""
    lead = "the right side has to follow from the left one, and from what the package takes along"
    if not left or not fact or not isinstance(part, x.Expr):
        return f"{lead}: say more on the left, or less on the right"
    if isinstance(wand.left, a.Star | a.Access):
        return f"{lead}: say it on the left, `{left} && {fact} --* ...`, or leave it out here"
    return f"{lead}: say `{fact}` on the left, or leave it out here"


def _in_a_clause(case: Case) -> bool:
    """Whether the finding is about a contract of the member itself."""
    if not isinstance(case.member, Method | Function):
        return False
    at = case.finding.span
    clauses = (*case.member.preconditions, *case.member.postconditions)
    return any(c.span.start <= at.start and at.end <= c.span.end for c in clauses)


def _in_an_axiom(function: str, program: Program) -> bool:
    """Whether an axiom of some domain applies a function."""
    return any(
        isinstance(node, x.DomainApp) and node.function == function
        for domain in program.domains.values()
        for axiom in domain.axioms
        for node in descendants(axiom)
    )


def _no_body(case: Case) -> Said:
    """Of a function without body only its postcondition is known, of one of a domain its axioms."""
    assert case.part is not None
    for node in descendants(case.part):
        if isinstance(node, x.FunctionApp):
            function = case.program.functions.get(node.function)
            if function is not None and function.body is None and not function.postconditions:
                return (
                    f"`{function.name}` has no body and promises nothing: say what is known of its "
                    "value, `ensures result ...`, or give it a body"
                )
        if isinstance(node, x.DomainApp):
            told = _not_of_these(node, case.program)
            if told is not None:
                return told
            domain = case.program.domains.get(node.domain)
            if domain is not None and not _in_an_axiom(node.function, case.program):
                return in_general(
                    f"no axiom says what `{node.function}` is: add one to the domain "
                    f"`{domain.name}`, `axiom {{ ... }}`"
                )
    return None


def _not_of_these(app: x.DomainApp, program: Program) -> Advice | None:
    """No axiom applies a function to what another one makes: `size(node(l, r))`."""
    domain = program.domains.get(app.domain)
    inner = next((arg for arg in app.args if isinstance(arg, x.DomainApp)), None)
    if domain is None or inner is None or inner.domain != app.domain or len(app.args) > 1:
        return None
    said = [
        arg.function
        for axiom in domain.axioms
        for node in descendants(axiom)
        if isinstance(node, x.DomainApp) and node.function == app.function
        for arg in node.args
        if isinstance(arg, x.DomainApp)
    ]
    if not said or inner.function in said:
        return None
    made = {f.name: f for f in domain.functions}[inner.function]
    bound = ", ".join([f"{param.name}: {param.type}" for param in made.params])
    applied = f"{app.function}({inner.function}({', '.join([p.name for p in made.params])}))"
    every = f"forall {bound} :: {{ {applied} }} " if bound else ""
    return in_general(
        f"no axiom says what `{app.function}` is of `{inner.function}(...)`: add `axiom {{ {every}"
        f"{applied} == ... }}` to `{domain.name}`"
    )


_OF_LITERALS = (
    x.IntLit, x.BoolLit, x.NullLit, x.Compare, x.Equal, x.NotEqual, x.IntArith, x.Negate, x.Not,
    x.And, x.Or, x.Implies,
)  # fmt: skip


def _of_constants(case: Case) -> Said:
    """A precondition that is about the arguments only, which are constants."""
    params, args = call_of(case)
    if case.part is None or not params or len(params) != len(args):
        return None
    said = substituted(case.part, params, args)
    if not all(isinstance(node, _OF_LITERALS) for node in descendants(said)):
        return None
    quoted = quote(said)
    line = case.part.span.line
    other = _with_other_value(case, params, args)
    such = "," if other is None else f", such as `{other}`,"
    texts = ", ".join([arg.span.text for arg in args])
    meant = f"if `{_called(case)}({texts})` is meant" if len(texts) < LONGEST else "if it is meant"
    text = f"`{quoted}` is not true: call it with another value{such} or let line {line} ask for "
    return in_general(f"{text}less, {meant}") if quoted else None


def _called(case: Case) -> str:
    match case.construct:
        case s.MethodCall(name) | x.FunctionApp(name):
            return name
        case _:
            return ""


def _with_other_value(
    case: Case, params: tuple[x.Var, ...], args: tuple[x.Expr, ...]
) -> str | None:
    """The call with the nearest number for one argument with which all that is asked for holds."""
    name = _called(case)
    callee = case.program.methods.get(name) or case.program.functions.get(name)
    if callee is None:
        return None
    asked = [fact for clause in callee.preconditions for fact in conjuncts(clause)]
    facts = [fact for fact in asked if not isinstance(fact, a.Access)]
    numbers = [value_of(arg, {}, case.program) for arg in args]
    about = frozenset[str]() if case.part is None else free_vars(case.part)
    for at, param in enumerate(params):
        written = numbers[at]
        if param.name not in about or str(param.type) != "Int" or not isinstance(written, int):
            continue
        for value in _nearest(written):
            changed = [*numbers[:at], value, *numbers[at + 1 :]]
            known = {p.name: n for p, n in zip(params, changed, strict=True) if n is not None}
            if all(value_of(fact, known, case.program) for fact in facts):
                texts = [str(value) if n == at else arg.span.text for n, arg in enumerate(args)]
                return f"{name}({', '.join(texts)})"
    return None


def _nearest(number: int) -> Iterator[int]:
    for by in range(1, FARTHEST + 1):
        yield from (number - by, number + by)


FARTHEST = 1_000
"""How far a value that would do is looked for."""


FACT_RULES: tuple[Callable[[Case], Said], ...] = (
    termination,
    of_interface,
    _old_of_a_value,
    _labelled_old,
    of_a_part,
    _wrong_connective,
    _existential,
    literally_false,
    of_another_constructor,
    without_case,
    read_unset,
    by_another_name,
    given_in,
    true_at_first,
    _of_a_body,
    _of_numbers,
    of_iteration,
    of_the_loop,
    forgotten,
    _of_one_moment,
    of_objects,
    _recursive_function,
    of_pure_method,
    _changed_before,
    _of_a_contract,
    *DEFINEDNESS_RULES,
)
"""In the order in which they are asked."""
