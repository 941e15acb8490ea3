"""What the ids of problems mean: for `pitviper explain`, in words for somebody new to Viper.

The id of a failed obligation has two halves, `assert.failed:assertion.false`: the construct that
was checked, and the reason why the check failed. Each half is told for itself.
"""

from __future__ import annotations

from pitviper.base.record import record


@record
class Entry:
    """`bad` is a program that has the id, `good` the same one mended; empty where none is short."""

    meaning: str
    cure: str
    bad: str
    good: str


CONSTRUCTS = {
    "assignment.failed": "An assignment could not be proved safe: something on one of its sides "
    "needs permission, an index in range or a divisor that is not 0.",
    "call.failed": "An argument of a method call could not be proved to make sense.",
    "call.precondition": "At a call, the precondition (`requires`) of the method is not proved.",
    "application.precondition": "Where a function is applied, its precondition is not proved.",
    "not.wellformed": "A contract or invariant may not make sense in some state: what it reads has "
    "to be framed by permissions that stand before it.",
    "function.not.wellformed": "The body of a function may not make sense in some state.",
    "predicate.not.wellformed": "The body of a predicate may not make sense: it may read only what "
    "it holds permission to.",
    "predicate.part.not.wellformed": "A part of a predicate instance is folded or unfolded, as in "
    "`acc(P(x), 1/2)`, and the part alone does not make sense: its body needs whole permissions, "
    "or compares amounts. Fold or unfold the whole.",
    "postcondition.violated": "The body of a method or function may end without its postcondition "
    "(`ensures`) being true.",
    "exhale.failed": "An `exhale` gives up something that is not proved to be there or true.",
    "inhale.failed": "What an `inhale` or `assume` takes in may not make sense.",
    "assert.failed": "An `assert` is not proved.",
    "cut.failed": "What a cut (`@cut() assert A`, or `join A;`) keeps is not proved, or makes no "
    "sense without the rest of the state.",
    "if.failed": "The condition of an `if` may not make sense.",
    "while.failed": "The condition of a loop may not make sense.",
    "invariant.not.established": "A loop invariant is not proved before the first iteration.",
    "invariant.not.preserved": "A loop invariant is not proved at the end of an iteration that "
    "starts with all invariants and the condition.",
    "fold.failed": "A `fold` needs all of the body of the predicate: permissions and facts.",
    "unfold.failed": "An `unfold` needs the instance of the predicate to be held.",
    "package.failed": "The right side of a magic wand does not follow from its left side and what "
    "is held.",
    "apply.failed": "An `apply` needs the wand and its left side.",
    "quasihavoc.failed": "A `quasihavoc` may not make sense.",
    "quasihavocall.failed": "A `quasihavocall` may not make sense.",
    "wand.not.wellformed": "A magic wand may not make sense in some state.",
    "termination.failed": "A method, function or loop with a `decreases` clause may not end.",
    "refute.failed": "A `refute` says that something is not always true, but it is.",
    "close.failed": "In the object language (`.cool`): closing a predicate needs all of "
    "its body, as `fold.failed` in Viper.",
    "open.failed": "In the object language (`.cool`): opening a predicate needs the "
    "instance to be held, as `unfold.failed` in Viper.",
    "assume.failed": "In the object language (`.cool`): what is assumed may not make "
    "sense, as `inhale.failed` in Viper.",
    "join.failed": "In the object language (`.cool`): what a `join` keeps is not "
    "proved, as `cut.failed` in Viper.",
    "pure.not.wellformed": "In the object language (`.cool`): the body of a pure method "
    "may not make sense, as `function.not.wellformed` in Viper.",
    "internal": "Something went wrong in the verifier itself: please report it.",
}
"""First halves of ids."""

_VAL = "field val: Int\n"

REASONS = {
    "refutation.true": Entry(
        "A `refute` says that something is not always true there, and it is: on every path that "
        "comes to it, or no path comes to it.",
        "Refute something else, or leave it out; `refute false` asks whether a place is reached.",
        "method m(x: Int) requires x > 0 { refute x >= 0 }",
        "method m(x: Int) requires x > 0 { refute x > 1 }",
    ),
    "assertion.false": Entry(
        "A condition could not be proved from what is known there: it is false for some values, or "
        "the solver does not see that it is true. Known is what contracts, invariants and the "
        "statements of this body say; of calls and loops only their contracts.",
        "Say what is missing in a precondition, invariant or postcondition of a callee; or mend "
        "the program. `pitviper counterexample FILE` shows a state in which it is false.",
        "method m(x: Int) { assert x > 0 }",
        "method m(x: Int) requires x > 0 { assert x > 0 }",
    ),
    "insufficient.permission": Entry(
        "Reading a field needs some permission to it, writing the whole; `acc(x.val)` is the "
        "whole. Permissions come from preconditions, `new`, `inhale`, `unfold` and calls, and "
        "go away by calls, `exhale`, `fold` and loops whose invariants do not ask for them.",
        "Ask for it with `requires acc(x.val)`, `unfold` the predicate that contains it, or let "
        "the callee or the invariant give it back.",
        _VAL + "method m(x: Ref) { x.val := 1 }",
        _VAL + "method m(x: Ref) requires acc(x.val) { x.val := 1 }",
    ),
    "division.by.zero": Entry(
        "A divisor may be 0.",
        "Ask for it in the precondition, or test it before.",
        "method m(x: Int) { assert 4 / x == 4 / x }",
        "method m(x: Int) requires x != 0 { assert 4 / x == 4 / x }",
    ),
    "negative.permission": Entry(
        "An amount of permission may be negative, and nothing can hold less than nothing.",
        "Say that it is at least `none`.",
        _VAL + "method m(x: Ref, p: Perm) requires acc(x.val, p) { }",
        _VAL + "method m(x: Ref, p: Perm) requires p >= none && acc(x.val, p) { }",
    ),
    "permission.not.positive": Entry(
        "An amount of permission may be nothing where some is needed, as to open a predicate.",
        "Say that it is more than `none`.",
        _VAL + "predicate P(x: Ref) { acc(x.val) }\n"
        "method m(x: Ref, p: Perm) requires p >= none && acc(P(x), p)\n{ unfold acc(P(x), p) }",
        _VAL + "predicate P(x: Ref) { acc(x.val) }\n"
        "method m(x: Ref, p: Perm) requires p > none && acc(P(x), p)\n{ unfold acc(P(x), p) }",
    ),
    "seq.index.negative": Entry(
        "An index into a sequence may be negative.",
        "Say that it is at least 0.",
        "method m(s: Seq[Int], i: Int) requires i < |s| { assert s[i] == s[i] }",
        "method m(s: Seq[Int], i: Int) requires 0 <= i && i < |s|\n{ assert s[i] == s[i] }",
    ),
    "seq.index.length": Entry(
        "An index into a sequence may be too large: the last one is `|s| - 1`.",
        "Say that it is less than `|s|`.",
        "method m(s: Seq[Int], i: Int) requires 0 <= i { assert s[i] == s[i] }",
        "method m(s: Seq[Int], i: Int) requires 0 <= i && i < |s|\n{ assert s[i] == s[i] }",
    ),
    "map.key.contains": Entry(
        "A map may not have the key.",
        "Say that the key is in `domain(m)`.",
        "method m(s: Map[Int, Int]) { assert s[0] == s[0] }",
        "method m(s: Map[Int, Int]) requires 0 in domain(s) { assert s[0] == s[0] }",
    ),
    "wand.not.found": Entry(
        "The magic wand is not held: wands are compared by their text and the values in it.",
        "`package` it before, or ask for it in the precondition.",
        _VAL + "method m(x: Ref) requires acc(x.val) { apply acc(x.val) --* acc(x.val) }",
        _VAL + "method m(x: Ref) requires acc(x.val) && (acc(x.val) --* acc(x.val))\n"
        "{ apply acc(x.val) --* acc(x.val) }",
    ),
    "qp.not.injective": Entry(
        "A quantified permission may be about one object twice, and then it would be more than the "
        "whole permission.",
        "Say that different values of the variable mean different objects.",
        _VAL + "method m(s: Seq[Ref])\n"
        "{ inhale forall i: Int :: 0 <= i && i < |s| ==> acc(s[i].val) }",
        _VAL + "method m(s: Seq[Ref])\n"
        "  requires forall i: Int, j: Int ::\n"
        "    0 <= i && i < |s| && 0 <= j && j < |s| && i != j ==> s[i] != s[j]\n"
        "{ inhale forall i: Int :: 0 <= i && i < |s| ==> acc(s[i].val) }",
    ),
    "tuple.false": Entry(
        "The measure of a `decreases` clause may not get smaller, or may fall below 0.",
        "Choose a measure that does: the number of steps that are left.",
        "method m(n: Int) requires n >= 0 decreases n { if (n > 0) { m(n) } }",
        "method m(n: Int) requires n >= 0 decreases n { if (n > 0) { m(n - 1) } }",
    ),
    "termination.condition.false": Entry(
        "Something that promises to end calls or runs something that does not promise it.",
        "Give the loop or the callee a `decreases` clause, too.",
        "method m(n: Int) decreases { var i: Int := 0\n  while (i < n) { i := i + 1 }\n}",
        "method m(n: Int) decreases { var i: Int := 0\n"
        "  while (i < n) decreases n - i { i := i + 1 }\n}",
    ),
}
"""Second halves of ids."""

REASONS |= {
    "labelled.state.not.reached": Entry(
        "`old[l](e)` is about the state at `label l`, and there is a path that does not pass it.",
        "Put the label where every path passes it, or use it only where it was passed.",
        _VAL + "method m(x: Ref, b: Bool) requires acc(x.val)\n"
        "{ if (b) { label l }\n  assert old[l](x.val) == x.val }",
        _VAL + "method m(x: Ref, b: Bool) requires acc(x.val)\n"
        "{ label l\n  if (b) { }\n  assert old[l](x.val) == x.val }",
    ),
    "quasihavocall.not.injective": Entry(
        "A `quasihavocall` may name a location for two values of its variables.",
        "Say that different values have different receivers.",
        _VAL + "function at(i: Int): Ref\nmethod m()\n"
        "{ quasihavocall i: Int :: 0 <= i && i < 2 ==> at(i).val }",
        _VAL + "function at(i: Int): Ref\nmethod m()\n"
        "{ inhale at(0) != at(1)\n  quasihavocall i: Int :: 0 <= i && i < 2 ==> at(i).val }",
    ),
    "tuple.condition.false": Entry(
        "A measure counts only if its condition holds (`decreases n if b`), and in a call under "
        "that condition it may not hold for the arguments.",
        "Make the condition hold in the call, or weaken it.",
        "import <decreases/int.vpr>\nfunction f(n: Int, b: Bool): Int requires n >= 0\n"
        "  decreases n if b\n{ n == 0 ? 0 : f(n - 1, false) }",
        "import <decreases/int.vpr>\nfunction f(n: Int, b: Bool): Int requires n >= 0\n"
        "  decreases n if b\n  decreases _ if !b\n{ n == 0 ? 0 : f(n - 1, b) }",
    ),
    "feature.unsupported": Entry(
        "A combination of constructs that this verifier does not know; it is never called "
        "verified then.",
        "Try the other verifier (`--backend symbolic` or `--backend vcg`), or say it more simply.",
        "",
        "",
    ),
}

FRONT = {
    "parser.error": Entry(
        "The text is no Viper program: a word or sign stands where none can stand.",
        "Look at the mark, and before it: something may be missing there.",
        "method m() { x = 3 }",
        "method m() { var x: Int := 3 }",
    ),
    "typechecker.error": Entry(
        "A name is not declared, or a value has another type than its place wants.",
        "Declare the name, or change the expression; the help line says what would fit.",
        "method m(x: Int) { assert x }",
        "method m(x: Int) { assert x == x }",
    ),
    "consistency.error": Entry(
        "Names and types are right, but the construct is not allowed where it stands.",
        "Say it otherwise; the help line says how.",
        "method m() { goto finish }",
        "method m() { goto finish\n  label finish }",
    ),
    "frontend.error": Entry(
        "A front end of another language built a program that no engine can read: a variable that "
        "is not declared, an operand of another type, a member that does not exist.",
        "This is a mistake of the front end; tell whoever wrote it. docs/front-ends.md says what "
        "a front end has to know.",
        "",
        "",
    ),
}
"""Ids of programs that are rejected before anything is verified."""

WARNINGS = {
    "verifier.warning": Entry(
        "Something makes no difference to the verification, or makes it pointless, such as a "
        "precondition that nobody can satisfy, or axioms, assumptions and contracts without a body "
        "that contradict each other, so that no execution reaches the end of a method.",
        "Look at the place: most often it is a mistake. Where the end is never reached, everything "
        "is proved; `--enableSmokeDetection` tells after which statement.",
        "method m(x: Int) requires x > x { }",
        "method m(x: Int) requires x > 0 { }",
    ),
    "termination.unmeasured": Entry(
        "A function calls itself, and nothing says that this ends. What it says is believed all "
        "the same, and may be wrong: with `--strict` it is an error. A method that only proves "
        "something (a lemma) is warned of if it calls itself about nothing smaller.",
        "Give it a `decreases` clause; `decreases _` says that it ends, without proof.",
        "function f(n: Int): Int { 1 + f(n) }",
        "import <decreases/int.vpr>\n"
        "function f(n: Int): Int requires n >= 0 decreases n { n == 0 ? 0 : f(n - 1) }",
    ),
    "typechecker.warning": Entry(
        "Names and types are right, and something about them is questionable, such as `old(x).f`, "
        "which reads the field as it is now.",
        "The message says what is meant instead.",
        "field f: Int\nmethod m(x: Ref) requires acc(x.f)\n"
        "  ensures acc(x.f) && x.f == old(x).f { }",
        "field f: Int\nmethod m(x: Ref) requires acc(x.f)\n"
        "  ensures acc(x.f) && x.f == old(x.f) { }",
    ),
    "annotation.warning": Entry(
        "An annotation (`@key(...)`) has values that it cannot have, and is ignored.",
        "The message says what it wants.",
        "",
        "",
    ),
    "explored.red": Entry(
        "In an editor: exploration has run the method with inputs that make this fail. Nothing was "
        "proved, and nothing has to be: these inputs fail.",
        "Look at the inputs in the message; `pitviper explore FILE` writes them as tests.",
        "",
        "",
    ),
    "mark.stale": Entry(
        "A comment of `wizard --mark` rests on something that has changed: it is not believed.",
        "Let `pitviper wizard --mark` write it again, or remove it.",
        "",
        "",
    ),
    "parser.warning": Entry(
        "The text is a program, and something in it is questionable, such as a word that has "
        "another name now.",
        "The message says what is meant instead.",
        "method m(p: Rational) { }",
        "method m(p: Perm) { }",
    ),
    "undecided": Entry(
        "Neither proved nor refuted: the solver reached its limit, or the time was over. It never "
        "counts as verified.",
        "Give it more (`--assertTimeout N`, `--timeout SECONDS`), `assert` intermediate steps, or "
        "split the member. `verify --profile` shows what takes long.",
        "",
        "",
    ),
    "internal.error": Entry(
        "A mistake of ours: the member is undecided.",
        "Please report it, with the program and what `pitviper doctor` says.",
        "",
        "",
    ),
    "suite.mismatch": Entry(
        "A program does not behave as its annotations say.",
        "Mend the program, the annotation or the verifier.",
        "",
        "",
    ),
}
"""Ids of what is no error of the program."""


def known_ids() -> list[str]:
    """Everything that can be explained: whole ids of the front end, and halves."""
    return [*FRONT, *WARNINGS, *CONSTRUCTS, *REASONS]
