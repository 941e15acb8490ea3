"""What to do where an expression has no value, or a permission no meaning."""

from __future__ import annotations

import re
from collections.abc import Callable

from pitviper.explain.advice.case import (
    LONGEST,
    Case,
    in_a_script,
    in_front,
    kept_in_front,
    quote,
    reads_heap,
)
from pitviper.explain.advice.cures import Advice, Said, asks, in_general
from pitviper.explain.advice.facts.twice import not_injective
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import children, descendants, free_vars
from pitviper.results.wording import VIPER, wording_of

_INDEXED = (x.SeqIndex, x.SeqUpdate)


def _index(case: Case) -> Said:
    """An index that is too large or negative, with the fact to say about it."""
    if case.finding.reason not in ("seq.index.length", "seq.index.negative"):
        return None
    if case.member is None or not isinstance(case.part, x.Expr):
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    around = [
        node
        for node in descendants(case.member)
        if isinstance(node, _INDEXED) and any(part is case.part for part in children(node))
    ]
    index, whole = quote(case.part), quote(around[0].sequence) if around else ""
    if not index or not whole:
        return None
    last = f"the last index is `|{whole}| - 1`"
    if case.finding.reason == "seq.index.negative" and isinstance(case.part, x.Negate | x.IntLit):
        back = case.part.operand if isinstance(case.part, x.Negate) else None
        meant = f"`{whole}[|{whole}| - {back.value}]`" if isinstance(back, x.IntLit) else ""
        return f"indices count from 0, and {last}" + (f": write {meant}" if meant else "")
    if case.finding.reason == "seq.index.negative":
        return _said_in_front(case, f"0 <= {index}")
    if index.startswith(f"|{whole}|"):
        return f"indices count from 0: {last}"
    loop = _one_too_far(case, index, f"|{whole}|")
    if loop is not None:
        return (
            f"the loop of line {loop.span.line} runs on while `{index}` is `|{whole}|`, and "
            f"{last}: write `{index} < |{whole}|` in its condition"
        )
    fact = f"{index} < |{whole}|"
    changed = _length_of_before(case, around[0].sequence)
    if changed is not None:
        return in_general(
            f"line {changed.span.line} changes `{whole}`, and what the precondition says of its "
            f"length is about the value before: read it before that line, or test `{fact}`"
        )
    return _said_in_front(case, fact)


def _length_of_before(case: Case, sequence: x.Expr) -> s.FieldAssign | None:
    """The statement that changes a field whose length only the precondition speaks of."""
    method, place = case.member, text_of(sequence)
    if not isinstance(method, Method) or method.body is None or case.finding.error in _CLAUSES:
        return None
    asked = [
        node
        for clause in method.preconditions
        for node in descendants(clause)
        if isinstance(node, x.Cardinality) and text_of(node.collection) == place
    ]
    front = in_front(method.body, case.finding.span.start)
    written = [n for n in front if isinstance(n, s.FieldAssign)]
    own = [n for n in written if f"{text_of(n.receiver)}.{n.field}" == place]
    return own[-1] if own and asked else None


def _one_too_far(case: Case, index: str, size: str) -> s.While | None:
    """The loop around an index whose condition lets it be the size of the sequence."""
    at = case.finding.span
    for node in () if case.member is None else descendants(case.member):
        if not isinstance(node, s.While) or not node.span.start <= at.start < node.span.end:
            continue
        if f"{index} <= {size}" in text_of(node.condition):
            return node
    return None


def _divisor(case: Case) -> Said:
    if case.finding.reason != "division.by.zero" or not isinstance(case.part, x.Expr):
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    divisor = quote(case.part)
    if divisor == "0":
        return "nothing is divided by 0: write another divisor"
    return _said_in_front(case, f"{divisor} != 0") if divisor else None


def _said_in_front(case: Case, fact: str) -> Advice:
    """How a fact becomes known: by a contract, if it is about parameters, or by a test."""
    assert isinstance(case.part, x.Expr)
    if isinstance(case.member, Function) and case.member.body is not None:
        at, body = case.part.span, case.member.body.span
        inside = body.start <= at.start and at.end <= body.end
        known = free_vars(case.part) <= {param.name for param in case.member.params}
        if inside and known and not reads_heap(case.part):
            return in_general(
                f"`{fact}` has to be known: ask for it, `requires {fact}`, or test it, "
                f"`{fact} ? ... : ...`",
                asks(case.member, fact),
            )
    if isinstance(case.member, Method | Function) and case.finding.error not in _CLAUSES:
        outside = free_vars(case.part) <= {param.name for param in case.member.params}
        if outside and not reads_heap(case.part):
            text = f"`{fact}` has to be known: ask for it, `requires {fact}`, or test it first"
            return in_general(text, asks(case.member, fact))
    if case.finding.error in _CLAUSES and (told := _of_all_at_once(case)):
        return Advice(told)
    if case.finding.error in _CLAUSES and (said := _in_a_quantifier(case, fact)):
        return said
    if case.finding.error in _CLAUSES:
        return in_general(
            f"`{fact}` has to be known first: write `{fact} &&` before it, or `{fact} ==>`"
        )
    return in_general(
        f"`{fact}` has to be known here: test it first, or let a contract or invariant say it"
    )


def _of_all_at_once(case: Case) -> str | None:
    """`forall i: Int :: range && acc(...)` for `range ==> acc(...)`."""
    if case.member is None or case.part is None:
        return None
    for node in descendants(case.member):
        if not isinstance(node, x.Forall | a.QuantifiedPermission):
            continue
        text = node.span.text
        if not node.span.encloses(case.part.span) or "==>" in text or text.count("forall") != 1:
            continue
        head, sign, body = text.partition("::")
        parts = [" ".join(part.split()) for part in body.split("&&")]
        names = {variable.name for variable in node.variables}
        ranges = [p for p in parts if _is_a_bound(p, names)]
        facts = [p for p in parts if p not in ranges]
        if not sign or not ranges or not facts or body.count("(") != body.count(")"):
            continue
        if any(part.count("(") != part.count(")") for part in parts):
            continue
        whole = f"{' '.join(head.split())} :: {' && '.join(ranges)} ==> {' && '.join(facts)}"
        return (
            "with `&&` it says of every value that it is in the range, too: write `==>` after "
            f"the range, `{whole}`"
        )
    return None


def _is_a_bound(part: str, names: set[str]) -> bool:
    """Whether a conjunct compares a variable of the quantifier and looks into nothing."""
    sides = re.split(r"\s*(?:<=|>=|<|>)\s*|\s+in\s+", part)
    return len(sides) > 1 and any(side in names for side in sides) and "acc(" not in part


def _in_a_quantifier(case: Case, fact: str) -> Advice | None:
    """The body of the quantifier around the part, with the fact among what it supposes."""
    if case.member is None or not isinstance(case.part, x.Expr):
        return None
    for node in descendants(case.member):
        if not isinstance(node, x.Forall) or not any(n is case.part for n in descendants(node)):
            continue
        if not {variable.name for variable in node.variables} & free_vars(case.part):
            continue
        supposed = node.body.left if isinstance(node.body, x.Implies) else None
        if supposed is not None and any(n is case.part for n in descendants(supposed)):
            return None
        rest = quote(node.body.right if isinstance(node.body, x.Implies) else node.body)
        lead = "" if supposed is None else quote(supposed)
        if not rest or (supposed is not None and not lead):
            return None
        if isinstance(supposed, x.Or | x.Implies | x.Conditional):
            lead = f"({lead})"
        known = f"{lead} && {fact}" if lead else _both_bounds(case, fact)
        if case.finding.reason == "seq.index.negative" and lead:
            known = f"{fact} && {lead}"
        return in_general(f"`{fact}` has to be known first: write `{known} ==> {rest}`")
    return None


def _both_bounds(case: Case, fact: str) -> str:
    """`0 <= i && i < |s|` for each of them: nothing is supposed of the index yet."""
    assert isinstance(case.part, x.Expr) and case.member is not None
    around = [
        node
        for node in descendants(case.member)
        if isinstance(node, _INDEXED) and any(part is case.part for part in children(node))
    ]
    index, whole = quote(case.part), quote(around[0].sequence) if around else ""
    return f"0 <= {index} && {index} < |{whole}|" if index and whole else fact


_CLAUSES = ("not.wellformed", "function.not.wellformed", "predicate.not.wellformed")


def _label_ahead(case: Case) -> str | None:
    """`old[l](e)` in front of `label l`, or where the label may be passed by."""
    if case.finding.reason != "labelled.state.not.reached" or case.member is None:
        return None
    labels = {n.name: n for n in descendants(case.member) if isinstance(n, s.Label)}
    around = case.part if case.part is not None else case.construct
    for node in () if around is None else descendants(around):
        label = labels.get(node.label or "") if isinstance(node, x.Old) else None
        if label is None:
            continue
        line, name = label.span.line, label.name
        if label.span.start > case.finding.span.start:
            return (
                f"`label {name}` (line {line}) stands after this, so that its state is still to "
                "come: move the label up, to where the state is meant"
            )
        return (
            f"a run may come here without passing `label {name}` (line {line}): move the label "
            "to a place that every run passes, such as before the `if` or loop around it"
        )
    return None


def _amount(case: Case) -> str | None:
    if case.part is None:
        return None
    is_of_classes = wording_of(case.finding.span) is not VIPER
    match case.finding.reason:
        case "negative.permission" if not free_vars(case.part):
            return "an amount of permission is not negative: write another one, such as `1/2`"
        case "permission.not.positive" if not free_vars(case.part):
            return "an amount of permission is more than nothing here: write one, such as `1/2`"
        case "negative.permission" | "permission.not.positive" if is_of_classes:
            told = " && ".join(positive_parts(case.part)) or "it"
            return f"an amount of permission is not negative: say so first, `{told}`"
        case "negative.permission":
            amount = quote(case.part) or "p"
            return (
                f"say that it is not: `{amount} > none` first, or `{amount} >= none` if it may "
                "be nothing"
            )
        case "permission.not.positive":
            return f"say that it is: `{quote(case.part) or 'p'} > none` first"
    return None


def positive_parts(amount: Node) -> list[str]:
    """What makes a quotient of numbers positive; languages with classes have no other amounts."""
    match amount:
        case x.PermArith(x.PermOp.FRACTION, part, whole):
            return [f"{text_of(e)} > 0" for e in (part, whole) if free_vars(e)]
        case _:
            return []


def _map_key(case: Case) -> Said:
    if case.finding.reason != "map.key.contains" or case.member is None or case.part is None:
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    for node in descendants(case.member):
        if isinstance(node, x.MapLookup) and any(part is case.part for part in children(node)):
            test = f"{text_of(node.key)} in domain({text_of(node.map)})"
            return in_general(f"say first that the key is there, `{test}`: test it, or ask for it")
    return None


def _wand(case: Case) -> str | None:
    if case.finding.reason == "wand.not.found":
        parts = () if case.part is None or not in_a_script(case) else (*descendants(case.part),)
        own = {text_of(node) for node in parts if isinstance(node, a.FieldLocation)}
        for node in parts:
            if isinstance(node, x.FieldRead) and text_of(node) not in own:
                return kept_in_front(node)
        wands = [] if case.member is None else list(descendants(case.member))
        others = [
            node
            for node in wands
            if isinstance(node, a.Wand) and node.span.end <= case.finding.span.start
        ]
        if others and case.part is not None and text_of(others[-1]) == text_of(case.part):
            return _changed_since(case, others[-1])
        round_ = [w for w in others if isinstance(case.part, a.Wand) and _is_round(w, case.part)]
        if round_ and len(round_[-1].span.text) <= LONGEST:
            wand = round_[-1]
            return (
                f"line {wand.span.line} has this wand the other way round, `{wand.span.text}`: it "
                f"takes `{wand.left.span.text}` and gives `{wand.right.span.text}`; use it so, or "
                "ask for the other one"
            )
        held_for = _held_for_some(case)
        if held_for is not None:
            return held_for
        if others and len(others[-1].span.text) <= LONGEST:
            return (
                f"a wand is found by its text: line {others[-1].span.line} has "
                f"`{others[-1].span.text}`, which is another one; write it as it is there, or "
                "`package` this one first"
            )
        return _NO_WAND
    return None


_NO_WAND = "the wand has to be held: `package` it before, or ask for it in the precondition"


def _changed_since(case: Case, wand: a.Wand) -> str:
    """The same text was a wand with other values: which variable has changed."""
    assigned = [
        node
        for node in (() if case.member is None else descendants(case.member))
        if isinstance(node, s.LocalAssign)
        and node.target.name in free_vars(wand)
        and wand.span.end <= node.span.start < case.finding.span.start
    ]
    if not assigned:
        return _NO_WAND
    name = assigned[-1].target.name
    return (
        f"the wand of line {wand.span.line} is about the value that `{name}` had there, and line "
        f"{assigned[-1].span.line} changed it: keep the value in a variable of its own and write "
        "that in the wand, or `package` it after the change"
    )


def _held_for_some(case: Case) -> str | None:
    """A wand that is there for all values with a property: whether this one has it is open."""
    if case.member is None or case.part is None:
        return None
    for node in descendants(case.member):
        if not isinstance(node, a.QuantifiedPermission) or len(node.variables) != 1:
            continue
        bound = re.compile(rf"\b{re.escape(node.variables[0].name)}\b")
        for name in sorted(free_vars(case.part)):
            if text_of(case.part) == bound.sub(name, text_of(node.resource)):
                asked = node.condition.span.text.replace("\n", " ")
                condition = bound.sub(name, asked)
                return (
                    f"line {node.span.line} has it for each `{node.variables[0].name}` with "
                    f"`{asked}`, and whether `{condition}` is not known: say it "
                    f"first, `requires {condition}`, or test it, `if ({condition}) {{ ... }}`"
                )
    return None


def _is_round(one: a.Wand, other: a.Wand) -> bool:
    """Whether a wand has the sides of another one, exchanged."""
    sides = text_of(other.right), text_of(other.left)
    return (text_of(one.left), text_of(one.right)) == sides


DEFINEDNESS_RULES: tuple[Callable[[Case], Said], ...] = (
    _label_ahead,
    not_injective,
    _index,
    _divisor,
    _amount,
    _map_key,
    _wand,
)
"""In the order in which they are asked."""
