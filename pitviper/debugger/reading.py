"""What typed-in expressions mean in the state of a failed check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pitviper.base.record import replace
from pitviper.checking.infer import IMPURE_NODES
from pitviper.checking.typed_input import InputReader, InputScope
from pitviper.debugger.obligations.obligation import Desk, Read
from pitviper.encoding.background import background
from pitviper.encoding.decoding import Meanings
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.recorder import Failed
from pitviper.engines.symbolic.rules.consume import consume_all
from pitviper.engines.symbolic.rules.evaluate import evaluate
from pitviper.engines.symbolic.services import Log, Obligation
from pitviper.engines.symbolic.state import PRE_STATE, State
from pitviper.explain.expression import VERSIONED, TermExpressions
from pitviper.explain.places import Places
from pitviper.plugins.adt.encode import encode_formula
from pitviper.program.assertion import Assertion
from pitviper.program.expr import FunctionApp
from pitviper.program.member import Program
from pitviper.program.print.expressions import text_of
from pitviper.program.types import AdtType, DomainType, Type, rebuild
from pitviper.program.walk import descendants
from pitviper.results.debugging import Problem
from pitviper.source.diagnostic import Diagnostic
from pitviper.source.span import Span
from pitviper.syntax.parse.lexer import versions_in
from pitviper.terms.substitute import subterms
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Term


class Reader:
    """Reads expressions for one failed check.

    `names` are the variables in scope by their names in the source; `versions` are all symbols
    that can be named with a version.
    """

    def __init__(
        self,
        failed: Failed,
        around: State,
        names: Mapping[str, Term],
        source: Program,
        check: InputReader,
    ) -> None:
        self._failed = failed
        self._around = around
        self._source = source
        self._check = check
        self._meanings = Meanings(failed.context.services.symbols)
        self.names = names
        self.versions: dict[str, Term] = {}
        self.axioms: list[Term] = []
        self.functions: Mapping[str, tuple[Term, ...]] = {}
        self.places: Places | None = None
        self.words: TermExpressions | None = None
        self._told = failed.context.services.symbols.size

    def learn(self, *terms: Term) -> None:
        """Notes the versions that occur in terms: they can be typed in."""
        for term in subterms(*terms):
            if isinstance(term, App) and not term.args and isinstance(term.symbol, Function):
                name = term.symbol.name
                if VERSIONED.fullmatch(name) and self.type_of(term) is not None:
                    self.versions.setdefault(name, term)

    def type_of(self, term: Term) -> Type | None:
        found = self._meanings.type_of(term.sort)
        return None if found is None else _in_source(found, self._source)

    def labels(self) -> list[str]:
        own = [] if self.places is None else [label.name for label in self.places.labels]
        return [*own, *[label for label in self._around.old if label != PRE_STATE]]

    # ------------------------------------------------------------ reading

    def read(self, text: str, desk: Desk) -> Read | Problem:
        formula = self.formula(text)
        if isinstance(formula, Problem):
            return formula
        if isinstance(formula, IMPURE_NODES):
            return Read(text, text_of(formula), None, (), formula)
        cx = self._context(desk, formula)
        st, value = evaluate(self._state(desk), formula, cx)
        problem = self._trouble(text, cx.services.log)
        if problem is not None:
            return problem
        self._tell_axioms(formula, desk)
        self.learn(value)
        learnt = tuple([entry.fact for entry in st.path.since(desk.path)])
        self.learn(*learnt)
        return Read(text, self.text(value), value, learnt)

    def failure_of(self, formula: Assertion, desk: Desk) -> str | None:
        """Returns the first thing that an assertion misses in the state, None if nothing."""
        cx = self._context(desk, formula)
        start = self._state(desk)
        for _ in consume_all(start.leaving(start.heap), (formula,), cx):
            pass
        self._tell_axioms(formula, desk)
        return next((message for message, _ in _complaints(cx.services.log)), None)

    def value(self, text: str, like: Term, desk: Desk) -> Term | Problem:
        """Returns the value of an expression that has the type of a term, if it has one."""
        e = self.formula(text, self.type_of(like))
        if isinstance(e, Problem):
            return e
        assert not isinstance(e, IMPURE_NODES)
        cx = self._context(desk, e)
        _, value = evaluate(self._state(desk), e, cx)
        trouble = self._trouble(text, cx.services.log)
        return value if trouble is None else replace(trouble, is_about_state=True)

    def formula(self, text: str, expected: Type | None = None) -> Assertion | Problem:
        """Returns the typed expression over variables of the scope and versioned ones."""
        variables: dict[str, tuple[str, Type]] = {}
        for name, term in (*self.names.items(), *self.versions.items()):
            type_ = self.type_of(term)
            if type_ is not None:
                variables[name] = (name, type_)
        result = self.names.get("result")
        of_function = None if result is None else self.type_of(result)
        member = self._failed.context.services.member
        scope = InputScope(variables, self.labels(), of_function, expected, member=member)
        checked, problems = self._check.check(text, scope)
        if checked is None:
            return self._unknown_version(text, problems)
        program = self._failed.context.services.program
        for node in descendants(checked):
            if isinstance(node, FunctionApp) and node.function not in program.functions:
                told = f"{node.function} was left out by --select: select it, too"
                return _problem(told, text, node.span)
        return encode_formula(checked, self._source) if self._source.adts else checked

    def text(self, term: Term) -> str | None:
        expression = None if self.words is None else self.words.of(term)
        return None if expression is None else text_of(expression)

    # ------------------------------------------------------------ the engine

    def _state(self, desk: Desk) -> State:
        failed, around = self._failed.state, self._around
        store = {**self.versions, **self.names}
        labels = () if self.places is None else self.places.labels
        old = {**around.old, **{label.name: label.heap for label in labels}}
        return State(store, failed.heap, desk.path, old)

    def _context(self, desk: Desk, formula: Assertion) -> Context:
        """As at the failed check, with a solver and a log of its own."""
        failed = self._failed.context
        services = replace(failed.services, solver=desk.solver, log=Log(), recorder=None)
        modes = failed.modes.at_a_check()
        return Context(services, Obligation("assert.failed", formula), modes)

    def _tell_axioms(self, formula: Assertion, desk: Desk) -> None:
        """An expression may be the first that uses some collection or function."""
        symbols = self._failed.context.services.symbols
        more: list[Term] = []
        if symbols.size != self._told:
            self._told = symbols.size
            more += background(symbols)
        used = [n.function for n in descendants(formula) if isinstance(n, FunctionApp)]
        if any(name in self.functions for name in used):
            more += [axiom for table in self.functions.values() for axiom in table]
        known = set(self.axioms)
        new = [axiom for axiom in more if axiom not in known]
        if new:
            self.axioms += new
            desk.solver.declare(new)

    def _trouble(self, text: str, log: Log) -> Problem | None:
        for message, span in _complaints(log):
            return _problem(message, text, span)
        return None

    def _unknown_version(self, text: str, problems: tuple[Diagnostic, ...]) -> Problem:
        first = problems[0]
        if first.span is not None:
            for name, span in versions_in(first.span.file):
                if span == first.span and "undeclared" in first.message:
                    return _problem(self._no_version(name), text, span)
        help_ = f" ({first.help})" if first.help else ""
        message = first.message.replace("the end of the file", "the end of the line")
        return _problem(f"{message}{help_}", text, first.span)

    def _no_version(self, name: str) -> str:
        hint = name.partition("@")[0]
        known = [n for n in self.versions if n.partition("@")[0] == hint]
        if known:
            return f"there is no `{name}`: known versions are {', '.join(known)}"
        return f"there is no `{name}`, nor any other version of `{hint}`"


_PREFIX = "Assert might fail. "


def _complaints(log: Log) -> Iterator[tuple[str, Span]]:
    for finding in log.findings.values():
        yield finding.message.removeprefix(_PREFIX), finding.offending or finding.span
    for point in log.undecided.values():
        yield point.message, point.span


def _problem(message: str, text: str, span: Span | None) -> Problem:
    if span is None or span.file.text != text:
        return Problem(message, text, 0, len(text))
    return Problem(message, text, span.start, max(span.end, span.start + 1))


def _in_source(type_: Type, source: Program) -> Type:
    """Types of the encoding as the user writes them."""

    def inner(t: Type) -> Type:
        return _in_source(t, source)

    match type_:
        case DomainType(name, args) if name in source.adts:
            return AdtType(name, tuple([inner(a) for a in args]))
        case _:
            return rebuild(type_, inner)
