"""The consistency of one expression or assertion, in one pass over its nodes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from pitviper.checking.wellformed.findings import Findings
from pitviper.checking.wellformed.places import Feature, Found, Rules, report_forbidden
from pitviper.checking.wellformed.shapes import trigger_cure
from pitviper.program import assertion, expr
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import children, descendants, free_vars
from pitviper.source.span import Span

# Where a node stands inside a formula: a sum of these.
OUTSIDE = 0
RIGHT_OF_WAND = 1  # or in a proof script: old[lhs] has a meaning
LEFT_OF_WAND = 2
IN_PAIR = 4  # inside `[A, B]`
IN_ACCESS = 8  # inside an accessibility predicate: a wildcard has a meaning
IN_FORPERM = 16

_BOTH_SIDES = RIGHT_OF_WAND | LEFT_OF_WAND


class Formulas:
    """Checks formulas; what only some places forbid is noted in `found`."""

    __slots__ = ("_found", "_labels", "_specific_amount", "findings", "predicate_instance")

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.predicate_instance: expr.PredicateInstance | None = None
        self._found: Found = {}
        self._labels: dict[str, expr.Old] = {}
        self._specific_amount: Callable[[expr.Expr], None] = self._no_compound_wildcard

    def check(self, nodes: Iterable[Node], rules: Rules, span: Span, where: int = OUTSIDE) -> None:
        """Check the parts of a contract or a statement; `span` is where forbidden ones go."""
        for node in nodes:
            self._scan(node, where)
        if self._found:
            report_forbidden(self.findings, self._found, rules, span)
            self._found = {}

    def contract(self, node: Node, rules: Rules) -> None:
        self.check((node,), rules, node.span)

    def amounts_are_binary(self, *, binary: bool) -> None:
        """From now on, an amount says whether there is permission, not how much of it."""
        self._specific_amount = self._warn_of_amount if binary else self._no_compound_wildcard

    def take_labels(self) -> dict[str, expr.Old]:
        """The labels that old expressions have referred to since the last call."""
        labels, self._labels = self._labels, {}
        return labels

    def _scan(self, root: Node, where: int) -> None:
        """A rule goes on below its node itself, so only rules that change `where` recurse."""
        todo = [root]
        while todo:
            node = todo.pop()
            rule = _RULES.get(type(node))
            if rule is None or rule(self, node, where):
                todo.extend(children(node)[::-1])

    def _scan_all(self, nodes: Iterable[Node], where: int) -> bool:
        for node in nodes:
            self._scan(node, where)
        return False

    def _note(self, feature: Feature, node: Node) -> None:
        self._found.setdefault(feature, node)

    # ------------------------------------------------------------ rules: True means "go below"

    def _leaf(self, _node: Node, _where: int) -> bool:
        return False

    def _perm_lit(self, node: expr.PermLit, where: int) -> bool:
        if node.value is expr.PermConstant.WILDCARD and not where & IN_ACCESS:
            message = "Wildcard can only be used in accessibility predicates."
            self.findings.error(node.span, message, help=_about_wildcard(node))
        return False

    def _result(self, node: expr.Result, _where: int) -> bool:
        self._note(Feature.RESULT, node)
        return False

    def _old(self, node: expr.Old, where: int) -> bool:
        if node.label is None:
            self._note(Feature.OLD, node)
        elif node.label != "lhs":
            self._note(Feature.LABELLED_OLD, node)
            self._labels.setdefault(node.label, node)
        elif where & LEFT_OF_WAND:
            message = "old[lhs] is only allowed on the right-hand side of a wand"
            self.findings.error(node.span, f"{message} and in its proof script.")
        elif not where & RIGHT_OF_WAND:
            message = "Labelled old expressions with label lhs may only occur inside wands"
            self.findings.error(node.span, f"{message} and their proof scripts.")
        return True

    def _current_perm(self, node: expr.CurrentPerm, where: int) -> bool:
        self._note(Feature.PERM, node)
        self._permission_question(node, where)
        return self._location(node.location, where)

    def _for_perm(self, node: expr.ForPerm, where: int) -> bool:
        self._note(Feature.FORPERM, node)
        self._permission_question(node, where)
        self._some_variable(node)
        self._location(node.location, where)
        self._scan(node.body, where | IN_FORPERM)
        return False

    def _permission_question(self, node: Node, where: int) -> None:
        if not where & IN_PAIR:
            self._note(Feature.BARE_PERM, node)
        if where & IN_FORPERM:
            message = "Perm and forperm are not allowed in the body of a forperm expression."
            self.findings.error(node.span, message)

    def _location(self, node: Node, where: int) -> bool:
        """A resource that is asked about, not one that is held: a wand is no wand assertion."""
        self._note(Feature.LOCATION, node)
        if isinstance(node, assertion.Wand):
            return self._wand_sides(node, where)
        return self._scan_all(children(node), where)

    def _field_read(self, node: expr.FieldRead, _where: int) -> bool:
        self._note(Feature.LOCATION, node)
        return True

    def _pair(self, node: Node, where: int) -> bool:
        return self._scan_all(children(node), where | IN_PAIR)

    def _access(self, node: assertion.Access, where: int) -> bool:
        self._held(node.location, node.amount, where)
        return False

    def _held(self, location: Node, amount: expr.Expr, where: int) -> None:
        self._note(Feature.LOCATION, location)
        self._scan_all(children(location), where | IN_ACCESS)
        self.amount(amount, where)

    def predicate(self, node: assertion.PredicateLocation, amount: expr.Expr, where: int) -> None:
        """The operand of fold or unfold."""
        self._held(node, amount, where)

    def amount(self, amount: expr.Expr, where: int) -> None:
        if not isinstance(amount, expr.PermLit):
            self._specific_amount(amount)
            self._scan(amount, where | IN_ACCESS)

    def _unfolding(self, node: expr.Unfolding, where: int) -> bool:
        self._held(node.predicate, node.amount, where)
        self._scan(node.body, where)
        return False

    def _applying(self, node: expr.Applying, where: int) -> bool:
        self._wand_sides(node.wand, where)
        self._scan(node.body, where)
        return False

    def _asserting(self, node: expr.Asserting, _where: int) -> bool:
        self._note(Feature.ASSERTING, node)
        return True

    def _wand(self, node: assertion.Wand, where: int) -> bool:
        self._note(Feature.WAND, node)
        return self._wand_sides(node, where)

    def _wand_sides(self, node: assertion.Wand, where: int) -> bool:
        outside = where & ~_BOTH_SIDES
        self._scan(node.left, outside | LEFT_OF_WAND)
        self._scan(node.right, outside | RIGHT_OF_WAND)
        return False

    def _predicate_instance(self, node: expr.PredicateInstance, _where: int) -> bool:
        if self.predicate_instance is None:
            self.predicate_instance = node
        return True

    # ------------------------------------------------------------ quantifiers

    def _quantifier(self, node: _Quantifier, where: int) -> bool:
        self._some_variable(node)
        for trigger in node.triggers:
            self._trigger(trigger, node, where)
        if isinstance(node, assertion.QuantifiedPermission):
            self._scan(node.condition, where)
            self._scan(node.resource, where)
        else:
            self._scan(node.body, where)
        return False

    def _some_variable(self, node: _Quantifier | expr.ForPerm) -> None:
        if not node.variables:
            self.findings.error(node.span, "Quantifier must have at least one quantified variable.")

    def _trigger(self, trigger: expr.Trigger, node: _Quantifier, where: int) -> None:
        variables = node.variables
        names = [variable.name for variable in variables]
        seen: set[str] = set()
        for term in trigger.terms:
            mentioned = free_vars(term)
            seen |= mentioned
            if mentioned.isdisjoint(names):
                self._idle_term(term)
            self._trigger_term(term, where)
        for variable in variables:
            if variable.name not in seen:
                message = f"Variable {variable.name} is not mentioned in one or more triggers."
                told = "every quantified variable stands in each trigger"
                terms = _completed(trigger, node, variable)
                if terms is None:
                    told += f": add a term of the body with `{variable.name}`, after a comma"
                    self.findings.error(variable.span, message, help=told)
                else:
                    told += f": write `{{ {terms} }}`"
                    cures = trigger_cure(trigger, terms)
                    self.findings.error(variable.span, message, help=told, cures=cures)

    def _idle_term(self, term: Node) -> None:
        message = f"Trigger expression {text_of(term)} does not contain any quantified variable."
        self.findings.error(term.span, message)

    def _trigger_term(self, term: Node, where: int) -> None:
        if isinstance(term, assertion.PredicateLocation | assertion.Wand):
            self._location(term, where)
        else:
            self._scan(term, where)

    # ------------------------------------------------------------ amounts

    def _no_compound_wildcard(self, amount: expr.Expr) -> None:
        for node in descendants(amount):
            if isinstance(node, expr.PermLit) and node.value is expr.PermConstant.WILDCARD:
                message = "Wildcard occurs inside a compound expression"
                help_text = "write wildcard as the whole amount of an accessibility predicate"
                self.findings.error(amount.span, f"{message} ({_DIRECTLY}).", help=help_text)
                return

    def _warn_of_amount(self, amount: expr.Expr) -> None:
        if not _says_some_or_none(amount):
            message = f"Permission amount {text_of(amount)} in a function is treated like wildcard"
            self.findings.warning(
                "typechecker.warning",
                amount.span,
                f"{message} if positive and none otherwise.",
                "a function only reads, and any part is enough for that: write `wildcard` for the "
                "amount, which says so",
            )


def _about_wildcard(node: expr.PermLit) -> str | None:
    """What to write for an amount that is compared with, or given to a variable."""
    text = node.span.file.text
    before, behind = text[: node.span.start], text[node.span.end :]
    held = re.search(r"\bperm\(([^()]*(?:\([^()]*\))?)\)\s*(==|!=|>=|>)\s*$", before)
    if held is None:
        mirrored = re.match(r"\s*(==|!=|<=|<)\s*perm\(([^()]*(?:\([^()]*\))?)\)", behind)
        place, sign = (None, "") if mirrored is None else (mirrored[2], mirrored[1])
    else:
        place, sign = held[1], held[2]
    lead = "`wildcard` is no number, and stands only as the amount of an `acc`"
    if place is not None and sign != "!=":
        return f"{lead}: that some is held is written `perm({place}) > none`"
    target = re.search(r"(?:var\s+)?([\w$]+)\s*(?::\s*Perm\s*)?:=\s*$", before)
    if target is None:
        return None
    used = re.search(rf"acc\(([^,;\n]*),\s*{re.escape(target[1])}\s*\)", behind)
    if used is None:
        return None
    place = used[1].strip()
    return f"{lead}: write `acc({place}, wildcard)` for `acc({place}, {target[1]})`"


_DIRECTLY = "it should only occur directly in an accessibility predicate"

_Quantifier = expr.Forall | expr.Exists | assertion.QuantifiedPermission


def _completed(trigger: expr.Trigger, node: _Quantifier, missing: expr.Var) -> str | None:
    """The terms of a trigger without one of the variables, with one of the body that has it."""
    names = {variable.name for variable in node.variables}
    for term in [] if isinstance(node, assertion.QuantifiedPermission) else descendants(node.body):
        if not isinstance(term, expr.FunctionApp | expr.DomainApp):
            continue
        plain = all(isinstance(arg, expr.Var) for arg in term.args)
        if plain and missing.name in free_vars(term) <= names:
            return ", ".join([*map(text_of, trigger.terms), text_of(term)])
    return None


def _says_some_or_none(amount: expr.Expr) -> bool:
    if isinstance(amount, expr.Conditional):
        return _says_some_or_none(amount.then) and _says_some_or_none(amount.otherwise)
    return isinstance(amount, expr.PermLit)


_RULES: Mapping[type, Callable[..., bool]] = {
    expr.IntLit: Formulas._leaf,
    expr.BoolLit: Formulas._leaf,
    expr.NullLit: Formulas._leaf,
    expr.Var: Formulas._leaf,
    expr.PermLit: Formulas._perm_lit,
    expr.Result: Formulas._result,
    expr.Old: Formulas._old,
    expr.CurrentPerm: Formulas._current_perm,
    expr.ForPerm: Formulas._for_perm,
    expr.FieldRead: Formulas._field_read,
    expr.InhaleExhaleExpr: Formulas._pair,
    expr.Unfolding: Formulas._unfolding,
    expr.Applying: Formulas._applying,
    expr.Asserting: Formulas._asserting,
    expr.Forall: Formulas._quantifier,
    expr.Exists: Formulas._quantifier,
    expr.PredicateInstance: Formulas._predicate_instance,
    assertion.Access: Formulas._access,
    assertion.Wand: Formulas._wand,
    assertion.QuantifiedPermission: Formulas._quantifier,
    assertion.InhaleExhale: Formulas._pair,
}
"""The classes with a rule of their own; below all others the pass just goes on."""
