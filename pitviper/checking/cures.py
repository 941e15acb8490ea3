"""What to do about errors whose message alone tells: messages are fixed, cures are ours."""

from __future__ import annotations

_CURES = {
    "Wildcard can only be used": "`wildcard` stands only as the amount in `acc(x.f, wildcard)`; "
    "to say that some permission is held, write `perm(x.f) > none`",
    "argument is not pure": "a permission is not a value: put `acc(...)` and predicates beside it, "
    "joined by `&&`",
    "magic wands are not supported in function": "put the wand into the contract of a method",
    "expected a method call when assigning to multiple": "several targets take the results of one "
    "method call: `a, b := m(x)`; else write one assignment each",
    "invalid expression in statement position": "assign the value: `x := e`; a method that has "
    "results is called with targets",
    "Targets are not allowed to have duplicates": "give each result a variable of its own",
    "multiple targets which access the same field": "take the results in variables first, then "
    "assign the fields",
    "termination measures must be pure": "a measure is a value: `decreases n`, or a predicate "
    "instance `decreases list(x)`",
    "the bound expression of a let must be pure": "`let` names a value: write the permission out, "
    "or declare a predicate",
    "Only constants, i.e. nullary domain functions": "leave `unique` out, or the parameters",
    "must have at least one constructor": "write one, as in `adt T { C(value: Int) }`",
    "Quantifier must have at least one": "write `forall x: Int :: ...`",
    "does not contain any quantified variable": "a trigger is a term with the quantified "
    "variables, such as `{ f(x) }`",
    "is not a valid Trigger": "a trigger is an application of a function, a field read or "
    "`x in s`; no comparison, no arithmetic",
    "Multiple decreases": "write one `decreases` clause",
    "expected predicate access": "write a predicate instance: `P(x)` or `acc(P(x), 1/2)`",
    "expected a variable or a field as the target": "write `x := ...` or `e.f := ...`",
    "belongs to an ADT value and cannot be assigned to": "a value of an ADT does not change: build "
    "a new one with its constructor",
    "undefined adt field": "a value of an ADT has the arguments of its constructors",
    "expected an adt": "only a value of an ADT has it; is a `field` declaration missing?",
    "which has preconditions, inside axiom": "axioms hold in every state: use a domain function, "
    "or a function without precondition",
    "is a reserved name": "choose another name",
    "is recursive": "a macro is replaced by its body: write a `function` or a `predicate`, which "
    "may call itself",
    "cannot have an explicit type": "leave the type out",
    "are not allowed in magic wand proof scripts": "do it in front of `package`, or behind it",
    "preconditions, postconditions and invariants may only contain `perm`": "contracts ask for "
    "permission by `acc(x.f)`; inside `[A, B]` they may ask how much is held",
}


def cure(message: str) -> str | None:
    """The cure for a message of the checker, where there is one for all its occurrences."""
    return next((help_ for part, help_ in _CURES.items() if part in message), None)
