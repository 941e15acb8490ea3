"""Compiles a model to Python functions, with the callbacks built in.

Each method becomes one function; its basic blocks stand one after the other in a loop that only
jumps go round. Callbacks tell the run about instructions, transitions, constraints, and entered
and left methods, as section 2.4.5 of the paper lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Protocol, TypeAlias

from pitviper.base.record import field, record
from pitviper.engines.explore.analysis.entry_facts import MethodFacts
from pitviper.engines.explore.analysis.model_facts import model_facts
from pitviper.engines.explore.model import program as mp
from pitviper.engines.explore.model.term import Fresh, Literal, Local, Operation, Term
from pitviper.engines.explore.model.types import NULL
from pitviper.engines.explore.runtime import value as values
from pitviper.engines.explore.runtime.natives import NATIVES, OPERATORS, TAGGED
from pitviper.engines.explore.runtime.run import Run

Compiled: TypeAlias = Callable[..., tuple[object, ...]]

TRUE = "True"

DEEPEST = 40
"""Python allows no more than 200 parentheses inside of each other."""


class Runnable(Protocol):
    """What a search runs: compiled code, or a program elsewhere that tells what it does."""

    @property
    def model(self) -> mp.Model: ...

    @property
    def functions(self) -> Mapping[str, Compiled]: ...

    def run(self, method: str, run: Run) -> None: ...


@record
class Code:
    """The functions of a model, and their text for the curious.

    `names` says what the variables of each method are called in its function.
    """

    model: mp.Model
    functions: dict[str, Compiled]
    text: str
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def run(self, method: str, run: Run) -> None:
        """Call a method without arguments; it ends by returning or with `Ended`."""
        run.functions = self.functions
        run.outputs = self.functions[method](run)


NO_FACTS = MethodFacts()


def compile_model(model: mp.Model, facts: Mapping[str, MethodFacts] | None = None) -> Code:
    """`facts` decide branches and constraints; None has them found out."""
    facts = model_facts(model) if facts is None else facts
    scope: dict[str, object] = {"null": values.NULL}
    functions: dict[str, Compiled] = {}
    scope["methods"] = functions
    writer = _Writer(scope, facts)
    names = {name: f"method{number}" for number, name in enumerate(model.methods)}
    parts = [writer.method(method, names[name]) for name, method in model.methods.items()]
    text = "\n\n".join(parts)
    exec(compile(text, "<model>", "exec"), scope)
    for name, function in names.items():
        made = scope[function]
        assert callable(made)
        functions[name] = made
    return Code(model, functions, text, writer.names)


class _Writer:
    """Writes functions; things that text cannot name go into the scope they run in."""

    def __init__(self, scope: dict[str, object], facts: Mapping[str, MethodFacts]) -> None:
        self._scope = scope
        self._facts = facts
        self._constants: dict[object, str] = {}
        self._locals: dict[str, str] = {}
        self._name = ""
        self._decided = NO_FACTS
        self._parts: list[str] = []
        self.names: dict[str, dict[str, str]] = {}

    def method(self, method: mp.Method, function: str) -> str:
        found = method.locals()
        self._locals = {name: f"v{number}" for number, name in enumerate(found)}
        self._name = repr(method.name)
        self.names[method.name] = self._locals
        params = [self._locals[p.name] for p in method.params]
        inner = [v for name, v in self._locals.items() if v not in params]
        lines = [f"def {function}({', '.join(['run', *params])}):", f"    run.enter({self._name})"]
        lines.append("    instruction = run.instruction")
        if inner:
            lines.append(f"    {' = '.join(inner)} = None")
        lines += ["    at = 0", "    while True:"]
        self._decided = self._facts.get(method.name, NO_FACTS)
        starts = _block_starts(method)
        for number, start in enumerate(starts):
            end = starts[number + 1] if number + 1 < len(starts) else len(method.instructions)
            lines.append(f"        if at == {start}:")
            for index in range(start, end):
                lines += [f"            {line}" for line in self._instruction(index, method)]
            lines.append(f"            at = {end}")
        return "\n".join(lines) + "\n"

    def _instruction(self, index: int, method: mp.Method) -> list[str]:
        """The parts of deep terms are computed between the callback and the instruction."""
        self._parts = []
        tick, *rest = self._written(index, method)
        return [tick, *self._parts, *rest]

    def _written(self, index: int, method: mp.Method) -> list[str]:
        instruction: mp.Instruction = method.instructions[index]
        tick = f"instruction({index})"
        match instruction:
            case mp.Assign(target, value):
                return [tick, f"{self._locals[target.name]} = {self._term(value)}"]
            case mp.Branch(condition, target):
                if isinstance(condition, Literal):
                    return [tick, f"at = {target}", "continue"]
                known = self._decided.branches.get(index)
                if known is not None:
                    went = f"run.went({index}, {int(known)})"
                    return [tick, went, *([f"at = {target}", "continue"] if known else [])]
                test = f"if run.transition({index}, {self._term(condition)}):"
                return [tick, test, f"    at = {target}", "    continue"]
            case mp.Constraint(kind, condition):
                if self._decided.constraints.get(index):
                    reached = f"run.coverage.reached[{self._name}, {index}] = None"
                    return [tick, reached] if kind is mp.ConstraintKind.ASSERT else [tick]
                how = "" if kind is mp.ConstraintKind.ASSERT else ", assertion=False"
                return [tick, f"run.constraint({index}, {self._term(condition)}{how})"]
            case mp.Call():
                return [tick, self._call(instruction)]
            case mp.Return():
                results = "".join(f"{self._locals[r.name]}, " for r in method.results)
                return [tick, f"run.leave({self._name})", f"return ({results})"]

    def _call(self, call: mp.Call) -> str:
        targets = "".join(f"{self._locals[t.name]}, " for t in call.targets)
        callee = f"methods[{call.method!r}]"
        if call.native:
            callee = self._global(f"native_{call.method.replace('.', '_')}", NATIVES[call.method])
        args = "".join(f", {self._term(a)}" for a in call.args)
        done = f"{callee}(run{args})"
        return f"{targets}= {done}" if targets else done

    def _term(self, term: Term, depth: int = 0) -> str:
        if depth > DEEPEST and isinstance(term, Operation):
            part = self._term(term)
            self._parts.append(f"part{len(self._parts)} = {part}")
            return f"part{len(self._parts) - 1}"
        match term:
            case Local(name):
                return self._locals[name]
            case Literal():
                return self._literal(term)
            case Fresh(kind, hint):
                return f"run.fresh({self._constant(kind)}, {hint!r})"
            case Operation(operator, args, _, tag):
                inner = "".join(f", {self._term(a, depth + 1)}" for a in args)
                if operator in TAGGED:
                    name = self._global(f"tagged_{operator}", TAGGED[operator])
                    return f"{name}(run, {tag!r}{inner})"
                name = self._global(f"op_{operator}", OPERATORS[operator])
                return f"{name}(run{inner})"

    def _literal(self, term: Literal) -> str:
        if term.value is None:
            return "None" if term.type == NULL else "null"
        if isinstance(term.value, Fraction):
            return self._constant(term.value)
        return repr(term.value)

    def _constant(self, value: object) -> str:
        name = self._constants.get(value)
        if name is None:
            name = self._constants[value] = f"constant{len(self._constants)}"
            self._scope[name] = value
        return name

    def _global(self, name: str, value: object) -> str:
        self._scope[name] = value
        return name


def _block_starts(method: mp.Method) -> list[int]:
    """Where jumps lead to, and the first instruction."""
    targets = {i.target for i in method.instructions if isinstance(i, mp.Branch)}
    return sorted({0, *targets})
