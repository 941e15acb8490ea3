"""Formulas that may be wrong themselves: ranges, sizes, amounts, arguments, numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from pitviper.explain.advice.case import (
    Case,
    call_of,
    conjuncts,
    substituted,
)
from pitviper.explain.advice.facts.defined import positive_parts
from pitviper.explain.advice.facts.ranges import head_of, is_range
from pitviper.explain.advice.facts.termination import has_an_end
from pitviper.explain.cures.edit import (
    Candidate,
    quoted,
)
from pitviper.explain.cures.needs import facts_needed, plain
from pitviper.explain.writing import inserted, replaced
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


def of_quantifiers(case: Case) -> Iterator[Candidate]:
    """The index of a sequence is a variable that a quantifier binds, without its range."""
    if case.finding.reason not in ("seq.index.length", "seq.index.negative"):
        return
    member, part = case.member, case.part
    if member is None or not isinstance(part, x.Expr):
        return
    kinds = (x.Forall, x.Exists, a.QuantifiedPermission)
    around = [n for n in descendants(member) if isinstance(n, kinds) and n.span.encloses(part.span)]
    for quantifier in reversed(around):
        names = {v.name for v in quantifier.variables}
        if not free_vars(part) & names:
            continue
        yield from _implied(quantifier, names)
        yield from _border(quantifier, names)
        text, begin = quantifier.span.text, quantifier.span.start
        ranges = _ranges(quantifier, names)
        there = text.find("==>")
        edits = [_ranged(text, there, said) for said in _choices(ranges, there)]
        for at, added in edits:
            whole = f"{text[:at].rstrip()} {added.strip()} {text[at:].strip()}"
            lead = (
                f"without a range, `{part.span.text}` is any number"
                if there < 0
                else f"the range lets `{part.span.text}` be no index"
            )
            yield Candidate(
                (Edit(Span(quantifier.span.file, begin + at, begin + at), added),),
                f"{lead}: write `{' '.join(whole.split())}`",
                within=False,
                further=True,
            )


def _implied(quantifier: Node, names: set[str]) -> Iterator[Candidate]:
    """`==>` for the `&&` behind the range of a `forall`, which says it of everything otherwise."""
    if not isinstance(quantifier, x.Forall) or not isinstance(quantifier.body, x.And):
        return
    parts = quantifier.body.operands
    ranges = [p for p in parts if is_range(p, names)]
    facts = [p.span.text for p in parts if p not in ranges]
    head = head_of(quantifier)
    if not ranges or not facts:
        return
    own = [p.span.text for p in ranges]
    for more in ([], _tighter(quantifier, own)):
        said = _without_wider([*own, *more])
        body = f"{' && '.join(said)} ==> {' && '.join(facts)}"
        if more or not _tighter(quantifier, own):
            yield Candidate(
                (replaced(quantifier.body, body),),
                "a `forall` with `&&` says that everything is in the range: write `==>` after "
                f"the range, `{' '.join((head + body).split())}`",
                within=False,
                further=True,
            )


def _tighter(quantifier: Node, said: list[str]) -> list[str]:
    """`i + 1 < |s|`, where the quantifier looks at `s[i + 1]` and does not say so."""
    known = {"".join(one.split()) for one in said}
    found = list[str]()
    for node in descendants(quantifier):
        if isinstance(node, x.SeqIndex) and isinstance(node.index, x.IntArith):
            size = f"|{text_of(node.sequence)}|"
            low = node.index.op is x.IntOp.SUB
            index = text_of(node.index)
            found.append(f"0 <= {index}" if low else f"{index} < {size}")
    return [one for one in dict.fromkeys(found) if "".join(one.split()) not in known]


def _without_wider(ranges: list[str]) -> list[str]:
    """Without `i < n`, where `i + 1 < n` is said as well."""
    tight = {one.replace(" + 1 <", " <") for one in ranges if " + 1 <" in one}
    return [one for one in ranges if " ".join(one.split()) not in tight]


def _border(quantifier: Node, names: set[str]) -> Iterator[Candidate]:
    """`i <= |s|` lets the index be one too many."""
    for node in descendants(quantifier):
        match node:
            case x.Compare(x.CompareOp.LE, x.Var(name), x.Cardinality() as size) if name in names:
                meant = f"{name} < {size.span.text}"
                yield Candidate(
                    (replaced(node, meant),),
                    f"the last index is `{size.span.text} - 1`: write `{meant}` in place of "
                    f"`{node.span.text}`",
                    within=False,
                    further=True,
                )
            case x.Compare(x.CompareOp.LE, x.Var(name), bound) if name in names:
                if free_vars(bound) and not free_vars(bound) & names:
                    yield _one_too_far(node, bound)


def _one_too_far(fact: x.Compare, bound: x.Expr) -> Candidate:
    """`k <= n`, where there are `n` elements."""
    meant = f"{fact.left.span.text} < {bound.span.text}"
    return Candidate(
        (replaced(fact, meant),),
        f"the range goes one too far, as indices begin with 0: write `{meant}` in place of "
        f"`{fact.span.text}`",
        within=False,
        further=True,
    )


def _choices(ranges: list[str], there: int) -> list[str]:
    """Each alone where there is a range, else all."""
    whole = [" && ".join(ranges)] if ranges else []
    return [*ranges, *whole] if there >= 0 else whole


def _ranged(text: str, there: int, said: str) -> tuple[int, str]:
    """Where the range belongs in a quantifier, and how it is written there."""
    if there >= 0:
        return there, f"&& {said} "
    sign = "&&" if text.lstrip("(").startswith("exists") else "==>"
    return text.find("::") + 2, f" {said} {sign}"


def _ranges(quantifier: Node, names: set[str]) -> list[str]:
    """`0 <= i` and `i < |s|` of the indices in a quantifier, where they are not said."""
    text = "".join(quantifier.span.text.split())
    found: list[str] = []
    for node in descendants(quantifier):
        if isinstance(node, x.SeqIndex) and free_vars(node.index) & names:
            index, size = text_of(node.index), f"|{text_of(node.sequence)}|"
            found += [f"0 <= {index}", f"{index} < {size}"]
    return [one for one in dict.fromkeys(found) if "".join(one.split()) not in text]


def of_arguments(case: Case) -> Iterator[Candidate]:
    """A `fold` with the values of before: the arguments of the instance have to follow."""
    fold, method = case.construct, case.member
    if not isinstance(fold, s.Fold) or not isinstance(method, Method):
        return
    own = fold.predicate
    for clause in method.postconditions:
        for node in descendants(clause):
            if isinstance(node, a.PredicateLocation) and node.predicate == own.predicate:
                text = text_of(node)
                if text != text_of(own):
                    yield Candidate(
                        (replaced(own, text),),
                        f"`{text}` is promised, and `{text_of(own)}` is not true any more: write "
                        f"`fold {text}` in line {fold.span.line}",
                    )


def of_changed_arguments(case: Case) -> Iterator[Candidate]:
    """The same where a promise has the values of before as well: then that changes, too."""
    fold, method = case.construct, case.member
    if not isinstance(fold, s.Fold) or not isinstance(method, Method):
        return
    own, predicate = fold.predicate, case.program.predicates[fold.predicate.predicate]
    match case.part:
        case x.Equal(x.FieldRead() as read, x.Var(name)):
            formal = [p.name for p in predicate.params].index(name)
            now = _value_behind(method, substituted(read, predicate.params, own.args), own)
            if now is None:
                return
            args = [text_of(arg) for arg in own.args]
            args[formal] = text_of(substituted(now, (), ()))
            fresh = f"{own.predicate}({', '.join(args)})"
            places = [own] + [
                n
                for clause in method.postconditions
                for n in descendants(clause)
                if isinstance(n, a.PredicateLocation) and text_of(n) == text_of(own)
            ]
            lines = " and ".join(str(n.span.line) for n in sorted(places, key=lambda n: n.span))
            yield Candidate(
                tuple([replaced(n, fresh) for n in places]),
                f"the value has changed, and the argument says the earlier one: write `{fresh}` "
                f"in place of `{text_of(own)}` in line{'s' if len(places) > 1 else ''} {lines}",
                within=False,
                weak=True,
            )


def _value_behind(method: Method, place: Node, own: a.PredicateLocation) -> x.Expr | None:
    """The value last assigned to a field, with the argument for what the field was before."""
    text = text_of(place)
    for node in reversed(list(descendants(method))):
        if isinstance(node, s.FieldAssign) and f"{text_of(node.receiver)}.{node.field}" == text:
            kind = str(node.value.type)
            same = [e for e in own.args if isinstance(e, x.Var) and str(e.type) == kind]
            return _with_argument(node.value, text, same[0]) if same else None
    return None


def _with_argument(value: x.Expr, place: str, before: x.Var) -> x.Expr:
    return rewrite(
        value, lambda n: before if isinstance(n, x.FieldRead) and text_of(n) == place else None
    )


def of_base(case: Case) -> Iterator[Candidate]:
    """A recursive function without an end: a value where its precondition would fail."""
    function, app = case.member, case.construct
    if not isinstance(function, Function) or not isinstance(app, x.FunctionApp):
        return
    if app.function != function.name or function.body is None or case.part is None:
        return
    fact = text_of(substituted(case.part, *call_of(case)))
    base = {"Int": "0", "Bool": "true", "Ref": "null"}.get(str(function.result))
    if base is None:
        return
    if has_an_end(function.body, function.name):
        branch = _branch_with(function.body, app)
        fact = _of_number(substituted(case.part, *call_of(case))) or fact
        said = (
            f"`{text_of(app)}` is applied where `{fact}` does not hold: give a value for that case"
        )
    else:
        branch = function.body
        said = (
            f"`{function.name}` calls itself in every case, and nothing ends that: give a value "
            "for the last case"
        )
    text, body = branch.span.text, function.body.span
    at = branch.span.start - body.start
    if "\n" in body.text or branch.span.file is not body.file:
        return
    shown = f"{fact} ? {text} : ..."
    shown = shown if branch is function.body else f"({shown})"
    whole = f"{body.text[:at]}{shown}{body.text[at + len(text) :]}"
    yield Candidate(
        (replaced(branch, f"({fact} ? {text} : {base})"),),
        f"{said}, as in `{whole}`, with that value for `...`",
        within=False,
        assumes=True,
    )


def _branch_with(body: x.Expr, app: x.FunctionApp) -> x.Expr:
    """The case of a body that has an application, and no cases of its own with it."""
    match body:
        case x.Conditional(_, then, otherwise):
            for side in (then, otherwise):
                if side.span.encloses(app.span):
                    return _branch_with(side, app)
    return body


def _of_number(fact: Node) -> str | None:
    """`n >= 2` for `n - 2 >= 0`."""
    match fact:
        case x.Compare(
            x.CompareOp.GE | x.CompareOp.GT as op,
            x.IntArith(x.IntOp.SUB, left, x.IntLit(by)),
            x.IntLit(bound),
        ):
            return f"{text_of(left)} {op.value} {by + bound}"
        case x.Compare(
            x.CompareOp.LE | x.CompareOp.LT as op,
            x.IntLit(bound),
            x.IntArith(x.IntOp.SUB, left, x.IntLit(by)),
        ):
            return f"{by + bound} {op.value} {text_of(left)}"
        case _:
            return None


def of_empty(case: Case) -> Iterator[Candidate]:
    """A recursive function looks into a sequence that may be empty: it needs a value for that."""
    function = case.member
    if not isinstance(function, Function) or not isinstance(function.body, x.Expr):
        return
    base = {"Int": "0", "Bool": "true", "Ref": "null"}.get(str(function.result))
    again = any(
        isinstance(n, x.FunctionApp) and n.function == function.name
        for n in descendants(function.body)
    )
    if base is None or not again or case.finding.error != "function.not.wellformed":
        return
    for param in [p for p in function.params if str(p.type).startswith("Seq[")]:
        whole = f"|{param.name}| == 0 ? {base} : {function.body.span.text}"
        yield Candidate(
            (replaced(function.body, whole),),
            f"`{function.name}` calls itself in every case, and nothing ends that: give a value "
            f"for the empty sequence, as in `{whole}`",
            within=False,
        )


def of_sizes(case: Case) -> Iterator[Candidate]:
    """A postcondition looks into a result of which no size is promised."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or not isinstance(part, x.Expr):
        return
    results = {result.name for result in method.returns}
    for clause, inner in _with_part(method.postconditions, part):
        indices = [n for n in descendants(inner) if isinstance(n, x.SeqIndex)]
        for node in indices:
            of = node.sequence
            if node.index.span != part.span or not isinstance(of, x.Var) or of.name not in results:
                continue
            for param in [p for p in method.params if str(p.type) == str(of.type)]:
                fact = f"|{of.name}| == |{param.name}|"
                yield _said_first(
                    clause,
                    fact,
                    f"nothing says how long `{of.name}` is: promise that first, `ensures {fact} "
                    "&& ...`",
                )


def of_clauses(case: Case) -> Iterator[Candidate]:
    """A contract uses a value that may not be there: a condition has to stand in front."""
    member, part = case.member, case.part
    if not isinstance(member, Method | Function) or part is None:
        return
    for fact in facts_needed(case) if case.finding.error == "not.wellformed" else ():
        for _, inner in _with_part((*member.preconditions, *member.postconditions), part):
            for one in (*conjuncts(fact), fact):
                text = plain(one)
                yield _said_first(
                    inner,
                    text,
                    f"a contract is read from the left: write `{text} && {inner.span.text}` in "
                    f"place of `{inner.span.text}`",
                )


def _with_part(clauses: Iterable[a.Assertion], part: Node) -> Iterator[tuple[Node, Node]]:
    """The clause around a part, with the conjunct that it stands in."""
    for clause in clauses:
        for inner in conjuncts(clause):
            if inner.span.encloses(part.span):
                yield clause, inner


def _said_first(node: Node, fact: str, said: str) -> Candidate:
    """A fact in front of a formula that makes no sense without it."""
    return Candidate((inserted(node, f"{fact} && "),), said, within=False, further=True)


def of_amounts(case: Case) -> Iterator[Candidate]:
    """An amount of permission that may be negative: a contract has to say that it is not."""
    part, member = case.part, case.member
    if not isinstance(part, x.Expr) or not isinstance(member, Method | Function):
        return
    for clause in member.preconditions:
        if clause.span.encloses(part.span):
            text = f"{part.span.text} > none"
            lead = "no amount is negative, and to use it there has to be more than `none`"
            if wording_of(part.span) is not VIPER:
                text = " && ".join(positive_parts(part))
                lead = "no amount is negative, and to use it there has to be more than nothing"
            if not text:
                return
            yield Candidate(
                (inserted(clause, f"{text} && "),),
                f"{lead}: say so first, `requires {text} && {clause.span.text}`",
                within=False,
            )


def reordered(case: Case) -> Iterator[Candidate]:
    """Two assignments that stand next to each other may stand in the wrong order."""
    method = case.member
    if not isinstance(method, Method) or method.body is None:
        return
    kinds = (s.LocalAssign, s.FieldAssign)
    for block in [n for n in descendants(method) if isinstance(n, s.Block)]:
        line = [n for n in block.statements if not isinstance(n, s.Declare)]
        for one, two in pairwise(line):
            if not isinstance(one, kinds) or not isinstance(two, kinds):
                continue
            if one.span.text.startswith("var") or two.span.text.startswith("var"):
                continue
            if not (":=" in one.span.text and ":=" in two.span.text):
                continue  # a `return`: nothing is executed behind it
            yield Candidate(
                (replaced(one, two.span.text), replaced(two, one.span.text)),
                f"{quoted(one)} comes too early: put it after {quoted(two)}",
                weak=True,
            )
            if str(one.value.type) == str(two.value.type) and not (_counts(one) or _counts(two)):
                yield _exchanged(case, one, two)


_Assign = s.LocalAssign | s.FieldAssign


def _exchanged(case: Case, one: _Assign, two: _Assign) -> Candidate:
    """The values of two assignments, each in the place of the other.

    Where one of the places is not spoken of, that it makes the claim true is no sign.
    """
    nodes = () if case.construct is None else descendants(case.construct)
    about = {text_of(node) for node in nodes if isinstance(node, x.Var | x.FieldRead)}
    first, second = one.value.span.text, two.value.span.text
    lines = f"lines {one.span.line} and {two.span.line}"
    if one.span.line == two.span.line:
        lines = f"line {one.span.line}"
    return Candidate(
        (replaced(one.value, second), replaced(two.value, first)),
        f"are the values in {lines} exchanged? Write `{second}` in the first and `{first}` in the "
        "other",
        values=True,
        weak=not {_target(one), _target(two)} <= about,
    )


def _counts(node: _Assign) -> bool:
    """Whether a place gets a value that is made of its own: that belongs nowhere else."""
    place = _target(node)
    return any(text_of(inner) == place for inner in descendants(node.value))


def _target(node: _Assign) -> str:
    if isinstance(node, s.LocalAssign):
        return node.target.name
    return f"{text_of(node.receiver)}.{node.field}"
