"""The consistency of a method body: assignments, labels, proof scripts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pitviper.checking.scope import similar
from pitviper.checking.wellformed.findings import Findings
from pitviper.checking.wellformed.formulas import OUTSIDE, RIGHT_OF_WAND, Formulas
from pitviper.checking.wellformed.places import INVARIANT, LABEL_INVARIANT, STATEMENT
from pitviper.program import stmt
from pitviper.program.cfg import flow_graph
from pitviper.program.expr import Var
from pitviper.program.member import Method
from pitviper.program.node import Node
from pitviper.program.print.printer import stmt_text
from pitviper.program.stmt import Block
from pitviper.source.diagnostic import Related
from pitviper.source.span import Span

_SHORT = 40
"""Characters of an `old` that are repeated in advice."""


class Statements:
    """Walks the body of one method; `measures` are the groups of decreases clauses of its loops.

    `_script` holds the variables declared so far in the innermost proof script, None outside of
    scripts; `_where` is what that means for formulas.
    """

    __slots__ = (
        "_branches", "_formulas", "_gotos", "_has_label_invariant", "_in_scripts", "_labels",
        "_named", "_params", "_script", "_where", "findings", "measures",
    )  # fmt: skip

    def __init__(self, findings: Findings, formulas: Formulas, method: Method) -> None:
        self.findings = findings
        self.measures: list[tuple[stmt.Decreases, ...]] = []
        self._formulas = formulas
        self._params = frozenset([param.name for param in method.params])
        self._labels: dict[str, Span] = {}
        self._in_scripts: set[str] = set()
        self._gotos: list[stmt.Goto] = []
        self._named: set[str] = set()
        """Labels that a jump or an `old` names."""
        self._has_label_invariant = False
        self._script: set[str] | None = None
        self._where = OUTSIDE
        self._branches = 0

    def check_body(self, body: stmt.Block) -> None:
        self._block(body)
        self._named |= {goto.target for goto in self._gotos}
        for goto in self._gotos:
            if goto.target in self._in_scripts:
                message = f"Label {goto.target} is inside a proof script."
                self.findings.error(goto.span, message)
            self._known_label(goto.target, goto)
        olds = self._formulas.take_labels()
        self._named |= olds.keys()
        for label, old in olds.items():
            self._known_label(label, old)
        if self._has_label_invariant:
            warn_of_ignored_invariants(self.findings, body)

    def _known_label(self, label: str, use: Node) -> None:
        if label not in self._labels:
            near = similar(label, self._labels) or self._unused_label(label, use)
            help_ = near or (
                f"declare it: write `label {label}` at the earlier moment whose values are meant"
            )
            if isinstance(use, stmt.Goto):
                help_ = near or f"declare it: write `label {label}` at the place to go on from"
            self.findings.error(use.span, f"No label {label} found.", help=help_)

    def _unused_label(self, label: str, use: Node) -> str | None:
        """The only label of the member that nothing names, which may be meant."""
        unused = [each for each in self._labels if each not in self._named]
        if len(unused) != 1:
            return None
        if isinstance(use, stmt.Goto):
            return (
                f"write `label {label}` at the place to go on from, or `goto {unused[0]}`, the "
                "only label here"
            )
        meant = use.span.text.replace(f"[{label}]", f"[{unused[0]}]", 1)
        written = meant if len(meant) <= _SHORT and "\n" not in meant else f"old[{unused[0]}](...)"
        return f"the label here is called `{unused[0]}`: write `{written}`"

    def _check(self, statement: stmt.Stmt) -> None:
        rule = _RULES.get(type(statement))
        if rule is not None:
            rule(self, statement)

    def _parts(self, statement: stmt.Stmt, *parts: Node | None) -> None:
        nodes = [part for part in parts if part is not None]
        self._formulas.check(nodes, STATEMENT, statement.span, self._where)

    # ------------------------------------------------------------ straight-line statements

    def _declare(self, statement: stmt.Declare) -> None:
        if self._script is not None:
            self._script.add(statement.variable.name)

    def _local_assign(self, statement: stmt.LocalAssign) -> None:
        self._assigned(statement, statement.target)
        self._parts(statement, statement.value)

    def _field_assign(self, statement: stmt.FieldAssign) -> None:
        self._no_script(statement, "Field assignments")
        self._parts(statement, statement.receiver, statement.value)

    def _new(self, statement: stmt.New) -> None:
        if self._script is None:
            self._assigned(statement, statement.target)
        self._no_script(statement, "New statements")

    def _call(self, statement: stmt.MethodCall) -> None:
        targets = statement.targets
        for target in targets:
            self._assigned(statement, target)
        if len({target.name for target in targets}) < len(targets):
            self.findings.error(targets[0].span, "Targets are not allowed to have duplicates.")
        self._parts(statement, *statement.args)

    def _assigned(self, statement: stmt.Stmt, target: Var) -> None:
        if target.name in self._params:
            message = f"{stmt_text(statement)} is a reassignment of formal argument {target.name}."
            self.findings.error(statement.span, message)
        elif self._script is not None and target.name not in self._script:
            message = (
                "Can only assign to local variables that were declared inside the proof script."
            )
            self.findings.error(statement.span, message)

    def _no_script(self, statement: stmt.Stmt, what: str) -> None:
        if self._script is not None:
            message = f"{what} are not allowed in magic wand proof scripts."
            self.findings.error(statement.span, message)

    def _assertion(self, statement: stmt.Inhale | stmt.Exhale | stmt.Assert) -> None:
        self._parts(statement, statement.assertion)

    def _cut(self, statement: stmt.Cut) -> None:
        self._no_script(statement, "Cuts")
        if self._branches:
            message = "A cut stands where all ways meet: not inside of an `if`."
            help_ = "put it after the `if`, or write a method for the branch"
            self.findings.error(statement.span, message, help=help_)
        self._parts(statement, statement.assertion)

    def _refute(self, statement: stmt.Refute) -> None:
        self._parts(statement, statement.condition)

    def _fold(self, statement: stmt.Fold | stmt.Unfold) -> None:
        self._formulas.predicate(statement.predicate, statement.amount, self._where)
        self._parts(statement)

    def _apply(self, statement: stmt.Apply) -> None:
        self._parts(statement, statement.wand)

    def _quasihavoc(self, statement: stmt.Quasihavoc) -> None:
        self._parts(statement, statement.condition, statement.location)

    def _quasihavocall(self, statement: stmt.QuasihavocAll) -> None:
        if not statement.variables:
            message = "Quasihavocall must have at least one quantified variable."
            self.findings.error(statement.span, message)
        self._parts(statement, statement.condition, statement.location)

    # ------------------------------------------------------------ control

    def _block(self, block: stmt.Block) -> None:
        for statement in block.statements:
            self._check(statement)

    def _if(self, statement: stmt.If) -> None:
        self._parts(statement, statement.condition)
        self._branches += 1
        self._block(statement.then)
        self._block(statement.otherwise)
        self._branches -= 1

    def _while(self, statement: stmt.While) -> None:
        self._no_script(statement, "While statements")
        self._parts(statement, statement.condition, *statement.decreases)
        for invariant in statement.invariants:
            self._formulas.check((invariant,), INVARIANT, invariant.span, self._where)
        if statement.decreases:
            self.measures.append(statement.decreases)
        self._block(statement.body)

    def _label(self, statement: stmt.Label) -> None:
        if statement.name in self._labels:
            message = f"Duplicate identifier {statement.name} found."
            related = (Related(self._labels[statement.name], "the first one"),)
            self.findings.error(statement.span, message, related=related)
        self._labels.setdefault(statement.name, statement.span)
        if self._script is not None:
            self._in_scripts.add(statement.name)
        for invariant in statement.invariants:
            self._has_label_invariant = True
            self._formulas.check((invariant,), LABEL_INVARIANT, invariant.span, self._where)

    def _goto(self, statement: stmt.Goto) -> None:
        self._no_script(statement, "Goto statements")
        if self._script is None:
            self._gotos.append(statement)

    def _package(self, statement: stmt.Package) -> None:
        self._parts(statement, statement.wand)
        outer = self._script, self._where
        self._script, self._where = set(), RIGHT_OF_WAND
        self._block(statement.script)
        self._script, self._where = outer


_RULES: Mapping[type, Callable[..., None]] = {
    stmt.Block: Statements._block,
    stmt.Declare: Statements._declare,
    stmt.LocalAssign: Statements._local_assign,
    stmt.FieldAssign: Statements._field_assign,
    stmt.New: Statements._new,
    stmt.MethodCall: Statements._call,
    stmt.Inhale: Statements._assertion,
    stmt.Exhale: Statements._assertion,
    stmt.Assert: Statements._assertion,
    stmt.Cut: Statements._cut,
    stmt.Fold: Statements._fold,
    stmt.Unfold: Statements._fold,
    stmt.Package: Statements._package,
    stmt.Apply: Statements._apply,
    stmt.If: Statements._if,
    stmt.While: Statements._while,
    stmt.Label: Statements._label,
    stmt.Goto: Statements._goto,
    stmt.Quasihavoc: Statements._quasihavoc,
    stmt.QuasihavocAll: Statements._quasihavocall,
    stmt.Refute: Statements._refute,
}


def warn_of_ignored_invariants(findings: Findings, body: Block) -> None:
    for block in flow_graph(body).blocks:
        label = block.ignored
        if label is not None:
            message = f"Label {label.name} declares an invariant, but is not the head of a loop."
            findings.warning(
                "verifier.warning", label.span, f"{message} The invariant will be ignored."
            )
