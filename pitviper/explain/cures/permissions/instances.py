"""Edits that open and close instances of predicates, or name another one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pitviper.explain.advice.case import (
    EARLIER,
    Case,
    Location,
    said_before,
    substituted,
    with_arguments,
)
from pitviper.explain.cures.edit import (
    Candidate,
    never_called,
    quoted,
    statement_at,
    words_for_end,
    words_for_front,
)
from pitviper.explain.writing import (
    at_end_of,
    behind,
    in_front_of,
    replaced,
    requires,
    without,
)
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars
from pitviper.results.wording import VIPER, wording_of


def _held(case: Case) -> list[str]:
    """Instances and fields that are held, without the `acc` around them."""
    told = [text for text in case.finding.held if EARLIER not in text]
    found = [re.fullmatch(r"acc\((.*?)\)", text) for text in told]
    return [one[1] for one in found if one is not None]


def other_instance(case: Case, location: Location) -> Iterator[Candidate]:
    """An instance of the same predicate is held, with another argument."""
    construct = case.construct
    if not isinstance(construct, s.Fold | s.Unfold) or not isinstance(case.member, Method):
        return
    own = text_of(construct.predicate)
    name = construct.predicate.predicate
    held = [text for text in _held(case) if text.startswith(f"{name}(") and text != own]
    if isinstance(construct, s.Fold):
        opened = [n for n in descendants(case.member) if isinstance(n, s.Unfold)]
        held = [t for n in opened if (t := text_of(n.predicate)) != own and t.startswith(name)]
        held += [
            text_of(arg)
            for node in (*case.member.preconditions, *case.member.postconditions)
            for arg in descendants(node)
            if isinstance(arg, a.PredicateLocation)
            and arg.predicate == name
            and text_of(arg) != own
        ]
    same = [
        n
        for n in descendants(case.member)
        if isinstance(n, s.Fold | s.Unfold) and text_of(n.predicate) == own
    ]
    for text in dict.fromkeys(held):
        if isinstance(construct, s.Unfold) and _is_inside(construct.predicate, text):
            yield Candidate(
                (in_front_of(construct, [f"unfold {text}"]),),
                f"`{own}` is inside of `{text}`, which is still closed: `unfold {text}` "
                f"{words_for_front(construct)}",
            )
        said = f"write `{text}` in place of `{own}`"
        yield Candidate(
            (replaced(construct.predicate, text),), f"{said} in line {construct.span.line}"
        )
        yield from _other_name(case, construct.predicate, text)
        if len(same) > 1:
            lines = " and ".join(str(n.span.line) for n in same)
            edits = tuple([replaced(n.predicate, text) for n in same])
            yield Candidate(edits, f"{said} in lines {lines}")


def _is_inside(own: a.PredicateLocation, held: str) -> bool:
    """Whether an argument is a field of what the held instance is about: `list(l.next)`."""
    return any(
        isinstance(arg, x.FieldRead) and f"({text_of(arg.receiver)})" in held for arg in own.args
    )


def _other_name(case: Case, own: a.PredicateLocation, held: str) -> Iterator[Candidate]:
    """The instance of another variable is held: that one may be meant in the whole body."""
    method = case.member
    inner = re.fullmatch(rf"{re.escape(own.predicate)}\((\w+)\)", held)
    if inner is None or len(own.args) != 1 or not isinstance(own.args[0], x.Var):
        return
    assert isinstance(method, Method) and method.body is not None
    name = own.args[0].name
    uses = [n for n in descendants(method.body) if isinstance(n, x.Var) and n.span.text == name]
    lines = [str(line) for line in sorted({n.span.line for n in uses})]
    if len(lines) > 1:
        yield Candidate(
            tuple([replaced(n, inner[1]) for n in {n.span: n for n in uses}.values()]),
            f"`{held}` is held, not `{text_of(own)}`: is `{inner[1]}` meant? Write `{inner[1]}` "
            f"for `{name}` in lines {', '.join(lines[:-1])} and {lines[-1]}, or ask for it, "
            f"`requires {text_of(own)}`",
        )


def other_invariant(case: Case, wanted: str) -> Iterator[Candidate]:
    """The loop keeps an instance of another object than the one that it is at."""
    assert isinstance(case.member, Method)
    if not wanted.endswith(")"):
        return
    for loop in descendants(case.member):
        if not isinstance(loop, s.While):
            continue
        for node in [n for clause in loop.invariants for n in descendants(clause)]:
            if not isinstance(node, a.PredicateLocation) or text_of(node) == wanted:
                continue
            if wanted.startswith(f"{node.predicate}("):
                yield Candidate(
                    (replaced(node, wanted),),
                    f"the loop of line {loop.span.line} keeps `{text_of(node)}`, and needs the "
                    f"instance of where it is: write `{wanted}` in place of `{text_of(node)}` in "
                    f"its invariant (line {node.span.line})",
                )


def packaged(case: Case, wanted: str) -> Iterator[Candidate]:
    """The right side of a wand has to be made between the braces of its `package`."""
    node = case.construct
    if not isinstance(node, s.Package) or not wanted.endswith(")"):
        return
    if not node.script.statements:
        text = f"{node.span.text.rstrip().removesuffix('{').rstrip()} {{ fold {wanted} }}"
        if node.span.text.rstrip().endswith("}"):
            return
        yield Candidate(
            (replaced(node, text),),
            f"`{wanted}` has to be made of the left side, between braces: write `{text}`",
        )


def linked(case: Case, location: Location) -> Iterator[Candidate]:
    """An instance of what a field points to is needed: another object has one."""
    needed = with_arguments(case, location)
    if not isinstance(needed, a.PredicateLocation) or not isinstance(case.construct, s.Fold):
        return
    reads = [arg for arg in needed.args if isinstance(arg, x.FieldRead)]
    for text in _held(case):
        inner = re.fullmatch(rf"{re.escape(needed.predicate)}\((\w+)\)?", text)
        if inner is None or len(reads) != 1 or len(needed.args) != 1:
            continue
        link = f"{text_of(reads[0])} := {inner[1]}"
        yield Candidate(
            (in_front_of(case.construct, [link]),),
            f"`{text_of(needed)}` is needed, and `{needed.predicate}({inner[1]})` is held: link "
            f"them, `{link}` {words_for_front(case.construct)}",
        )


def superfluous(case: Case) -> Iterator[Candidate]:
    """The failing statement has nothing to do, or a step in front took what is needed."""
    assert isinstance(case.member, Method)
    if isinstance(case.construct, s.Fold | s.Unfold):
        yield Candidate(
            (without(case.construct),), f"leave {quoted(case.construct)} out", weak=True
        )
    for event in case.finding.history:
        for node in descendants(case.member):
            if isinstance(node, s.Exhale) and node.span == event.span:
                yield from used_before(case, node)
                yield Candidate((without(node),), f"leave {quoted(node)} out")


def used_before(case: Case, exhale: s.Exhale | s.MethodCall) -> Iterator[Candidate]:
    """What is given away is given away again, or used right behind that."""
    assert isinstance(case.member, Method)
    around = statement_at(case.member, case.finding.span)
    if around is None:
        return
    node, block = around
    if isinstance(node, s.Exhale) and node.span.text == exhale.span.text:
        yield Candidate(
            (without(node),),
            f"line {exhale.span.line} has given it away already: leave {quoted(node)} out",
        )
    line = list(block.statements)
    is_next = exhale in line and line.index(exhale) + 1 == line.index(node)
    if is_next and isinstance(node, s.Assert | s.LocalAssign | s.FieldAssign):
        yield Candidate(
            (replaced(exhale, node.span.text), replaced(node, exhale.span.text)),
            f"line {exhale.span.line} gives it away too early: put {quoted(node)} before it",
        )


def closing(case: Case, location: Location, wanted: str) -> Iterator[Candidate]:
    """A `fold` is missing: in front of what needs the instance, or at the end."""
    needed = with_arguments(case, location)
    method = case.member
    if not isinstance(needed, a.PredicateLocation) or not isinstance(method, Method):
        return
    predicate = case.program.predicates.get(needed.predicate)
    if predicate is None or predicate.body is None or method.body is None:
        return
    opened = _opened_in(case, wanted)
    for folds in _folds(case, needed, wanted):
        lines = [*folds]
        said = opened + " and ".join([f"`{text}`" for text in folds])
        if folds[0].startswith("unfold"):
            said = f"`{wanted}` is another instance, made by a `fold` of what is open: {said}"
        if case.finding.error == "postcondition.violated":
            for block in sorted(_ends(method), key=lambda block: not _opens(block, wanted)):
                words = words_for_end(block, method)
                yield Candidate((at_end_of(block, lines),), f"{said} {words}")
            continue
        if case.finding.error == "invariant.not.preserved":
            loops = [n for n in descendants(method) if isinstance(n, s.While)]
            for loop in loops:
                if any(i.span.encloses(case.finding.span) for i in loop.invariants):
                    words = f"at the end of the body of the loop of line {loop.span.line}"
                    yield Candidate((at_end_of(loop.body, lines),), f"{said} {words}")
            continue
        around = statement_at(method, case.finding.span)
        if around is not None:
            front = words_for_front(around[0])
            yield Candidate((in_front_of(around[0], lines),), f"{said} {front}")


def _opened_in(case: Case, wanted: str) -> str:
    """`list(n)` was opened in line 8: where that is so, the words for it."""
    assert isinstance(case.member, Method)
    opened = [
        node
        for node in descendants(case.member)
        if isinstance(node, s.Unfold) and text_of(node.predicate) == wanted
    ]
    return f"`{wanted}` was opened in line {opened[-1].span.line}: " if opened else ""


def _opens(block: s.Block, instance: str) -> bool:
    """Whether a block itself opens an instance: it is the one to close it."""
    return any(
        isinstance(node, s.Unfold) and text_of(node.predicate) == instance
        for node in block.statements
    )


def _ends(method: Method) -> Iterator[s.Block]:
    """The body, then the branches at its end."""
    assert method.body is not None
    yield method.body
    last = method.body.statements[-1] if method.body.statements else None
    if isinstance(last, s.If):
        for block in (last.then, last.otherwise):
            if block.span.text.endswith("}"):
                yield block


def _folds(case: Case, needed: a.PredicateLocation, wanted: str) -> Iterator[tuple[str, ...]]:
    """The instance alone; those that its body needs in front of it; all that a fold lacks."""
    yield (f"fold {wanted}",)
    for held in [text for text in _held(case) if text.startswith(f"{needed.predicate}(")]:
        yield f"unfold {held}", f"fold {wanted}"
    if isinstance(case.construct, s.Fold):
        inner = _inner(case, case.construct.predicate)
        if len(inner) > 1:
            yield tuple([f"fold {text}" for text in inner])
    inner = _inner(case, needed)
    if inner:
        yield tuple([f"fold {text}" for text in (*inner, wanted)])


def _inner(case: Case, instance: a.PredicateLocation) -> list[str]:
    predicate = case.program.predicates[instance.predicate]
    if predicate.body is None:
        return []
    body = substituted(predicate.body, predicate.params, instance.args)
    return [text_of(n) for n in descendants(body) if isinstance(n, a.PredicateLocation)]


def opening(case: Case) -> Iterator[Candidate]:
    """An `unfold` is missing, perhaps with the `fold` that closes the instance again."""
    method = case.member
    assert isinstance(method, Method)
    around = statement_at(method, case.finding.span)
    if around is None or method.body is None or isinstance(around[0], s.While):
        return
    node, block = around
    for instance in _instances(case):
        front = in_front_of(node, [f"unfold {instance}"])
        said = f"`{instance}` contains this permission: `unfold {instance}` {words_for_front(node)}"
        yield Candidate((front,), said)
        yield from _asserted_inside(node, instance)
        yield Candidate(
            (front, behind(node, f"fold {instance}")), f"{said}, and `fold {instance}` after it"
        )
        words = words_for_end(block, method)
        yield Candidate(
            (front, at_end_of(block, [f"fold {instance}"])),
            f"{said}, and `fold {instance}` {words}",
        )
        for fact in _needed_inside(case, instance):
            edits = requires(method, fact)
            yield Candidate(
                (*edits, front),
                f"`{instance}` contains this permission where `{fact}`: ask for that, "
                f"`requires {fact}`, and `unfold {instance}` {words_for_front(node)}",
                within=False,
                never=never_called(method, edits),
            )
        for condition in case.finding.conditions:
            steps = f"unfold {instance}; {node.span.text}; fold {instance}"
            whole = f"if ({condition.holds}) {{ {steps} }}"
            yield Candidate(
                (replaced(node, whole),),
                f"`{instance}` contains this permission, and is there where `{condition.holds}`: "
                f"write `{whole}` in line {node.span.line}",
            )


def _needed_inside(case: Case, instance: str) -> Iterator[str]:
    """What the body of an instance of parameters supposes: `n != null`."""
    assert isinstance(case.member, Method)
    known = {param.name for param in case.member.params}
    for clause in case.member.preconditions:
        for node in descendants(clause):
            if not isinstance(node, a.PredicateLocation) or text_of(node) != instance:
                continue
            predicate = case.program.predicates[node.predicate]
            body = None if predicate.body is None else predicate.body
            if isinstance(body, a.Guarded):
                fact = substituted(body.condition, predicate.params, node.args)
                if free_vars(fact) <= known:
                    yield text_of(fact)


def _instances(case: Case) -> list[str]:
    held = [text for text in case.finding.containing or () if "@" not in text]
    return [*held, *[text_of(node) for node in said_before(case)]][:2]


def looked_into(case: Case) -> Iterator[Candidate]:
    """`unfolding P(x) in e`, around the smallest formula with the failing read, or all of it."""
    part = case.part
    if part is None or case.member is None:
        return
    around = [
        n
        for n in descendants(case.member)
        if isinstance(n, x.Expr) and n.span.encloses(part.span) and n.span.text.strip()
    ]
    formulas = [n for n in around if str(n.type) == "Bool"] if _in_contract(case) else []
    chosen = [*formulas[-1:], *around[:1], *around[-1:]]
    for instance in _instances(case):
        for node in dict.fromkeys(chosen):
            text = node.span.text
            said = f"`unfolding {instance} in {text}`"
            yield Candidate(
                (replaced(node, f"(unfolding {instance} in {text})"),),
                f"`{instance}` contains this permission: write {said} in place of `{text}`",
                within=not _in_contract(case),
            )


def _asserted_inside(node: s.Stmt, instance: str) -> Iterator[Candidate]:
    """`assert unfolding P(x) in e`, which leaves the instance folded."""
    if not isinstance(node, s.Assert) or not isinstance(node.assertion, x.Expr):
        return
    text = node.assertion.span.text
    if text.strip() and "\n" not in text and wording_of(node.span) is VIPER:
        inner = f"unfolding {instance} in {text}"
        yield Candidate(
            (replaced(node.assertion, inner),),
            f"`{instance}` contains this permission: look inside, `assert {inner}`",
        )


def _in_contract(case: Case) -> bool:
    body = case.member.body if isinstance(case.member, Method | Function) else None
    return body is None or not body.span.encloses(case.finding.offending or case.finding.span)


def folded_later(case: Case, location: Location) -> Iterator[Candidate]:
    """The instance that a `fold` lacks is made by a later one."""
    if not isinstance(case.member, Method) or not isinstance(case.construct, s.Fold):
        return
    around = statement_at(case.member, case.finding.span)
    if around is None or not isinstance(location, a.PredicateLocation):
        return
    node, block = around
    for other in [n for n in block.statements if n.span.start > node.span.end]:
        if isinstance(other, s.Fold) and other.predicate.predicate == location.predicate:
            edits = (without(other), in_front_of(node, [other.span.text]))
            yield Candidate(
                edits,
                f"{quoted(other)} makes the instance that is missing here, and comes too late: put "
                f"it {words_for_front(node)}",
            )


def swapped(case: Case) -> Iterator[Candidate]:
    """Two steps may stand in the wrong order."""
    if not isinstance(case.member, Method):
        return
    around = statement_at(case.member, case.finding.span)
    if around is None:
        return
    node, block = around
    line: list[s.Stmt] = [n for n in block.statements if not isinstance(n, s.Declare)]
    at = line.index(node)
    for other in (*reversed(line[:at]), *line[at + 1 :]):
        if isinstance(other, s.While | s.If | s.Label | s.Goto):
            continue
        if not isinstance(node, _GHOST) and not isinstance(other, _GHOST):
            continue
        if other.span.start < node.span.start:
            edits = (without(other), behind(node, other.span.text))
            yield Candidate(edits, f"move {quoted(other)} after {quoted(node)}")
        else:
            edits = (without(other), in_front_of(node, [other.span.text]))
            yield Candidate(edits, f"move {quoted(other)} before {quoted(node)}")


_GHOST = (s.Fold, s.Unfold, s.Exhale, s.Inhale, s.Package)


def opened(case: Case) -> Iterator[Candidate]:
    """What the body of an instance says is known once it is open."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or part is None or case.finding.error != "assert.failed":
        return
    around = statement_at(method, case.finding.span)
    if around is None:
        return
    seen = {text_of(n.predicate) for n in descendants(method) if isinstance(n, s.Unfold)}
    for clause in method.preconditions:
        for node in descendants(clause):
            if not isinstance(node, a.PredicateLocation) or text_of(node) in seen:
                continue
            predicate = case.program.predicates[node.predicate]
            if predicate.body is None or not free_vars(node) & free_vars(part):
                continue
            instance, front = text_of(node), words_for_front(around[0])
            yield Candidate(
                (in_front_of(around[0], [f"unfold {instance}"]),),
                f"what `{instance}` says is known once it is open: `unfold {instance}` {front}",
            )


def only_in_a_branch(case: Case, wanted: str) -> Iterator[Candidate]:
    """An instance is closed in one branch, and open at the end of the other."""
    method = case.member
    if not isinstance(method, Method):
        return
    for node in descendants(method):
        if not isinstance(node, s.If):
            continue
        for block in (node.then, node.otherwise):
            for fold in block.statements:
                if isinstance(fold, s.Fold) and text_of(fold.predicate) == wanted:
                    yield Candidate(
                        (without(fold), behind(node, f"fold {wanted}")),
                        f"line {fold.span.line} closes `{wanted}` in this branch only: write "
                        f"`fold {wanted}` after the `if` of line {node.span.line} instead",
                    )
