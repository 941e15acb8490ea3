"""From a run to what people read and keep: inputs in words, findings, test cases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from pitviper.base.qualified import ARRAY_LENGTH, call_words, is_qualified, short_name
from pitviper.base.record import record
from pitviper.engines.explore.model.program import Blame, Constraint, Model
from pitviper.engines.explore.model.types import INT, OBJECT, Type
from pitviper.engines.explore.notes import DOUBTS, HARMLESS
from pitviper.engines.explore.options import ModelOptions
from pitviper.engines.explore.report.holders import Holders
from pitviper.engines.explore.runtime.ending import Ended, Site, Status
from pitviper.engines.explore.runtime.heap import Heap
from pitviper.engines.explore.runtime.inputs import Assignment
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.value import (
    Array,
    GuardedSet,
    Huge,
    Kind,
    Lazy,
    Scalar,
    Slot,
    Sym,
    Value,
    plain,
)
from pitviper.engines.explore.search.compile import Code
from pitviper.engines.explore.search.engine import Node
from pitviper.engines.explore.viper.watch import ERROR, NAME
from pitviper.engines.shared.values import Constructed, FiniteMap, Multiset, Ref
from pitviper.program.classes import CLASS
from pitviper.program.print.objects import class_names
from pitviper.results.exploration import ExploredRun
from pitviper.results.finding import Finding
from pitviper.results.testcase import TestCase, digest_of
from pitviper.results.wording import error_text, value_text
from pitviper.terms.operators import EQUAL
from pitviper.terms.substitute import subterms
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Term

_VARIABLE = re.compile(r"[A-Za-z_$][\w$]*(#\d+)?'*")
"""A variable of the program; declared once more, it has a number."""

_INSIDE = re.compile(r"[\[.]")
"""Where the name of a part goes on behind that of the whole."""


def shown(value: Value) -> str:
    """A value as one would write it in a program; `?` where no run looked."""
    match value:
        case Sym():
            return _scalar(value.value)
        case Lazy() | Slot():
            return "?" if value.decided is None else shown(value.decided)
        case Ref():
            return _object(value)
        case Constructed():
            return f"{value.constructor}({', '.join(map(shown, value.args))})"
        case GuardedSet():
            return f"Set({', '.join([shown(e) for e, there in value.items if plain(there)])})"
        case Multiset():
            listed = [shown(e) for e, n in value.items for _ in range(int(plain(n)))]
            return f"Multiset({', '.join(listed)})"
        case FiniteMap():
            return f"Map({', '.join([f'{shown(k)} := {shown(v)}' for k, v in value.items])})"
        case Huge():
            known = value.decided
            return f"{value.size.value} elements" if known is None else shown(known)
        case tuple():
            return f"Seq({', '.join(map(shown, value))})"
        case _:
            return _scalar(value)


def _object(value: Ref) -> str:
    if value.number == 0:
        return "null"
    return f"object{value.number}" if value.number > 0 else f"new{-value.number}"


def _scalar(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def inputs_of(
    run: Run, params: frozenset[str], types: Mapping[str, str] | None = None
) -> tuple[tuple[str, str], ...]:
    """All that the solver chose, in the order in which the run met it; parts are in the whole.

    What other variables, and fields of objects that the run made, hold before they are assigned
    counts if the run depends on it. Where `types` tell that a name holds an array, it is shown as
    one: in the core an object may be both.
    """
    inputs = run.inputs.values
    holders = Holders(inputs, types or {})
    arrays, parts = _arrays(run)
    known = [a for listed in run.inputs.arrays.values() for a in listed]
    places = {_object(o): _place_name(a, _plain_index(i)) for a in known for i, o in a.places}
    owners = {owner: a.name for a in known for owner in _owner_of(a)}
    wholes = {name for name, v in inputs.items() if isinstance(v, Lazy)}
    others = {
        name
        for name in inputs
        if (_VARIABLE.fullmatch(name) and name not in params) or _OF_MADE.match(name)
    }
    used = _mentioned(run) if others else set()
    applied = _applied(run)
    alike = _assumed_equal(run) if any("#" in name for name in inputs) else frozenset()
    found = []
    for name, value in inputs.items():
        is_part = any(name[: m.start()] in wholes for m in _INSIDE.finditer(name))
        is_noise = name in others and name not in used
        if name in arrays:
            found.append((name, arrays.pop(name)))
        elif name in parts or _OF_NEW_ARRAY.match(name):
            continue
        elif not is_part and not is_noise and not _is_repeated(name, inputs, alike):
            text = places.get(shown(value), holders.text(name, shown(value)))
            named = applied.get(id(value)) or _without_classes(holders.name(name), run.model)
            found.append((named, text))
    found += list(arrays.items())
    for (function, args), result in run.inputs.tables.items():
        called = function.removeprefix("function ")
        if called == CLASS:  # told where the object is named
            continue
        if called == ARRAY_LENGTH and int(args[0]) < 0:  # `new` says it
            continue
        if " " not in called:  # others are nobody's: they stand for the state of a predicate
            whole = {} if is_qualified(called) else owners
            table = run.model.tables[function]
            given = zip(table.args, args, strict=True)
            listed = [whole.get((kind, arg), _of_type(kind, arg, called)) for kind, arg in given]
            text = _of_type(table.result, result, called)
            found.append((holders.name(_called(called, listed, function)), text))
    return tuple([(_numbered(n, inputs), value) for n, value in found if not _STATE.match(n)])


def _of_type(kind: Type, value: Scalar, function: str) -> str:
    """An object by its name; functions of classes name their receivers themselves."""
    is_object = kind == OBJECT and not is_qualified(function)
    return _object(Ref(int(value))) if is_object else _scalar(value)


def _applied(run: Run) -> dict[int, str]:
    """What functions of data and collections were applied to, by the values that they gave.

    `Nil().head` is the part of data that does not have it.
    """
    found: dict[int, str] = {}
    for (name, footprint), known in run.inputs.shaped.items():
        table = run.model.tables[name]
        for args, _, value in () if footprint else known:
            given = [shown(arg) for arg in args]
            found[id(value)] = (
                f"{given[0]}.{table.part}" if table.part else _called(name, given, name)
            )
    return found


_OF_MADE = re.compile(r"new\d+\.")
"""The name of a field of an object that the run made."""

_OF_NEW_ARRAY = re.compile(r"new\d+\..*\[\]\.elems")
"""The elements of an array that the run made: `new` says what they are."""

_AGAIN = re.compile(r"#\d+'*")
"""Ends a name that was there before; the number is that of all unknowns."""


def _numbered(name: str, inputs: Iterable[str]) -> str:
    """`object1.f (value 2)` for what is at a place that was given up and got back."""
    found = _AGAIN.search(name)
    if found is None:
        return name
    same = re.compile(f"{re.escape(name[: found.start()])}(#\\d+'*)?")
    alike = [one for one in inputs if same.fullmatch(one)]
    number = alike.index(name[: found.end()]) + 1 if name[: found.end()] in alike else 2
    return f"{name[: found.start()]}{name[found.end() :]} (value {number})"


def _classes(run: Run, text: str) -> dict[str, str]:
    """The classes of the objects of which the run has asked, by the names of the objects."""
    names = class_names(text)
    return {
        _object(Ref(int(args[0]))): names[int(number) - 1]
        for (function, args), number in run.inputs.tables.items()
        if function == f"function {CLASS}" and 0 < int(number) <= len(names)
    }


_STATE = re.compile(r"function \w+ \S")
"""The value of a function for the state of an instance, of which nobody knows."""


def _called(name: str, args: list[str], whole: str) -> str:
    """`function f(1)`, or `object1.length` for a member of a class."""
    if not is_qualified(name):
        return f"{whole}({', '.join(args)})"
    receiver = int(args[0])
    return call_words(name, [f"object{receiver}" if receiver > 0 else f"new{-receiver}", *args[1:]])


def _without_classes(name: str, model: Model) -> str:
    """`object1.x` for the field `Cell.x` of an object."""
    for field in model.fields:
        if is_qualified(field) and f".{field}" in name:
            return name.replace(f".{field}", f".{short_name(field)}")
    return name


def _arrays(run: Run) -> tuple[dict[str, str], set[str]]:
    """Arrays of the input as lists, and the names of the inputs that these show.

    Variables that hold the same array are shown by the name of the first.
    """
    inputs = run.inputs.values
    found: dict[str, str] = {}
    parts: set[str] = set()
    for array in [a for listed in run.inputs.arrays.values() for a in listed]:
        objects = {_plain_index(i): made.number for i, made in array.places}
        fields = _fields_of(set(objects.values()), inputs)
        for field in fields:
            suffix = "" if len(fields) == 1 else f".{field}"
            values = {i: inputs.get(f"object{n}.{field}") for i, n in objects.items()}
            found.update(_listed(array.name, suffix, values))
            parts |= {f"object{n}.{field}" for n in objects.values()}
        nulls = [i for i, n in objects.items() if n == 0]
        found.update({_place_name(array, i): "null" for i in nulls})
        same = [name for name in inputs if fields and _is_same_array(name, run, array)]
        found.update({name: array.name for name in same if name not in found})
    return {name: text for name, text in found.items() if name != text}, parts


def _plain_index(index: tuple[Value, ...]) -> tuple[int, ...]:
    return tuple([int(plain(i)) for i in index])


def _fields_of(objects: set[int], inputs: Mapping[str, Value]) -> list[str]:
    """The fields of places whose values are inputs."""
    found: dict[str, None] = {}
    for name in inputs:
        first, _, field = name.partition(".")
        number = first.removeprefix("object")
        if number != first and number.isdigit() and int(number) in objects and "#" not in field:
            found[field] = None
    return list(found)


def _is_same_array(name: str, run: Run, array: Array) -> bool:
    """Whether an input is a variable that holds the array."""
    return run.inputs.symbols.get(name) in _owner_of(array)


def _owner_of(array: Array) -> list[tuple[Type, Scalar]]:
    """The value that an array is a function of, with its type, if it is one."""
    kinds = [kind for kind in array.function.args if kind != INT]
    return [(kinds[0], plain(array.owner[0]))] if len(kinds) == 1 else []


def _place_name(array: Array, index: tuple[int, ...]) -> str:
    return f"{array.name}[{', '.join(map(str, index))}]"


def _listed(
    name: str, suffix: str, values: Mapping[tuple[int, ...], Value | None]
) -> dict[str, str]:
    """`a = [1, 0, 7]` if the places are the first of one or two dimensions, else one by one."""
    texts = {i: "?" if v is None else shown(v) for i, v in sorted(values.items())}
    if list(texts) == [(n,) for n in range(len(texts))]:
        return {f"{name}{suffix}": f"[{', '.join(texts.values())}]"}
    rows = sorted({i[:-1] for i in texts})
    columns = sorted({i[-1] for i in texts})
    is_table = list(texts) == [(*row, c) for row in rows for c in columns]
    if is_table and rows == [(n,) for n in range(len(rows))] and columns == [*range(len(columns))]:
        lines = [f"[{', '.join([texts[*row, c] for c in columns])}]" for row in rows]
        return {f"{name}{suffix}": f"[{', '.join(lines)}]"}
    return {f"{name}[{', '.join(map(str, i))}]{suffix}": text for i, text in texts.items()}


def _mentioned(run: Run) -> set[str]:
    """Names of unknowns that decisions of the run speak about."""
    return set().union(*[_names_in(decision.term) for decision in run.path.decisions])


@lru_cache(maxsize=4096)
def _names_in(condition: Term) -> frozenset[str]:
    """Runs of one method share most of their conditions."""
    found: set[str] = set()
    for term in subterms(condition):
        if isinstance(term, App) and not term.args and isinstance(term.symbol, Function):
            name = term.symbol.name
            found |= {name, name.strip("|"), name.removesuffix(".tag")}
    return frozenset(found)


def _is_repeated(name: str, inputs: Mapping[str, Value], alike: frozenset[str]) -> bool:
    """Whether a value was met before: permissions come in parts, each with the same value.

    That was assumed then. A value that merely is the same again is what the run depends on.
    """
    if name.startswith("%"):
        return True
    first, _, number = name.partition("#")
    if not number.isdigit() or name not in alike:
        return False
    earlier = [f"{first}#{n}" for n in range(int(number) - 1, 1, -1)]
    before = next((one for one in (*earlier, first) if one in inputs), None)
    return before is not None and shown(inputs[before]) == shown(inputs[name])


def _assumed_equal(run: Run) -> frozenset[str]:
    """Names in equations that were assumed."""
    assumed = [d.term for d in run.path.decisions if d.taken and d.kind is Kind.ASSUME]
    equations = [t for t in assumed if isinstance(t, App) and t.symbol is EQUAL]
    return frozenset().union(*[_names_in(equation) for equation in equations])


def used_assignment(run: Run) -> Assignment:
    """The values that the run used, and no others: enough to repeat it."""
    values = {name: value for name, (_, value) in run.inputs.symbols.items()}
    tables: dict[str, dict[tuple[Scalar, ...], Scalar]] = {}
    for (function, args), result in run.inputs.tables.items():
        tables.setdefault(function, {})[args] = result
    return Assignment(values, {name: (entries, 0) for name, entries in tables.items()})


def blame_at(model: Model, site: Site) -> Blame | None:
    instruction = model.methods[site[0]].instructions[site[1]]
    return instruction.blame if isinstance(instruction, Constraint) else None


def finding_of(model: Model, site: Site) -> Finding | None:
    blame = blame_at(model, site)
    if blame is None:
        return None
    return Finding(
        blame.error, blame.reason, blame.span, blame.member, blame.message, blame.offending
    )


class Recorder:
    """Turns nodes of a search into records; knows what they are records of.

    `doubts` are about all runs, `of_failures` about failures alone and only then asked for;
    `endless` functions have axioms that may be used without end. `arrays` are the types of the
    parameters and fields that hold arrays, in a language that has them.
    """

    def __init__(
        self,
        model: Model,
        method: str,
        program: str,
        options: ModelOptions,
        assumed: tuple[str, ...],
    ) -> None:
        self._model = model
        self._method = method
        self._program = program
        self._options = options
        self._assumed = assumed
        self.doubts: tuple[str, ...] = ()
        self.of_failures: Callable[[], tuple[str, ...]] = tuple
        self.endless: frozenset[str] = frozenset()
        self.arrays: Mapping[str, str] = {}
        entry = model.methods[method]
        self._params = frozenset([p.name for p in entry.params])
        self._span = entry.instructions[0].span
        self._digest = digest_of(self._span.file.text)

    def record(self, node: Node) -> ExploredRun:
        run = node.run
        parent = -1 if node.parent is None else node.parent
        if run is None:
            return ExploredRun(node.number, parent, node.status.value, None, node.detail)
        finding = None
        if node.status is Status.FAILED and node.site is not None:
            finding = finding_of(self._model, node.site)
        doubts = (*[n for n in run.notes if any(d in n for d in DOUBTS)], *self.doubts)
        if finding is not None:
            doubts = (*doubts, *[d for d in self.of_failures() if d not in doubts])
        rests = finding is not None and run.inputs.rest_on_axioms
        assumed = self._assumed if rests and not node.confirmed else ()
        applied = [function for function, _ in run.inputs.tables] or self.endless
        if assumed and any(function in self.endless for function in applied):
            doubts = (*doubts, no_model_known(assumed))
        keep = node.status in (Status.FAILED, Status.PASSED)
        return ExploredRun(
            node.number,
            parent,
            node.status.value,
            finding,
            node.detail,
            len(run.path.decisions),
            run.steps,
            self.test_case(run, node.status, finding) if keep else None,
            doubts,
            (*[n for n in run.notes if n not in HARMLESS], *self.doubts),
            assumed,
            tuple(run.trials.footprints),
        )

    def _inputs(self, run: Run) -> tuple[tuple[str, str], ...]:
        """The inputs, in words of the language of the file."""
        classes = _classes(run, self._span.file.text)
        return tuple(
            [
                (name, f"{value} ({classes[value]})" if value in classes else value)
                for name, value in [
                    (n, value_text(v, self._span))
                    for n, v in inputs_of(run, self._params, self.arrays)
                ]
            ]
        )

    def test_case(self, run: Run, status: Status, finding: Finding | None) -> TestCase:
        used = used_assignment(run)
        return TestCase(
            self._program,
            self._method,
            status.value,
            "" if finding is None else finding.id,
            0 if finding is None else finding.span.line,
            self._options.loops.value,
            self._options.calls.value,
            self._inputs(run),
            used.values,
            used.tables,
            self._options.exact_amounts,
            (run.limits.steps, run.limits.depth, run.limits.size),
            self._digest,
        )


def no_model_known(domains: tuple[str, ...]) -> str:
    """Why a failure may be none although no contradiction was found."""
    return f"nobody has found a model of the axioms of {', '.join(domains)} with these values"


State = Mapping[str, Value | Heap]
"""The variables of a method of the model, where a run stands; heaps are no longer changed."""


@record
class Seen:
    """The value of an expression as text, or why it has none; `is_broken` if a check failed."""

    value: str = ""
    problem: str = ""
    is_broken: bool = False


class _Watching(Run):
    """Goes on where another run ended; what that one never looked at has no value."""

    def __init__(self, code: Code, over: Run) -> None:
        super().__init__(code.model, over.inputs.assignment, over.limits, given=1 << 60)
        before, mine = over.inputs, self.inputs
        mine.symbols, mine.tables = dict(before.symbols), dict(before.tables)
        mine.shaped = before.shaped
        mine.objects, mine.made = before.objects, before.made
        self.functions = over.functions

    def choosing(self, what: str) -> None:
        if what not in ("wildcard", "$judged"):
            self.end(Status.RETRY, f"the run never looked at {what}: it may be anything")


def value_of(code: Code, state: State, over: Run) -> Seen:
    """What the method of an expression gives, in a state of a run that is over."""
    run = _Watching(code, over)
    params = code.model.methods[NAME].params
    try:
        (found,) = code.functions[NAME](run, *[state[p.name] for p in params])
    except Ended as end:
        return Seen("", _why(code, end), end.status is Status.FAILED)
    except RecursionError:
        return Seen(problem=Status.DEPTH.value)
    return Seen(shown(found))  # type: ignore[arg-type]  # a method that gives one value


def _why(code: Code, end: Ended) -> str:
    if end.status is Status.FAILED:
        finding = finding_of(code.model, end.site)
        if finding is not None:
            return finding.message.removeprefix(f"{error_text(ERROR)} ")
    if end.status is Status.RETRY:
        return end.detail
    return f"{end.status.value}: {end.detail}" if end.detail else end.status.value
