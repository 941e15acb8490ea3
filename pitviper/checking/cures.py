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
    "Old expressions are not allowed in preconditions": "a precondition is about the state at the "
    "start anyway: leave `old` out",
    "Old expressions are not allowed": "there is only one state here: leave `old` out",
    "Labelled old expressions with label lhs": "`old[lhs](e)` is the value on the left side of a "
    "wand: elsewhere write `old(e)`",
    "old[lhs] is only allowed": "write it on the right side of the wand",
    "Labelled old expressions are not allowed": "labels stand in the body, which is not known "
    "here: write `old(e)`, or leave it out",
    "Perm expressions are not allowed": "write `acc(x.f)` to ask for permission",
    "Forperm expressions are not allowed": "write `forall` over what is meant, with `acc(...)`",
    "Perm and forperm in this context": "write `acc(x.f)` to ask for permission; inside `[A, B]` "
    "they may ask how much is held",
    "Perm and forperm are not allowed in the body": "take the amount in a variable first",
    "Magic wands are not allowed": "put the wand into the contract of a method",
    "Accesses to locations are not allowed": "axioms hold in every state and read no fields: use "
    "functions of values",
    "Asserting expressions are not allowed": "leave `asserting ... in` out",
    "Result variables are only allowed": "`result` stands in the postcondition of a function",
    "Return variable": "a result has no value at the start: speak of it in `ensures`, or take a "
    "parameter",
    "Duplicate identifier": "choose another name for one of them",
    "is not a valid identifier": "a name consists of letters, digits, `_` and `$`",
    "All quantified variables need to be used": "mention every variable in the resource, as in "
    "`forperm x: Ref [x.f] :: ...`",
    "Quantified arguments can only be used directly": "write the variable itself as argument, and "
    "the rest into the body",
    "Inhale-exhale expressions are not allowed": "a measure is one value: write it out",
    "Can only assign to local variables": "assign before `package`, or declare the variable "
    "in the script",
    "blanks between": "remove the blanks",
    "duplicate type parameter": "choose another name for one of them",
    "duplicate argument name": "choose another name for one of them",
    "duplicate derivation": "leave one of them out",
    "discriminator identifier": "choose another name: `isC` belongs to the constructor `C`",
    "macros cannot be defined in": "define it outside: macros stand at the top of a file, or in "
    "the body of a method",
    "has two parameters of this name": "choose another name for one of them",
    "is defined twice": "choose another name for one of them",
    "of this macro is also that of another declaration": "choose another name for one of them",
    "is inside a proof script": "put the label before `package`, or after it",
    "is a reassignment of formal argument": "parameters keep their values: assign to a variable of "
    "its own",
    "Quasihavocall must have": "write `quasihavocall x: Ref :: x in s ==> x.f`",
    "has an interpretation and must not be generic": "leave the type parameters out",
    "Magic wand expressions are not allowed as": "a measure is a value: `decreases n`, or a "
    "predicate instance `decreases list(x)`",
    "recurses via its precondition": "a precondition has to make sense before the function does: "
    "leave the call out of it",
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
    "cannot have an explicit type": "leave the type out",
    "are not allowed in magic wand proof scripts": "do it before `package`, or after it",
    "preconditions, postconditions and invariants may only contain `perm`": "contracts ask for "
    "permission by `acc(x.f)`; inside `[A, B]` they may ask how much is held",
}


def cure(message: str) -> str | None:
    """The cure for a message of the checker, where there is one for all its occurrences."""
    return next((help_ for part, help_ in _CURES.items() if part in message), None)
