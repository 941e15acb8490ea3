"""What to do where permission is missing: where it went, what contains it, who could give it."""

from __future__ import annotations

from collections.abc import Callable

from pitviper.base.record import replace
from pitviper.explain.advice.case import (
    LONGEST,
    Case,
    asked,
    begins_inside,
    conjuncts,
    in_a_script,
    in_front,
    in_front_of_it,
    kept_in_front,
    lacking_of,
    quote,
    said_before,
    substituted,
    with_arguments,
)
from pitviper.explain.advice.clauses import in_a_contract
from pitviper.explain.advice.cures import (
    Advice,
    Cures,
    Said,
    asks,
    in_general,
    keeps,
    leaves_out,
    promises,
    writes_at_end,
    writes_in_front,
)
from pitviper.explain.advice.gone import (
    all_on_the_way,
    any_object,
    of_another_object,
    same_object,
    used_by_apply,
)
from pitviper.explain.advice.many import among_many
from pitviper.explain.advice.parts import in_part
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.rooms import room_of, seen_from
from pitviper.program.walk import assigned_variables, children, descendants, free_vars
from pitviper.results.wording import VIPER, wording_of
from pitviper.source.span import Span


def _closed_already(case: Case) -> Said:
    """A `fold` of an instance that is held, and not open, on the failing path."""
    if not isinstance(case.construct, s.Fold) or case.finding.error != "fold.failed":
        return None
    instance = text_of(case.construct.predicate)
    if instance not in (case.finding.containing or ()) or not isinstance(case.member, Method):
        return None
    opened = [
        node
        for node in descendants(case.member)
        if isinstance(node, s.Unfold)
        and text_of(node.predicate) == instance
        and node.span.end <= case.finding.span.start
    ]
    if case.finding.conditions and opened:
        return (
            f"`{instance}` was not opened on this path, only where line {opened[-1].span.line} "
            f"runs: put this `fold` into that branch, behind what needs `{instance}` open"
        )
    return Advice(
        f"`{instance}` is closed already: leave this `fold` out", leaves_out(case.construct)
    )


def _inside_an_instance(case: Case) -> Said:
    """A predicate instance that is held has the location inside.

    Where the engine does not know, one of which the member has heard is believed to be held.
    """
    location = lacking_of(case)
    if location is None or not isinstance(case.member, Method | Function):
        return None
    if case.finding.containing is not None:
        known = [text for text in case.finding.containing if "@" not in text]
        return _unfold_advice(case, known[0]) if known else _in_this_formula(case)
    if _taken_in_front(case, text_of(with_arguments(case, location))) is not None:
        return None
    wanted = text_of(with_arguments(case, location))
    unfolded = _unfolded(case)
    for instance in _instances(case):
        predicate = case.program.predicates[instance.predicate]
        if predicate.body is None or text_of(instance) in unfolded:
            continue
        body = substituted(predicate.body, predicate.params, instance.args)
        places = [n.location for n in descendants(body) if isinstance(n, a.Access)]
        if wanted in [text_of(place) for place in places] and text_of(instance) != wanted:
            said = _unfold_advice(case, text_of(instance))
            words = said.text.replace("permission: ", "permission, if it is held here: ", 1)
            return replace(said, text=words)
    return None


def _in_this_formula(case: Case) -> Advice | None:
    """The formula itself names an instance with the location, which it does not open."""
    location = lacking_of(case)
    wanted = "" if location is None else text_of(with_arguments(case, location))
    for instance in said_before(case):
        predicate = case.program.predicates[instance.predicate]
        if predicate.body is None:
            continue
        body = substituted(predicate.body, predicate.params, instance.args)
        inside = [text_of(n.location) for n in descendants(body) if isinstance(n, a.Access)]
        around = None if case.construct is None else _conjunct_around(case)
        if wanted in inside and around is not None and quote(around):
            own, text = text_of(instance), around.span.text
            return Advice(
                f"`{own}` contains this permission: write `(unfolding {own} in {text})` in place "
                f"of `{text}`"
            )
    return None


def _conjunct_around(case: Case) -> Node | None:
    """The conjunct of the failing formula in which the failing part stands."""
    assert case.part is not None
    formula = case.construct.assertion if isinstance(case.construct, s.Assert) else case.construct
    parts = [] if formula is None else conjuncts(formula)
    return next((part for part in parts if part.span.encloses(case.part.span)), None)


def _unfold_advice(case: Case, instance: str) -> Advice:
    in_condition = case.finding.error == "while.failed" or begins_inside(case)
    if isinstance(case.member, Function) or case.finding.error in _CONTRACTS or in_condition:
        return _looking_inside(case, instance)
    cures = writes_in_front(case, f"unfold {instance}")
    if (
        case.finding.error in ("assert.failed", "exhale.failed")
        or case.finding.error == "if.failed"
    ):
        return Advice(
            f"`{instance}` contains this permission: `unfold {instance}` {in_front_of_it(case)}, "
            f"or write `unfolding {instance} in ...`",
            cures,
        )
    return Advice(
        f"`{instance}` contains this permission: `unfold {instance}` {in_front_of_it(case)}", cures
    )


def _looking_inside(case: Case, instance: str) -> Advice:
    """`unfolding P(x) in e`, with what makes that `P(x)` has it."""
    whole = case.finding.span.text if case.finding.error == "while.failed" else ""
    text = whole if 0 < len(whole) <= LONGEST and "\n" not in whole else "..."
    guard = _guard_inside(case, instance)
    loops = [] if case.member is None else [*descendants(case.member)]
    around = [n for n in loops if isinstance(n, s.While) and n.condition.span == case.finding.span]
    if guard is None or not around:
        lead = f"`{instance}` contains this permission"
        return Advice(f"{lead}: write `unfolding {instance} in {text}`")
    return Advice(
        f"`{instance}` contains this permission where `{guard}`: write `unfolding {instance} in "
        f"{text}`, and add `invariant {guard}` behind the invariants",
        keeps(around[0], guard),
    )


def _guard_inside(case: Case, instance: str) -> str | None:
    """The condition under which the body of an instance has the missing location."""
    location = lacking_of(case)
    wanted = "" if location is None else text_of(with_arguments(case, location))
    for node in () if case.member is None else descendants(case.member):
        if not isinstance(node, a.PredicateLocation) or text_of(node) != instance:
            continue
        predicate = case.program.predicates[node.predicate]
        if predicate.body is None:
            continue
        body = substituted(predicate.body, predicate.params, node.args)
        for part in conjuncts(body):
            inner = [text_of(n.location) for n in descendants(part) if isinstance(n, a.Access)]
            if wanted in inner:
                return (quote(part.condition) or None) if isinstance(part, a.Guarded) else None
    return None


_CONTRACTS = ("not.wellformed", "function.not.wellformed", "predicate.not.wellformed")


def _instances(case: Case) -> list[a.PredicateLocation]:
    """Instances that the member asks for or makes in front of the failing construct."""
    found: dict[str, a.PredicateLocation] = {}
    assert case.member is not None
    before = (case.finding.offending or case.finding.span).start
    for node in descendants(case.member):
        if isinstance(node, a.PredicateLocation) and node.span.start < before:
            found.setdefault(text_of(node), node)
        if isinstance(node, s.Unfold) and node.span.start < before:
            predicate = case.program.predicates[node.predicate.predicate]
            if predicate.body is not None:
                body = substituted(predicate.body, predicate.params, node.predicate.args)
                for inner in descendants(body):
                    if isinstance(inner, a.PredicateLocation):
                        found.setdefault(text_of(inner), inner)
    return list(found.values())


def _unfolded(case: Case) -> set[str]:
    assert case.member is not None
    return {
        text_of(node.predicate)
        for node in descendants(case.member)
        if isinstance(node, s.Unfold) and node.span.start < case.finding.span.start
    }


def _given_away(case: Case) -> Said:
    """What was held before went away in a step that is known: how to get it back there."""
    location, history = lacking_of(case), case.finding.history
    if location is None or not isinstance(case.member, Method):
        return None
    wanted = text_of(with_arguments(case, location))
    if history:
        step = _statement_at(case.member, history[-1].span)
        folded = _statement_at(case.member, history[0].span)
        if isinstance(folded, s.Fold) and step is not folded:
            wanted = text_of(folded.predicate)
    else:
        step = _taken_in_front(case, wanted)
    match step:
        case s.MethodCall(method):
            formal = _formal_access(step, wanted, case.program) or "acc(...)"
            return Advice(
                f"let `{method}` give it back: `ensures {formal}` in its contract; or call it "
                "when the permission is no longer needed",
                promises(case.program.methods[method], formal),
            )
        case s.While() if wanted.endswith(")"):
            return Advice(
                f"the loop of line {step.span.line} has only what its invariants ask for: add "
                f"`invariant {wanted}`",
                keeps(step, wanted),
            )
        case s.While():
            return Advice(
                f"the loop of line {step.span.line} has only what its invariants ask for: add "
                f"`invariant acc({wanted})`, and what is known of its value",
                keeps(step, f"acc({wanted})"),
            )
        case s.Exhale():
            return in_general(
                f"line {step.span.line} gives it away: use it before, exhale less, or inhale it "
                "again"
            )
        case s.Unfold(instance) if text_of(instance) == wanted and case.finding.error in _CLOSED:
            where = _CLOSED[case.finding.error]
            text = f"it was opened in line {step.span.line}: `fold {wanted}` {where}"
            return Advice(text, _folds(case, wanted))
        case s.Unfold(instance) if (
            text_of(instance) == wanted and case.finding.error == "unfold.failed"
        ):
            text = f"it is open since line {step.span.line}, and what is inside is held"
            cures = leaves_out(case.construct) if isinstance(case.construct, s.Unfold) else ()
            return Advice(f"{text}: leave this `unfold` out", cures)
        case s.Unfold():
            return f"it was opened in line {step.span.line}: `fold` it again before"
        case s.Package():
            return (
                f"the package of line {step.span.line} took it: `apply` the wand to get it back, "
                "or use it before"
            )
    return None


def _taken_in_front(case: Case, wanted: str) -> s.Stmt | None:
    """The statement that took what the precondition asks for, where the engine tells no history.

    It is the last one in front whose contract, formula or invariants take the location, by its
    text, and give nothing back.
    """
    if case.finding.containing is not None or not isinstance(case.member, Method):
        return None
    if case.member.body is None or not asked(case.member.preconditions, wanted):
        return None
    at = case.finding.span
    taken: s.Stmt | None = None
    at_end = case.finding.error == "postcondition.violated"
    before = case.member.body.span.end if at_end else at.start
    for node in in_front(case.member.body, before):
        match node:
            case s.MethodCall(method):
                callee = case.program.methods[method]
                returned = [substituted(p, callee.params, node.args) for p in callee.postconditions]
                if _formal_access(node, wanted, case.program) and not asked(returned, wanted):
                    taken = node
            case s.Exhale(formula) if asked([formula], wanted):
                taken = node
            case s.Inhale(formula) if asked([formula], wanted):
                taken = None
            case s.While() if not asked(node.invariants, wanted):
                taken = node if node.span.end > at.start else taken
            case s.Package(wand) if asked([wand.right], wanted):
                taken = None if asked([wand.left], wanted) else node
            case s.Unfold(instance) | s.Fold(instance) if text_of(instance) == wanted:
                taken = node if isinstance(node, s.Unfold) else None
    return taken


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
                place = substituted(node.location, method.params, call.args)
                if text_of(place) == wanted:
                    formal = text_of(node.location)
                    whole = text_of(node.amount) == "write"
                    return f"acc({formal})" if whole else node.span.text
    return None


def _made_without(case: Case) -> str | None:
    """The object was made by a `new` that does not name the field."""
    location = lacking_of(case)
    if location is None or not isinstance(case.member, Method) or case.finding.history:
        return None
    place = with_arguments(case, location)
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


def _of_another_object(case: Case) -> str | None:
    """A `fold` needs the instance of what a field points to, which was assigned in front."""
    location = lacking_of(case)
    if not isinstance(location, a.PredicateLocation) or case.finding.error != "fold.failed":
        return None
    if not isinstance(case.member, Method) or case.member.body is None:
        return None
    needed = with_arguments(case, location)
    wanted = quote(needed)
    reads = {text_of(node) for node in descendants(needed) if isinstance(node, x.FieldRead)}
    assigned = None
    for node in in_front(case.member.body, case.finding.span.start):
        match node:
            case s.FieldAssign(receiver, field) if f"{text_of(receiver)}.{field}" in reads:
                assigned = node
            case s.Fold(instance) if text_of(instance) == wanted:
                assigned = None
    if assigned is None or not wanted:
        return None
    place = f"{text_of(assigned.receiver)}.{assigned.field}"
    return (
        f"line {assigned.span.line} assigns `{place}`, so `{wanted}` is another instance than the "
        f"one before: `fold {wanted}` behind line {assigned.span.line}, with all that its body "
        "asks for, or get it from a call or the precondition"
    )


def _left_in_a_loop(case: Case) -> str | None:
    """A loop takes an instance of what its variable starts at, and gives back what it ends at."""
    location = lacking_of(case)
    if not isinstance(location, a.PredicateLocation) or not isinstance(case.member, Method):
        return None
    if case.finding.error != "postcondition.violated" or case.member.body is None:
        return None
    wanted = quote(location)
    for loop in case.member.body.statements:
        if not isinstance(loop, s.While) or not wanted:
            continue
        moved = {variable.name for variable in assigned_variables(loop)}
        for node in (n for clause in loop.invariants for n in descendants(clause)):
            if not isinstance(node, a.PredicateLocation) or node.predicate != location.predicate:
                continue
            if free_vars(node) & moved and not free_vars(location) & moved:
                kept = quote(node)
                return (
                    f"the loop of line {loop.span.line} moves on and keeps only `{kept}`: what its "
                    f"body opened is left behind, so add what makes `{wanted}` again, as in "
                    f"`invariant {kept} --* {wanted}`, or call a method for the rest in place of "
                    "the loop"
                )
    return None


def _at_the_end(case: Case) -> str | None:
    """A postcondition applies a function to what is held at the start only."""
    location = lacking_of(case)
    if case.finding.error != "application.precondition" or location is None:
        return None
    if not isinstance(case.member, Method) or not isinstance(case.construct, x.FunctionApp):
        return None
    at = case.finding.span
    inside = [c for c in case.member.postconditions if c.span.start <= at.start < c.span.end]
    wanted = text_of(with_arguments(case, location))
    if not inside or not asked(case.member.preconditions, wanted):
        return None
    app = quote(case.construct)
    if not app or any(
        isinstance(n, x.Old) and case.construct in descendants(n) for n in descendants(inside[0])
    ):
        return None
    return (
        f"a postcondition is about the end, where `{wanted}` is not promised: for the value at the "
        f"start write `old({app})`"
    )


def _endless(case: Case) -> str | None:
    """An instance whose body asks for another one in every case: no finite structure has it."""
    location = lacking_of(case)
    if not isinstance(location, a.PredicateLocation) or case.finding.error != "fold.failed":
        return None
    predicate = case.program.predicates.get(location.predicate)
    body = None if predicate is None else predicate.body
    parts = body.conjuncts if isinstance(body, a.Star) else (body,)
    own = [
        part.location
        for part in parts
        if isinstance(part, a.Access)
        and isinstance(part.location, a.PredicateLocation)
        and part.location.predicate == location.predicate
    ]
    reads = [arg for place in own for arg in place.args if isinstance(arg, x.FieldRead)]
    if predicate is None or not reads or wording_of(predicate.span) is not VIPER:
        return None
    places = " and ".join([f"`{text_of(place)}`" for place in own])
    ends = [
        f"`({text_of(arg)} != null ==> {text_of(place)})`"
        for place in own
        for arg in place.args
        if isinstance(arg, x.FieldRead)
    ]
    return (
        f"the body of `{predicate.name}` (line {predicate.span.line}) asks for {places} in every "
        f"case, so it never ends: let it, by {' and '.join(ends)}"
    )


def _folded_without(case: Case) -> Said:
    location = lacking_of(case)
    if location is None or case.finding.error != "fold.failed" or case.finding.history:
        return None
    wanted = quote(with_arguments(case, location))
    if not wanted:
        return None
    return in_general(
        f"a `fold` needs all that the body of the predicate holds: `acc({wanted})` is missing"
    )


def _fold_at_the_end(case: Case) -> Said:
    """An instance is promised that was never made."""
    location = lacking_of(case)
    if not isinstance(location, a.PredicateLocation) or case.finding.history:
        return None
    predicate = case.program.predicates.get(location.predicate)
    if predicate is None or predicate.body is None or not isinstance(case.member, Method):
        return None
    wanted = text_of(with_arguments(case, location))
    seen = seen_from(case.program, room_of(case.member.name)).predicates[location.predicate]
    if seen.body is None:
        owner = location.predicate.partition(".")[0]
        return (
            f"only methods of `{owner}` can close it: let the constructor or a method before this "
            f"promise `{wanted}`, or ask for it"
        )
    if case.finding.error == "postcondition.violated":
        where = "at the end of the body"
    elif case.finding.error in ("call.precondition", "invariant.not.established"):
        where = in_front_of_it(case)
    else:
        return None
    others = [h[4:-1] for h in case.finding.held if h.startswith(f"acc({location.predicate}(")]
    others = [other for other in others if other != wanted and "@" not in other]
    if others and case.finding.error == "postcondition.violated":
        return in_general(
            f"`fold {wanted}` {where}, if what is inside is held; if `{others[0]}` was meant, "
            "which is held, promise that"
        )
    return in_general(
        f"`fold {wanted}` {where}, if what is inside is held; else it has to be asked for",
        _folds(case, wanted),
    )


def _folds(case: Case, wanted: str) -> Cures:
    """A `fold` where it is needed: at the end for a postcondition, else in front of what fails."""
    at_end = case.finding.error == "postcondition.violated"
    write = writes_at_end if at_end else writes_in_front
    return () if case.finding.error == "invariant.not.preserved" else write(case, f"fold {wanted}")


def _of_a_function(case: Case) -> Said:
    """What a function looks at, its precondition has to ask for."""
    location = lacking_of(case)
    if not isinstance(case.member, Function) or location is None:
        return None
    if case.finding.error != "function.not.wellformed":
        return None
    wanted = text_of(location)
    return Advice(
        f"a function may look at what its precondition holds: `requires acc({wanted}, wildcard)`, "
        "or a predicate that contains it, and `unfolding` that",
        _asked_for(case, location, f"acc({wanted}, wildcard)"),
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
                "precondition asks for the permissions of two objects, and there is one; call it "
                "with two different objects"
            )
    return None


def _stands_twice(case: Case) -> str | None:
    """A formula asks for the same location again, and there is no more of it."""
    location = lacking_of(case)
    if location is None or case.member is None or case.finding.history:
        return None
    at, wanted = (case.part or location).span, text_of(location)
    formula = case.finding.span
    found = [
        node
        for node in descendants(case.member)
        if isinstance(node, a.Access)
        and text_of(node.location) == wanted
        and formula.start <= node.span.start < at.start
        and node.span.end <= formula.end
        and not any(node.span.start <= s_.start < node.span.end for s_ in (at,))
    ]
    if not found or case.finding.error not in _TAKING:
        return None
    return (
        f"`{found[0].span.text}` stands in front of it, and both together are more than is held: "
        "`&&` adds permissions up, so leave one out, or ask for parts such as "
        f"`acc({wanted}, 1/2)`"
    )


_TAKING = ("assert.failed", "exhale.failed", "postcondition.violated")


def _under_a_condition(case: Case) -> str | None:
    """The member has the permission only if something holds."""
    location = lacking_of(case)
    if location is None or case.member is None:
        return None
    wanted = text_of(location)
    for node in descendants(case.member):
        if isinstance(node, a.Guarded) and node.span.start < case.finding.span.start:
            inner = [n.location for n in children(node) if isinstance(n, a.Access)]
            if wanted in [text_of(place) for place in inner] and (quoted := quote(node.condition)):
                if case.finding.error == "postcondition.violated":
                    return (
                        f"the permission is there only if `{quoted}` (line {node.span.line}): "
                        f"promise it under that condition, `ensures {node.span.text}`, or ask for "
                        "it without the condition"
                    )
                return (
                    f"the permission is there only if `{quoted}` (line {node.span.line}): test "
                    "that before, or ask for the permission without the condition"
                )
    return None


def _in_an_opened_body(case: Case) -> str | None:
    """An instance that was unfolded has the permission only if something holds."""
    location = lacking_of(case)
    if location is None or not isinstance(case.member, Method) or case.finding.history:
        return None
    wanted = text_of(with_arguments(case, location))
    for node in descendants(case.member):
        if not isinstance(node, s.Unfold) or node.span.start >= case.finding.span.start:
            continue
        predicate = case.program.predicates[node.predicate.predicate]
        if predicate.body is None:
            continue
        body = substituted(predicate.body, predicate.params, node.predicate.args)
        for part in descendants(body):
            if not isinstance(part, a.Guarded):
                continue
            inner = [text_of(n.location) for n in descendants(part) if isinstance(n, a.Access)]
            if wanted in inner and (quoted := quote(part.condition)):
                if quoted in [c.holds for c in case.finding.conditions]:
                    return None
                return (
                    f"`{text_of(node.predicate)}` (opened in line {node.span.line}) has it only if "
                    f"`{quoted}`: test that in front, `if ({quoted}) {{ ... }}`"
                )
    return None


def _another_instance(case: Case) -> Said:
    """An instance of the same predicate is held, of other arguments."""
    location = lacking_of(case)
    if not isinstance(location, a.PredicateLocation) or case.finding.history:
        return None
    if case.finding.error not in ("unfold.failed", "call.precondition", "exhale.failed"):
        return None
    wanted = text_of(with_arguments(case, location))
    held = [h[4:-1] for h in case.finding.held if h.startswith(f"acc({location.predicate}(")]
    others = [h for h in held if h != wanted and h.endswith(")") and "@" not in h]
    if not others:
        return None
    return in_general(
        f"`{others[0]}` is held here, not `{wanted}`: use that, or say that they are the same"
    )


def _in_a_loop(case: Case) -> Said:
    """A loop moves along, and none of its invariants asks for what its variable stands at."""
    location = lacking_of(case)
    if not isinstance(location, a.FieldLocation) or not isinstance(case.member, Method):
        return None
    if not isinstance(location.receiver, x.Var) or wording_of(case.finding.span) is not VIPER:
        return None
    at, name = case.finding.span, location.receiver.name
    loops = [
        node
        for node in descendants(case.member)
        if isinstance(node, s.While)
        and node.span.start <= at.start
        and at.end <= node.span.end
        and name in [variable.name for variable in assigned_variables(node)]
    ]
    if not loops or any(
        isinstance(n, a.Access) for i in loops[-1].invariants for n in descendants(i)
    ):
        return None
    instance = _predicate_of(location.field, case.program)
    if instance is None:
        formula = f"{name} != null ==> acc({text_of(location)})"
        return Advice(
            f"the loop of line {loops[-1].span.line} has only what its invariants ask for: add "
            f"`invariant {formula}`",
            keeps(loops[-1], formula),
        )
    return (
        f"the loop of line {loops[-1].span.line} has only what its invariants ask for: add "
        f"`invariant {instance}({name})`, and `unfold {instance}({name})` {in_front_of_it(case)}"
    )


def _predicate_of(field: str, program: Program) -> str | None:
    """A predicate of one object whose body has the field of it."""
    for predicate in program.predicates.values():
        if len(predicate.params) != 1 or predicate.body is None:
            continue
        wanted = f"{predicate.params[0].name}.{field}"
        places = [n.location for n in descendants(predicate.body) if isinstance(n, a.Access)]
        if wanted in [text_of(place) for place in places]:
            return predicate.name
    return None


def _from_a_call(case: Case) -> Said:
    """The object comes from a call, whose contract gives no permission to it."""
    location = lacking_of(case)
    if not isinstance(location, a.FieldLocation) or not isinstance(case.member, Method):
        return None
    if not isinstance(location.receiver, x.Var) or case.finding.history:
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    calls = [
        (node, target)
        for node in descendants(case.member)
        if isinstance(node, s.MethodCall) and node.span.start < case.finding.span.start
        for target in node.targets
        if target.name == location.receiver.name
    ]
    if not calls:
        return None
    call, target = calls[-1]
    names = [t.name for t in call.targets]
    formal = case.program.methods[call.method].returns[names.index(target.name)]
    formula = f"acc({formal.name}.{location.field})"
    return Advice(
        f"`{target.name}` comes from `{call.method}` (line {call.span.line}), which gives no "
        f"permission to it: `ensures {formula}` in its contract",
        promises(case.program.methods[call.method], formula),
    )


def _to_apply(case: Case) -> Said:
    """The left side of a wand is given up by an `apply`."""
    location = lacking_of(case)
    if location is None or case.finding.error != "apply.failed":
        return None
    wanted = quote(location)
    if not wanted:
        return None
    return in_general(
        f"an `apply` gives the left side of the wand away, so it has to be held: get "
        f"`acc({wanted})` {in_front_of_it(case)}, or ask for it, `requires acc({wanted})`"
    )


def _read_in_a_script(case: Case) -> str | None:
    """Between the braces of a `package` nothing is read that the script does not hold itself."""
    if not isinstance(case.part, x.FieldRead) or not in_a_script(case):
        return None
    return kept_in_front(case.part)


def _folded_in_package(case: Case) -> str | None:
    """The right side of a wand is an instance that nobody has made."""
    location = lacking_of(case)
    if case.finding.error != "package.failed" or not isinstance(location, a.PredicateLocation):
        return None
    predicate = case.program.predicates.get(location.predicate)
    if predicate is None or predicate.body is None or case.finding.history:
        return None
    wanted = quote(location)
    return (
        f"make it of the left side and of what is held, between braces: "
        f"`package ... {{ fold {wanted} }}`"
        if wanted
        else None
    )


def _never_folded(case: Case) -> Said:
    """An instance is asserted that no `fold` has made, whatever is true of its arguments."""
    location = lacking_of(case)
    if not isinstance(location, a.PredicateLocation) or case.finding.history:
        return None
    if case.finding.error not in ("assert.failed", "exhale.failed") or case.finding.held:
        return None
    predicate = case.program.predicates.get(location.predicate)
    wanted = quote(location)
    if predicate is None or predicate.body is None or not wanted:
        return None
    if isinstance(case.member, Method) and asked(case.member.preconditions, wanted):
        return None  # it was given away, or is needed twice
    pure = isinstance(predicate.body, x.Expr)
    other = (
        "; where it is only about values, declare a `function` of type Bool instead" if pure else ""
    )
    return Advice(
        f"an instance is there after a `fold`: `fold {wanted}` {in_front_of_it(case)}, or ask for "
        f"it, `requires {wanted}`{other}",
        (*writes_in_front(case, f"fold {wanted}"), *_asked_for(case, location, wanted)),
    )


def _of_a_local(case: Case, location: a.FieldLocation | a.PredicateLocation) -> bool:
    """Whether a precondition cannot speak of a location, for it belongs to a local variable."""
    if not isinstance(case.member, Method) or wording_of(case.finding.span) is not VIPER:
        return False
    return not free_vars(location) <= {param.name for param in case.member.params}


def _to_read_or_write(case: Case) -> Said:
    location = lacking_of(case)
    if location is None or case.finding.history:
        return None
    wanted = text_of(with_arguments(case, location))
    if isinstance(case.member, Method) and asked(case.member.preconditions, wanted):
        return in_general(
            f"the precondition asks for `{wanted}`, but too little of it is held here: is it only "
            "a part, or was it given away? `pitviper debug` shows what is held"
        )
    asking = _asked_for(case, with_arguments(case, location), f"acc({wanted})")
    match case.finding.error:
        case "assignment.failed" if _of_a_local(case, location):
            return in_general(
                f"get `acc({wanted})` in front of this: `new` makes it, a call or an `unfold` may "
                "give it"
            )
        case "assignment.failed" if isinstance(case.part, s.FieldAssign):
            return in_general(
                f"writing needs the whole permission: `requires acc({wanted})`, or `new` makes it",
                asking,
            )
        case (
            "assignment.failed" | "assert.failed" | "if.failed" | "while.failed" | "inhale.failed"
        ) if isinstance(location, a.FieldLocation) and not isinstance(case.part, a.FieldLocation):
            part = _asked_for(case, location, f"acc({wanted}, 1/2)")
            return Advice(
                f"reading needs some permission: `requires acc({wanted})`, or a part of it, "
                f"`acc({wanted}, 1/2)`",
                (*asking, *part),
            )
        case "assert.failed" | "exhale.failed":
            ask = f"the permission has to be there: ask for it, `requires acc({wanted})`"
            if isinstance(location, a.PredicateLocation):
                folding = writes_in_front(case, f"fold {wanted}")
                text = f"{ask}, or `fold {wanted}` {in_front_of_it(case)}"
                return Advice(text, (*asking, *folding))
            return Advice(ask + _or_unfold(location, case.program), asking)
        case "call.precondition" | "application.precondition":
            return Advice(
                f"the caller has to hold what the callee requires: ask for it, "
                f"`requires acc({wanted})`, or `fold` or `unfold` what contains it",
                asking,
            )
        case "package.failed":
            return (
                "what the right side of a wand needs comes from its left side, or from what is "
                f"held where it is packaged: get `acc({wanted})` first, or put it on the left"
            )
    return None


def _asked_for(case: Case, location: Node, formula: str) -> Cures:
    """A precondition with a location, where it can speak of it."""
    member = case.member
    if not isinstance(member, Method | Function):
        return ()
    known = {param.name for param in member.params}
    return asks(member, formula) if free_vars(location) <= known else ()


def _or_unfold(location: a.FieldLocation, program: Program) -> str:
    """The other way to a field, if some predicate has it inside."""
    for predicate in program.predicates.values():
        for node in () if predicate.body is None else descendants(predicate.body):
            if isinstance(node, a.FieldLocation) and node.field == location.field:
                return f", or `unfold` an instance of `{predicate.name}` that contains it"
    return ""


PERMISSION_RULES: tuple[Callable[[Case], Said], ...] = (
    _read_in_a_script,
    _closed_already,
    _at_the_end,
    _endless,
    _inside_an_instance,
    _same_object_twice,
    same_object,
    used_by_apply,
    any_object,
    all_on_the_way,
    of_another_object,
    _stands_twice,
    _left_in_a_loop,
    _given_away,
    _of_another_object,
    _made_without,
    _in_an_opened_body,
    _another_instance,
    _in_a_loop,
    _from_a_call,
    _to_apply,
    _folded_in_package,
    _never_folded,
    _fold_at_the_end,
    _of_a_function,
    _under_a_condition,
    in_part,
    among_many,
    in_a_contract,
    _folded_without,
    _to_read_or_write,
)
"""In the order in which they are asked."""
