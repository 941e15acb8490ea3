"""What to do where permission is missing: where it went, what contains it, who could give it."""

from __future__ import annotations

from collections.abc import Callable

from pitviper.explain.advice.case import (
    LONGEST,
    Case,
    asked,
    in_a_script,
    in_front_of_it,
    kept_in_front,
    lacking_of,
    quote,
    substituted,
    with_arguments,
)
from pitviper.explain.advice.cures import (
    Advice,
    Cures,
    Said,
    asks_for,
    in_general,
    keeps,
    promises,
    writes_in_front,
)
from pitviper.explain.advice.objects.contents import lacking_in_predicate
from pitviper.explain.advice.objects.elsewhere import (
    of_another_class,
    of_interface_without,
    of_null,
)
from pitviper.explain.advice.objects.objects import of_one_object
from pitviper.explain.advice.permissions.clauses import in_a_contract
from pitviper.explain.advice.permissions.folded import (
    another_instance,
    closed_already,
    endless,
    fold_at_the_end,
    folded_in_package,
    folded_without,
    linked_to_another,
    never_folded,
)
from pitviper.explain.advice.permissions.given import given_away
from pitviper.explain.advice.permissions.gone import (
    all_on_the_way,
    any_object,
    of_another_object,
    same_object,
    used_by_apply,
)
from pitviper.explain.advice.permissions.inside import in_an_opened_body, inside_an_instance
from pitviper.explain.advice.permissions.many import among_many
from pitviper.explain.advice.permissions.nothing import folded_of_null
from pitviper.explain.advice.permissions.parts import asks_for_too_much, in_part, more_than_all
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method, Program
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import assigned_variables, children, descendants, free_vars
from pitviper.results.finding import negated
from pitviper.results.wording import VIPER, wording_of


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
                left = (
                    f"the loop of line {loop.span.line} moves on and keeps only `{kept}`: what its "
                    "body opened is left behind"
                )
                if wording_of(case.finding.span) is not VIPER:  # other languages have no wands
                    return f"{left}, so call a method for the rest in place of the loop"
                return (
                    f"{left}, so add what makes `{wanted}` again, as in `invariant {kept} --* "
                    f"{wanted}`, or call a method for the rest in place of the loop"
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
        asks_for(case, location, f"acc({wanted}, wildcard)"),
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
        f"`{found[0].span.text}` stands before it, and both together are more than is held: "
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


def _in_one_case(case: Case) -> str | None:
    """A function applies itself to what its predicate holds in one case only."""
    member, location = case.member, lacking_of(case)
    if not isinstance(member, Function) or location is None or member.body is None:
        return None
    if wording_of(case.finding.span) is not VIPER or not case.finding.conditions:
        return None
    wanted = text_of(with_arguments(case, location))
    for node in descendants(member.body):
        if not isinstance(node, x.Unfolding) or not node.body.span.encloses(case.finding.span):
            continue
        predicate = case.program.predicates[node.predicate.predicate]
        if predicate.body is None:
            continue
        body = substituted(predicate.body, predicate.params, node.predicate.args)
        for guarded in descendants(body):
            if not isinstance(guarded, a.Guarded) or not asked([guarded], wanted):
                continue
            condition, inner = text_of(guarded.condition), node.body.span.text
            if case.finding.conditions[-1].holds == negated(condition) and len(inner) <= LONGEST:
                return (
                    f"`{text_of(node.predicate)}` has it only if `{condition}` (line "
                    f"{predicate.span.line}): write `{condition} ? {inner} : ...` in place of "
                    f"`{inner}`, with the value for the other case"
                )
    return None


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
    more = more_than_all(case, location)
    if more is not None:
        return more
    if isinstance(case.member, Method) and asked(case.member.preconditions, wanted):
        return in_general(
            f"the precondition asks for `{wanted}`, but too little of it is held here: is it only "
            "a part, or was it given away? `pitviper debug` shows what is held"
        )
    asking = asks_for(case, with_arguments(case, location), f"acc({wanted})")
    match case.finding.error:
        case "assignment.failed" if _of_a_local(case, location):
            return in_general(
                f"get `acc({wanted})` before this: `new` makes it, a call or an `unfold` may "
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
            part = asks_for(case, location, f"acc({wanted}, 1/2)")
            return Advice(
                f"{_of_the_link(case, location)}reading needs some permission: `requires "
                f"acc({wanted})`, or a part of it, `acc({wanted}, 1/2)`",
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
            return _to_package(case, wanted, asking)
    return None


def _of_the_link(case: Case, location: a.FieldLocation) -> str:
    """Permission to `x.next` is held, which is none to a field of what it leads to."""
    link = text_of(location.receiver)
    is_held = isinstance(case.member, Method) and asked(case.member.preconditions, link)
    if not is_held or not isinstance(location.receiver, x.FieldRead):
        return ""
    return f"permission to `{link}` is none to `{text_of(location)}`; "


def _to_package(case: Case, wanted: str, asking: Cures) -> Advice:
    """What a package needs may be held in front of it, or come from its left side."""
    lead = (
        "what the right side of a wand needs comes from its left side, or from what is held where "
        "it is packaged"
    )
    ask = f"ask for it, `requires acc({wanted})`" if asking else f"get `acc({wanted})` first"
    match case.construct:
        case s.Package(wand) if len(wand.span.text) <= LONGEST and "\n" not in wand.span.text:
            left, right = wand.left.span.text, wand.right.span.text
            more = f"acc({wanted})" if left == "true" else f"{left} && acc({wanted})"
            return in_general(
                f"{lead}: {ask}, or put it on the left, `package {more} --* {right}`", asking
            )
        case _:
            return in_general(f"{lead}: {ask}, or put it on the left", asking)


def _or_unfold(location: a.FieldLocation, program: Program) -> str:
    """The other way to a field, if some predicate has it inside."""
    for predicate in program.predicates.values():
        for node in () if predicate.body is None else descendants(predicate.body):
            if isinstance(node, a.FieldLocation) and node.field == location.field:
                return f", or `unfold` an instance of `{predicate.name}` that contains it"
    return ""


PERMISSION_RULES: tuple[Callable[[Case], Said], ...] = (
    _read_in_a_script,
    of_null,
    asks_for_too_much,
    of_interface_without,
    closed_already,
    of_one_object,
    _in_one_case,
    _at_the_end,
    folded_of_null,
    endless,
    inside_an_instance,
    _same_object_twice,
    same_object,
    used_by_apply,
    any_object,
    all_on_the_way,
    of_another_object,
    _stands_twice,
    _left_in_a_loop,
    given_away,
    linked_to_another,
    _made_without,
    of_another_class,
    lacking_in_predicate,
    in_an_opened_body,
    another_instance,
    _in_a_loop,
    _from_a_call,
    _to_apply,
    folded_in_package,
    never_folded,
    fold_at_the_end,
    _of_a_function,
    _under_a_condition,
    in_part,
    among_many,
    in_a_contract,
    folded_without,
    _to_read_or_write,
)
"""In the order in which they are asked."""
