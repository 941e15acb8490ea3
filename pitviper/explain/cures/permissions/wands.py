"""Magic wands: one that was never made, never applied or not kept, and one that reads too much."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case
from pitviper.explain.cures.edit import (
    Candidate,
    nested,
    statement_at,
    words_for_end,
    words_for_front,
)
from pitviper.explain.writing import (
    at_end_of,
    in_front_of,
    invariants,
    replaced,
    requires,
    without,
)
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars


def turned_round(case: Case) -> Iterator[Candidate]:
    """A wand is held with its sides the other way round."""
    part, member = case.part, case.member
    if not isinstance(part, a.Wand) or not isinstance(member, Method):
        return
    for node in descendants(member):
        if not isinstance(node, a.Wand) or node is part:
            continue
        sides = text_of(node.right), text_of(node.left)
        if (text_of(part.left), text_of(part.right)) == sides:
            yield Candidate(
                (replaced(part, node.span.text),),
                f"line {node.span.line} has this wand the other way round: what it takes stands "
                f"on the left, what it gives on the right; write `{node.span.text}` in line "
                f"{part.span.line}",
                within=False,
                further=True,
            )
            return


def made_before(case: Case) -> Iterator[Candidate]:
    """`package W` in front of an `apply W`, alone or with a `fold` of its right side."""
    apply, method = case.construct, case.member
    if isinstance(apply, s.Apply) and isinstance(method, Method):
        earlier = [
            n
            for n in nested(method)
            if isinstance(n, s.Apply)
            and n.span.end <= apply.span.start
            and text_of(n.wand) == text_of(apply.wand)
        ]
        if earlier:
            yield Candidate(
                (without(apply),),
                f"a wand is used up where it is applied, and line {earlier[-1].span.line} has "
                "done that: leave this `apply` out",
            )
    if isinstance(case.part, a.Wand) and isinstance(method, Method):
        yield from _made_at_last(case.part, method, case)
    if not isinstance(apply, s.Apply) or not isinstance(method, Method):
        return
    around = statement_at(method, case.finding.span)
    if around is None:
        return
    wand, front = apply.wand.span.text, words_for_front(around[0])
    for script in ("", *[f" {{ fold {text} }}" for text in _instances(apply.wand.right)]):
        text = f"package {wand}{script}"
        yield Candidate(
            (in_front_of(around[0], [text]),),
            f"a wand has to be packaged before it is applied: write `{text}` {front}",
        )
    others = [n for n in nested(method) if isinstance(n, a.Wand) and n is not apply.wand]
    if not others and free_vars(apply.wand) <= {param.name for param in method.params}:
        for asked in (wand, f"{apply.wand.left.span.text} && ({wand})"):
            yield Candidate(
                requires(method, asked),
                "a wand has to be held before it is applied, and so has what it takes: ask for "
                f"that, `requires {asked}`",
                within=False,
            )


def _made_at_last(wand: a.Wand, method: Method, case: Case) -> Iterator[Candidate]:
    """`package W` at the end of a body that promises `W`."""
    if case.finding.error != "postcondition.violated" or method.body is None:
        return
    for script in ("", *[f" {{ fold {text} }}" for text in _instances(wand.right)]):
        text = f"package {wand.span.text}{script}"
        yield Candidate(
            (at_end_of(method.body, [text]),),
            f"no wand is held that was not made: write `{text}` at the end of the body",
        )


def _instances(formula: a.Assertion) -> list[str]:
    return [text_of(n) for n in descendants(formula) if isinstance(n, a.PredicateLocation)]


def kept_by_loop(case: Case) -> Iterator[Candidate]:
    """A wand that is made in a loop, or in front of it, and that no invariant keeps."""
    method = case.member
    if not isinstance(case.part, a.Wand) or not isinstance(method, Method):
        return
    for loop in [n for n in nested(method) if isinstance(n, s.While)]:
        if loop.span.start > case.finding.span.start:
            continue
        has = {text_of(n) for clause in loop.invariants for n in nested(clause)}
        made = [n for n in nested(method) if isinstance(n, s.Package)]
        made = [n for n in made if n.span.start < loop.span.end and text_of(n.wand) not in has]
        inside = [n for n in made if loop.span.encloses(n.span)]
        for package in {text_of(n.wand): n for n in (*inside, *made)}.values():
            wand = package.wand.span.text
            yield Candidate(
                invariants(loop, [wand]),
                f"a loop keeps only what its invariants have, and `{wand}`, which line "
                f"{package.span.line} makes, is in none: add `invariant {wand}`",
            )


def applied_at_last(case: Case, wanted: str) -> Iterator[Candidate]:
    """What is missing is what a wand gives that is made or kept: it is applied.

    A field that is written behind the `package` that took it is better written in front of that.
    """
    method = case.member
    if not isinstance(method, Method) or method.body is None:
        return
    at_end = case.finding.error == "postcondition.violated"
    around = None if at_end else statement_at(method, case.finding.span)
    if not at_end and around is None:
        return
    wands = {text_of(n): n for n in nested(method) if isinstance(n, a.Wand)}
    if case.finding.error == "assignment.failed":
        for package in [n for n in nested(method) if isinstance(n, s.Package)]:
            wands.pop(text_of(package.wand), None)
    for wand in wands.values():
        given = [text_of(n) for n in nested(wand.right)]
        if wanted not in given or (wand.span.start > case.finding.span.start and not at_end):
            continue
        text = f"apply {wand.span.text}"
        if around is None:
            edit, place = at_end_of(method.body, [text]), words_for_end(method.body, method)
        else:
            edit, place = in_front_of(around[0], [text]), words_for_front(around[0])
        yield Candidate(
            (edit,), f"`{wanted}` is what a wand gives once it is applied: write `{text}` {place}"
        )


def kept_outside(case: Case) -> Iterator[Candidate]:
    """A wand may read a field only of what its own sides hold: the value is kept in front."""
    package, method = case.construct, case.member
    if case.finding.error != "wand.not.wellformed" or not isinstance(method, Method):
        return
    around = statement_at(method, case.finding.span)
    if around is None or not isinstance(around[0], s.Package):
        return
    package = around[0]
    reads = [n for n in descendants(package.wand) if isinstance(n, x.FieldRead)]
    reads = [n for n in reads if text_of(n) == text_of(reads[0])]
    if not reads:
        return
    read = reads[0]
    taken = {n.name for n in descendants(method) if isinstance(n, x.Var)}
    name = next(n for n in ("kept", f"{read.field}0", "kept_value", "kept__") if n not in taken)
    kept = f"var {name}: {read.type} := {text_of(read)}"
    shape = text_of(package.wand)
    uses = [
        node
        for step in descendants(method)
        if isinstance(step, s.Package | s.Apply) and text_of(step.wand) == shape
        for node in descendants(step.wand)
        if isinstance(node, x.FieldRead) and text_of(node) == text_of(read)
    ]
    wand = package.wand.span.text.replace(read.span.text, name)
    has_script = package.span.text.rstrip().endswith("}")
    scripts = (
        [""] if has_script else ["", *[f" {{ fold {t} }}" for t in _instances(package.wand.right)]]
    )
    others = [n for n in uses if not package.span.encloses(n.span)]
    for script in scripts:
        end = package.span.text[len("package ") + len(package.wand.span.text) :] or script
        whole = f"package {wand}{end if has_script else script}"
        also = f", and `{name}` in place of `{text_of(read)}` in the `apply`" if others else ""
        yield Candidate(
            (
                in_front_of(package, [kept]),
                replaced(package, whole),
                *[replaced(node, name) for node in others],
            ),
            f"a wand reads only what it holds itself, and `{text_of(read)}` is held outside of it: "
            f"keep the value, `{kept}` first, and write `{whole}`{also}",
        )
