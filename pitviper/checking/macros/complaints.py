"""Errors in the use of macros, with their texts."""

from __future__ import annotations

from pitviper.checking.macros.scope import Argument, Use
from pitviper.checking.macros.table import Macro, MacroLog
from pitviper.source.diagnostic import Related
from pitviper.source.span import Span
from pitviper.syntax import tree

_LONG = 40


class Complaints:
    """`place` is where the expansion at work was started; None outside of expansions.

    An error is reported there. The part of a macro's body that is to blame is told as a related
    place, and is blamed once only, however often the macro is used.
    """

    def __init__(self, log: MacroLog) -> None:
        self._log = log

    def arity_fits(self, use: Use, place: Span | None) -> bool:
        """Is the number of arguments right? If not, say so."""
        params, args, name = use.macro.params, use.args, use.macro.name
        if params is None and args is not None:
            message, help = f"macro `{name}` has no parameters", f"write `{name}`"
        elif params is not None and args is None:
            message, help = f"macro `{name}` needs parentheses", f"write `{_shape(use.macro)}`"
        elif len(params or ()) != len(args or ()):
            wanted, given = _arguments(len(params or ())), len(args or ())
            message = f"macro `{name}` takes {wanted}, not {given}"
            help = _lacking(name, params or (), args or ()) or f"write `{_shape(use.macro)}`"
        else:
            return True
        self._report(use.node, place, message, (use.macro.defined_here,), help)
        return False

    def wrong_kind(self, use: Use, place: Span | None) -> None:
        name = use.macro.name
        if isinstance(use.macro.define.body, tree.Block):
            kind = "a type" if isinstance(use.node, tree.TypeName) else "an expression"
            message = f"macro `{name}` consists of statements, but is used as {kind}"
        else:
            message = f"macro `{name}` is used as a type, but its body is none"
        help = f"use it as a statement of its own, `{name}(...)`; an expression has no braces"
        body = use.macro.define.body
        if isinstance(body, tree.Block) and len(body.statements) == 1:
            only = body.statements[0]
            header = use.macro.define.span.text.partition("{")[0].strip()
            if isinstance(only, tree.ExprStatement) and len(only.span.text) <= _LONG:
                help = (
                    f"a value stands in parentheses, not in braces: `{header} ({only.span.text})`"
                )
        if isinstance(use.node, tree.TypeName):
            help = f"a macro for a type is the type alone: `define {name} Int`"
        self._report(use.node, place, message, (use.macro.defined_here,), help)

    def no_statement(self, expr: tree.Expr, macro: Macro | None, place: Span) -> None:
        """An expression other than a call stands where an expansion needs a statement."""
        if macro is not None and macro.define.body is expr:
            message = f"macro `{macro.name}` is an expression, but is used as a statement"
        else:
            message = f"`{_text(expr)}` is an expression, but is used as a statement"
        help = "only statements in braces and calls of methods can stand here"
        self._report(expr, place, message, help=help)

    def no_name(self, parameter: tree.Node, argument: Argument, place: Span) -> None:
        related = (Related(parameter.span, "the parameter stands here"),)
        message = f"`{_text(argument.expr)}` stands where the macro needs a name"
        help = "use the macro with a variable here: `var v: Int := ...`, then `v`"
        self._report(argument.expr, place, message, related, help)

    def no_type(self, parameter: tree.Node, argument: Argument, place: Span) -> None:
        related = (Related(parameter.span, "the parameter stands here"),)
        message = f"`{_text(argument.expr)}` stands where the macro needs a type"
        help = "use the macro with a type here, such as `Int`"
        self._report(argument.expr, place, message, related, help)

    def wrong_form(self, written: tree.Expr, needed: str, place: Span | None) -> None:
        """Something else than `needed` has come where only that can stand."""
        message = f"`{_text(written)}` does not stand for {needed}"
        self._report(written, place, message, help=f"write {needed} in its place")

    def hidden_variable(self, name: tree.Identifier, macro: Macro) -> None:
        message = f"variable `{name.name}` has the name of a macro, which its uses expand"
        self._log.warning(name.span, message, (macro.defined_here,))

    def _report(
        self,
        node: tree.Node,
        place: Span | None,
        message: str,
        related: tuple[Related, ...] = (),
        help: str | None = None,
    ) -> None:
        if place is None or place == node.span:
            self._log.error(node.span, message, related, help)
        elif self._log.is_first(node.span):
            here = Related(node.span, "in this part of the expansion")
            self._log.error(place, message, (here, *related), help)


def _lacking(name: str, params: tuple[str, ...], args: tuple[tree.Expr, ...]) -> str | None:
    """Which arguments are missing or too many, beside those that are there."""
    given = [_text(arg) for arg in args]
    if not given or any(len(text) > _LONG for text in given):
        return None
    if len(args) > len(params):
        return (
            f"`{name}({', '.join(params)})` has no place for `{given[len(params)]}`: leave it out"
        )
    rest = params[len(args) :]
    missing = " and ".join([f"`{each}`" for each in rest])
    shown = ", ".join([*given, *["..."] * len(rest)])
    return f"say what {missing} is, too: `{name}({shown})`"


def _shape(macro: Macro) -> str:
    return f"{macro.name}({', '.join(macro.params or ())})"


def _arguments(count: int) -> str:
    return f"{count or 'no'} argument{'' if count == 1 else 's'}"


def _text(expr: tree.Expr) -> str:
    """The text of an expression, or the beginning of a long one."""
    text = " ".join(expr.span.text.split())
    return text if len(text) <= _LONG else text[: _LONG - 3] + "..."
