"""Random small programs of the object language: right, or wrong in one of the usual ways."""

from __future__ import annotations

import re
from random import Random

from pitviper.base.record import record

_RELATIONS = ("==", "==", ">=", "<=", "!=", ">")


@record
class Written:
    """A class: what its main routine has to know in order to call it."""

    name: str
    text: str
    mutators: tuple[str, ...]
    asks: bool
    """Whether arguments should be greater than zero."""


def object_program(seed: int) -> str:
    """The program of a seed: one or two classes with an int field, maybe a holder, and a main.

    Every other seed gives a program that should be right.
    """
    random = Random(seed)
    if seed % 2 == 0:
        return _right_program(random)
    classes = [_class(f"C{i}", random) for i in range(random.randint(1, 2))]
    holder = random.random() < 0.4
    parts = [written.text for written in classes]
    if holder:
        parts.append(_holder(classes[0], random))
    return "\n".join([*parts, _main(classes, random, holder=holder)])


_RIGHT = (
    ("get() > old(get())", "n := n + a;"),
    ("get() > old(get())", "int k := read(); assert k == get(); n := n + a;"),
    ("get() >= old(get())", "if (n > a) { n := n + a; } else { n := n + 1; }"),
    ("get() >= old(get())", "if (big(a)) { int k := read(); } else { n := n + 1; } n := n + a;"),
    ("big(a)", "n := a + 1;"),
    ("get() == old(get())", "n := n;"),
    ("get() >= a", "if (get() > 3) { n := a + 2; } n := a + 0; assert n == a;"),
    ("get() > old(get()) + a - 1", "int k := n; n := 7; if (k > 3) { n := k; } n := k + a;"),
)
"""Promises and bodies that keep them, for arguments above zero."""


def _right_program(random: Random) -> str:
    seen = random.choice(("n", "n + 1", "n * 2"))
    least = random.choice((None, 0, 1))
    held = "acc(n)" if least is None else f"acc(n) && n >= {least}"
    lines = [
        "class C {",
        "  int n;",
        "  C(int a) requires a > 0; ensures valid() && get() >= a; { n := a; }",
        f"  predicate valid() {{ return {held}; }}",
        f"  pure int get() requires valid(); {{ return {seen}; }}",
        "  pure bool big(int a) requires valid(); { return n > a; }",
        "  int read() requires valid(); ensures valid() && result == get() && untouched(valid());",
        f"  {{ return {seen}; }}",
    ]
    chosen = random.sample(_RIGHT, 3)
    for i, (promise, body) in enumerate(chosen):
        lines.append(f"  void m{i}(int a) requires valid() && a > 0; ensures valid() && {promise};")
        lines.append(f"  {{ {body} }}")
    lines += ["}", f"C c := new C({random.randint(1, 3)});", "C d := c;"]
    for k in range(random.randint(1, 3)):
        promise, _ = chosen[i := random.randrange(3)]
        given = random.randint(1, 3)
        told = "true" if "old" in promise else re.sub(r"\ba\b", str(given), promise)
        told = told.replace("get()", "d.get()").replace("big", "d.big")
        lines.append(f"c.m{i}({given}); int r{k} := d.read(); assert r{k} == c.get() && {told};")
    return "\n".join(lines)


def _class(name: str, random: Random) -> Written:
    least = random.choice((None, None, 0, 1))
    asks = least is not None and random.random() < 0.8
    demand = "a > 0" if asks else "true"
    held = "acc(n)" if least is None else f"acc(n) && n >= {least}"
    seen = random.choice(("n", "n", "n + 1", "n * 2"))
    promised = random.choice(("", "" if least is None else f"ensures result >= {least};"))
    start = random.choice(("a", "a", "a + 1", "0 - a"))
    shown = seen.replace("n", f"({start})") if random.random() < 0.7 else "a"
    lines = [
        f"class {name} {{",
        "  int n;",
        f"  {name}(int a) requires {demand}; ensures valid() && get() == {shown}; "
        f"{{ n := {start}; }}",
        f"  predicate valid() {{ return {held}; }}",
        f"  pure int get() requires valid(); {promised} {{ return {seen}; }}",
        "  pure bool big(int a) requires valid(); { return n > a; }",
        "  int read() requires valid(); ensures valid() && result == get() && untouched(valid());",
        f"  {{ return {seen if random.random() < 0.8 else 'n'}; }}",
    ]
    mutators: list[str] = []
    for i in range(random.randint(1, 3)):
        lines += _mutator(f"m{i}", demand, mutators, random)
        mutators.append(f"m{i}")
    return Written(name, "\n".join([*lines, "}"]), tuple(mutators), asks)


def _mutator(name: str, demand: str, earlier: list[str], random: Random) -> list[str]:
    relation = random.choice(_RELATIONS)
    after = random.choice(("old(get()) + a", "old(get())", "a", "a + 1", "old(get()) - a"))
    promise = f" && get() {relation} {after}" if random.random() < 0.8 else ""
    if random.random() < 0.2:
        promise += " && big(a)"
    body = _statements(earlier, random, depth=1)
    return [
        f"  void {name}(int a) requires valid() && {demand}; ensures valid(){promise};",
        f"  {{ {body} }}",
    ]


def _statements(earlier: list[str], random: Random, depth: int) -> str:
    done = []
    for _ in range(random.randint(1, 2)):
        kind = random.random()
        if depth and kind < 0.3:
            condition = random.choice(("a > 2", "n > a", "get() >= 3", "big(1)", "n == 0"))
            then = _statements(earlier, random, depth - 1)
            other = _statements(earlier, random, depth - 1)
            done.append(f"if ({condition}) {{ {then} }} else {{ {other} }}")
        elif earlier and kind < 0.5:
            done.append(f"{random.choice(earlier)}(a);")
        elif kind < 0.6:
            done.append(f"assert {random.choice(('get() >= 0', 'n + a >= n', 'big(n - 1)'))};")
        else:
            done.append(f"n := {random.choice(('n + a', 'n + a', 'a', 'n + 1', 'n - a', 'n'))};")
    return " ".join(done)


def _holder(held: Written, random: Random) -> str:
    """A class that owns an object of another one, and calls it."""
    call = random.choice(held.mutators)
    relation = random.choice((">=", "==", "<="))
    change = f"item.{call}(a);" if random.random() < 0.6 else f"item := new {held.name}(a);"
    return "\n".join(
        [
            "class Holder {",
            f"  {held.name} item;",
            f"  Holder({held.name} i) requires i != null * i.valid();",
            "    ensures valid() && total() == old(i.get()); { item := i; }",
            "  predicate valid() { return acc(item) * item != null * item.valid(); }",
            "  pure int total() requires valid(); { return item.get(); }",
            f"  void change(int a) requires valid() && {'a > 0' if held.asks else 'true'};",
            f"    ensures valid() && total() {relation} {random.choice(('old(total())', 'a'))};",
            f"  {{ {change} }}",
            "}",
        ]
    )


def _main(classes: list[Written], random: Random, *, holder: bool) -> str:
    lines = []
    for i, written in enumerate(classes):
        lines.append(f"{written.name} o{i} := new {written.name}({random.randint(0, 3)});")
    for k in range(random.randint(1, 3)):
        i = random.randrange(len(classes))
        lines.append(f"o{i}.{random.choice(classes[i].mutators)}({random.randint(0, 3)});")
        if random.random() < 0.3:
            lines.append(f"int r{k} := o{i}.read(); assert r{k} == o{i}.get();")
        if random.random() < 0.3:
            lines.append(f"assert o{i}.get() {random.choice(_RELATIONS)} {random.randint(0, 4)};")
    if holder:
        lines.append("Holder h := new Holder(o0);")
        lines.append(f"h.change({random.randint(1, 3)});")
        if random.random() < 0.2:
            lines.append("assert o0.get() >= 0;")
    return "\n".join(lines)


def interface_program(seed: int) -> str:
    """The program of a seed: two classes behind two interfaces, called through both.

    Classes name parameters as they like, and may have contracts of their own. Every other seed
    gives a program that should be right.
    """
    random = Random(seed)
    keeps = seed % 2 == 0
    term = random.choice(_TERMS)
    promises = [f"result {random.choice(('==', '>='))} {term}" for _ in range(3)]
    lines = [
        "interface I {",
        "  predicate valid();",
        "  pure int get() requires valid();",
        f"  int k(int a, int b) ensures {promises[0]};",
        f"  int m(int a, int b) requires valid(); ensures valid() && {promises[2]};",
        "}",
        f"interface J {{ int k(int a, int b) ensures {promises[1]}; }}",
    ]
    lines += [line for i in range(2) for line in _implementer(f"C{i}", term, random, keeps=keeps)]
    first, second = random.choice(((0, 1), (1, 0), (0, 0)))
    lines += [
        f"C{first} c := new C{first}({random.randint(0, 2)});",
        f"C{second} d := new C{second}({random.randint(0, 2)});",
        "I i := c; J j := d;",
        f"int p := i.k(1, 2); assert {_at(promises[0], 'p')};",
        f"int q := j.k(1, 2); assert {_at(promises[1], 'q')};",
        f"int before := i.get(); int r := i.m(1, 2); assert {_at(promises[2], 'r')};",
        f"I e; e :| e != null && e == {random.choice(('i', 'c', 'd'))};",
    ]
    if not keeps:
        lines.append(f"assert r {random.choice(_RELATIONS)} {random.choice(('before', '2'))};")
    return "\n".join(lines)


_TERMS = ("a", "b", "a + b", "a + 1", "b + 1")


def _at(promise: str, result: str) -> str:
    """What a promise tells of the result of a call with 1 and 2."""
    return re.sub(r"\bb\b", "2", re.sub(r"\ba\b", "1", promise.replace("result", result)))


def _implementer(name: str, term: str, random: Random, *, keeps: bool) -> list[str]:
    """A class that has from its interfaces what they promise, or something like it."""
    first, second = random.choice((("a", "b"), ("b", "a"), ("x", "y"), ("k", "a")))
    names = {"a": first, "b": second}
    held = random.choice(("acc(n)", "acc(n) && n >= 0", "acc(n) * acc(more)"))

    def returned() -> str:
        wanted = term if keeps or random.random() < 0.7 else random.choice(_TERMS)
        return re.sub(r"\b[ab]\b", lambda found: names[found[0]], wanted)

    value = returned()
    own = f"ensures result == {value};" if random.random() < 0.3 else ""
    change = random.choice(("", "n := n + 1;", "int a1 := n; n := a1;"))
    return [
        f"class {name} implements {random.choice(('I, J', 'J, I'))} {{",
        "  int n; int more;",
        f"  {name}(int s) requires s >= 0; ensures valid(); {{ n := s; }}",
        f"  predicate valid() {{ return {held}; }}",
        f"  pure int get() {{ return {random.choice(('n', 'n + 1', '2'))}; }}",
        f"  int k(int {first}, int {second}) {own} {{ return {value}; }}",
        f"  int m(int {first}, int {second}) {{ {change} return {returned()}; }}",
        "}",
    ]
