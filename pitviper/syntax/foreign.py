"""Words of other languages that newcomers write, with what to write instead.

They are names here, so they read as something else, and go wrong later: the parser, and the
checker where the parser is content, look them up before they say what they see.
"""

from __future__ import annotations

import re

OPERATORS = {
    "and": "write `&&` for a conjunction",
    "or": "write `||` for a disjunction",
    "not": "write `!` for a negation",
    "xor": "write `!=` between Booleans",
    "implies": "write `==>` for an implication",
    "iff": "write `<==>` for an equivalence",
    "mod": "write `%` for the remainder",
    "div": "write `\\` for the division of integers",
    "is": "write `==` to compare",
    "equals": "write `==` to compare",
    "instanceof": "ask which constructor made a value by `x.isC`, where `C` is its name",
    "notin": "write `!(x in s)`",
    "contains": "write `x in s`",
    "then": "leave `then` out: `if (c) { ... } else { ... }`, and `c ? a : b` in expressions",
    "elif": "write `elseif`",
    "elsif": "write `elseif`",
    "elseIf": "write `elseif`",
    "otherwise": "write `else`",
}
"""Between operands, or in front of one."""

STATEMENTS = {
    "return": "assign to the variable that `returns (res: Int)` declares, `res := ...`; to leave "
    "early, `goto` a label at the end",
    "for": "count in a loop: `var i: Int := 0`, then `while (i < n) { ... i := i + 1 }`",
    "foreach": "count in a loop: `var i: Int := 0`, then `while (i < n) { ... i := i + 1 }`",
    "repeat": "write a loop `while (c) { ... }`",
    "loop": "write a loop `while (c) { ... }`",
    "do": "write `while (c) { ... }`",
    "unless": "write `if (!c) { ... }`",
    "until": "write `while (!c) { ... }`",
    "break": "`goto` a label after the loop",
    "continue": "put the rest of the iteration into an `if`",
    "havoc": "assign from a method without postcondition, or use `quasihavoc`",
    "call": "leave `call` out: `x := m(e)`",
    "let": "declare a variable: `var x: Int := e`",
    "const": "declare a variable: `var x: Int := e`",
    "val": "declare a variable: `var x: Int := e`",
    "ghost": "leave `ghost` out: every variable may be used in proofs",
    "print": "leave it out: nothing is printed, the program is proved and not run",
    "free": "`exhale` the permission: objects are never freed",
    "delete": "`exhale` the permission: objects are never freed",
    "throw": "say with a Boolean result whether it went wrong",
    "try": "there are no exceptions: say with a Boolean result whether it went wrong",
    "skip": "leave it out: an empty block is `{ }`",
    "pass": "leave it out: an empty block is `{ }`",
    "switch": "write `if (c) { ... } elseif (d) { ... }`",
    "match": "test with `x.isC`, in `if (x.isC) { ... } elseif (...) { ... }`",
    "fork": "there are no threads: `exhale` what the new thread takes along",
    "spawn": "there are no threads: `exhale` what the new thread takes along",
    "join": "there are no threads: `inhale` what the thread gives back where it ends",
    "acquire": "there are no locks: `inhale` what the lock protects",
    "lock": "there are no locks: `inhale` what the lock protects",
    "release": "there are no locks: `exhale` what the lock protects",
    "unlock": "there are no locks: `exhale` what the lock protects",
    "by": "leave it out, and write what it proves the assertion by before the `assert`",
    "elif": "write `elseif (c) { ... }` after the `}` of the `if`",
    "elsif": "write `elseif (c) { ... }` after the `}` of the `if`",
    "open": "write `unfold P(x)`",
    "close": "write `fold P(x)`",
}
"""Where a statement begins."""

TYPES = {
    "int": "Int",
    "integer": "Int",
    "Integer": "Int",
    "long": "Int",
    "Nat": "Int",
    "nat": "Int",
    "bool": "Bool",
    "boolean": "Bool",
    "Boolean": "Bool",
    "ref": "Ref",
    "Object": "Ref",
    "object": "Ref",
    "Pointer": "Ref",
    "Node": "Ref",
    "usize": "Int",
    "short": "Int",
    "byte": "Int",
    "unsigned": "Int",
    "perm": "Perm",
    "Permission": "Perm",
    "rational": "Perm",
    "Real": "Perm",
    "real": "Perm",
    "float": "Perm",
    "double": "Perm",
}
"""Types that have another name here."""


def own_type(name: str) -> str:
    """The name that a type of another language has here, else the name itself."""
    return TYPES.get(name) or ("Int" if re.fullmatch(r"[iu](8|16|32|64|128|size)", name) else name)


def no_array(element: str) -> str:
    """What to write for `int[]`."""
    return (
        f"there are no arrays: a sequence is a value, `Seq[{own_type(element)}]`; elements that "
        "change are fields of objects, `Seq[Ref]`"
    )


TYPE_HELP = {
    "nat": "write `Int`, and say `x >= 0` in the contract",
    "Nat": "write `Int`, and say `x >= 0` in the contract",
    "Object": "every object has the type `Ref`",
    "object": "every object has the type `Ref`",
    "Node": "every object has the type `Ref`; declare what it holds with `field`",
    "Real": "`Perm` is the type of fractions; there are no other numbers but `Int`",
    "real": "`Perm` is the type of fractions; there are no other numbers but `Int`",
    "float": "`Perm` is the type of fractions; there are no other numbers but `Int`",
    "double": "`Perm` is the type of fractions; there are no other numbers but `Int`",
    "String": "there are no strings: use `Seq[Int]`, or declare `domain String { }`",
    "string": "there are no strings: use `Seq[Int]`, or declare `domain String { }`",
    "char": "there are no characters: use `Int`",
    "void": "a method without `returns` has no result",
    "unit": "a method without `returns` has no result",
    "Array": "use a sequence: `Seq[Int]`; or objects with a domain that maps indices to them",
    "array": "use a sequence: `Seq[Int]`; or objects with a domain that maps indices to them",
    "List": "use a sequence: `Seq[Int]`; or an `adt`",
    "list": "use a sequence: `Seq[Int]`; or an `adt`",
    "seq": "write `Seq[T]`",
    "set": "write `Set[T]`",
    "map": "write `Map[K, V]`",
    "dict": "write `Map[K, V]`",
    "multiset": "write `Multiset[T]`",
}

MEMBERS = {
    "class": "there are no classes: declare what objects hold with `field f: Int`, and write "
    "methods with the object as a parameter, `method m(this: Ref)`",
    "struct": "there are no structures: declare what objects hold with `field f: Int`",
    "record": "there are no records: declare `field f: Int`, or an `adt`",
    "interface": "there are no interfaces: declare methods without bodies",
    "enum": "declare an `adt`: `adt Colour { Red() Green() }`",
    "datatype": "declare an `adt`: `adt List { Nil() Cons(head: Int, tail: List) }`",
    "data": "declare an `adt`: `adt List { Nil() Cons(head: Int, tail: List) }`",
    "type": "declare a `domain`, or an `adt`",
    "lemma": "write a `method` whose postcondition is the lemma",
    "procedure": "write `method`",
    "proc": "write `method`",
    "def": "write `method m(x: Int) returns (y: Int) { ... }`",
    "fn": "write `method m(x: Int) returns (y: Int) { ... }`, or `function f(x: Int): Int { ... }`",
    "fun": "write `function f(x: Int): Int { ... }`",
    "func": "write `function f(x: Int): Int { ... }`",
    "void": "write `method m() { ... }`",
    "public": "leave it out: all that is declared can be used everywhere",
    "private": "leave it out: all that is declared can be used everywhere",
    "static": "leave it out: all that is declared can be used everywhere",
    "protected": "leave it out: all that is declared can be used everywhere",
    "export": "leave it out: all that is declared can be used everywhere",
    "abstract": "leave it out: what has no body is abstract",
    "ghost": "leave it out: all that is declared may be used in proofs",
    "final": "leave it out: nothing is overridden",
    "pred": "write `predicate`",
    "include": 'write `import "file.vpr"`',
    "var": "there are no global variables: declare a `field` of objects, or a parameter",
    "axiom": "an axiom stands in a domain: `domain D { axiom { ... } }`",
    "module": "there are no modules: declarations stand at the top of a file",
    "const": "write a function without parameters: `function c(): Int { 3 }`",
    "macro": "write `define name(a) body`",
    "modifies": "leave it out: `requires acc(x.f)` says what may be changed",
    "assignable": "leave it out: `requires acc(x.f)` says what may be changed",
    "reads": "leave it out: `requires acc(x.f, wildcard)` says what is read",
    "accessible": "leave it out: `requires acc(x.f, wildcard)` says what is read",
    "precondition": "write `requires`",
    "pre": "write `requires`",
    "postcondition": "write `ensures`",
    "post": "write `ensures`",
    "throws": "there are no exceptions: say with a Boolean result whether it went wrong",
    "raises": "there are no exceptions: say with a Boolean result whether it went wrong",
}
"""Where a declaration begins."""

COLLECTION_SIZES = frozenset(
    {"length", "size", "len", "count", "card", "Length", "Count", "Size", "cardinality"}
)
"""What other languages call `|s|`."""

CALLS = {
    "not": "write `!` for a negation",
    "old_": "write `old(e)`",
    "abs": "nothing is built in: write `x >= 0 ? x : -x`, or declare a function",
    "min": "nothing is built in: write `x < y ? x : y`, or declare a function",
    "max": "nothing is built in: write `x > y ? x : y`, or declare a function",
    "sum": "nothing is built in: declare a recursive function",
    "len": "write `|s|` for the size of a collection",
    "length": "write `|s|` for the size of a collection",
    "size": "write `|s|` for the size of a collection",
    "card": "write `|s|` for the size of a collection",
    "read": "write `acc(x.f, wildcard)` for permission to read",
    "rd": "write `acc(x.f, wildcard)` for permission to read",
    "append": "write `s ++ Seq(x)` to append to a sequence",
    "contains": "write `x in s`",
    "print": "leave it out: nothing is printed, the program is proved and not run",
    "println": "leave it out: nothing is printed, the program is proved and not run",
    "implies": "write `a ==> b`",
    "access": "write `acc(x.f)`",
    "Acc": "write `acc(x.f)`",
    "list": "write `Seq(1, 2)` for a sequence",
    "keys": "write `domain(m)` for the keys of a map",
    "values": "write `range(m)` for the values of a map",
}
"""Functions that other languages have."""

NAMES = {
    "this": "there is no `this`: each object is a parameter, `this: Ref`",
    "self": "there is no `self`: each object is a parameter, `self: Ref`",
    "None": "write `null` for no object, `none` for no permission",
    "NULL": "write `null`",
    "nil": "write `null`",
    "nullptr": "write `null`",
    "True": "write `true`",
    "False": "write `false`",
    "TRUE": "write `true`",
    "FALSE": "write `false`",
    "full": "write `write` for the full permission",
    "_": "write `wildcard` for some permission, or a fraction such as `1/2`",
    "read": "write `wildcard`, or a fraction such as `1/2`, for permission to read",
    "half": "write `1/2`",
    "int": "types begin with a capital letter: `Int`",
}
"""Values that have another name here."""


def returned(before: str, value: str) -> str:
    """What to write for `return value`, where `before` is the text in front of it."""
    header = before.rpartition("method ")[2]
    found = re.search(r"\breturns\s*\(\s*([A-Za-z_$][\w$]*)", header)
    early = "to leave early, `goto done`, with `label done` before the last `}` of the method"
    if not value:
        return f"leave it out at the end of a body; {early}"
    if found is not None:
        return f"write `{found[1]} := {value}`; {early}"
    named = ", and `res` for `result` in the contract" if re.search(r"\bresult\b", header) else ""
    return f"declare the result, `returns (res: Int)`, and write `res := {value}`{named}; {early}"


def word_help(word: str) -> str | None:
    """What to write instead of a word that stands alone, as a name of nothing."""
    return NAMES.get(word) or OPERATORS.get(word) or STATEMENTS.get(word)


def is_foreign(word: str) -> bool:
    """Whether a name in front of a parenthesis is no call, but a word of another language."""
    return word in OPERATORS or word in STATEMENTS
