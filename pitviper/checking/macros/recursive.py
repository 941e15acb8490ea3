"""What to write for a macro that uses itself: a function, a predicate or a method may."""

from __future__ import annotations

from pitviper.syntax import tree
from pitviper.syntax.walk import children, descendants

_ENDLESS = "a macro is replaced by its body, which has this macro in it again, without end: write "
_LONG = 100
"""Characters of a declaration that is repeated."""

_FORMULAS = (tree.And, tree.Or, tree.Comparison, tree.BoolLiteral, tree.Quantifier)
_BRANCHES = (tree.Conditional, tree.And, tree.Or)


def instead_of(define: tree.Define, others: tuple[str, ...]) -> str:
    """The declaration that may use itself; `others` are macros between two uses of it."""
    body, name = define.body, define.name.name
    if define.params is None and not isinstance(body, tree.Block):
        return f"write the value that `{name}` stands for, without `{name}` in it"
    params = [f"{p.name}: {_type_of(p.name, body)}" for p in define.params or ()]
    header = f"{name}({', '.join(params)})"
    if isinstance(body, tree.Block):
        return f"{_ENDLESS}a method, which may call itself: {_with_body('method ' + header, body)}"
    if any(isinstance(node, tree.Acc | tree.PredicateInstance) for node in descendants(body)):
        told = f"{_ENDLESS}a predicate, which may contain itself: "
        return told + _with_body(f"predicate {header}", body)
    function = f"function {header}: {_result(body, name)}"
    if others:
        each = " and ".join([f"`{other}`" for other in (name, *others)])
        return (
            f"{_ENDLESS}{each} as functions, with a smallest case in which none calls another: "
            f"`{function} {{ ... }}`"
        )
    if _has_smallest_case(body):
        told = f"{_ENDLESS}a function, which may call itself: "
        return told + _with_body(function, body)
    return (
        f"{_ENDLESS}a function, with a smallest case in which it does not call itself: "
        f"{_with_smallest_case(function, define, body)}"
    )


def _with_body(header: str, body: tree.Expr | tree.Block) -> str:
    text = " ".join(body.span.text.split())
    several = isinstance(body, tree.Block) and len(body.statements) > 1
    text = text if isinstance(body, tree.Block) else f"{{ {text} }}"
    short = len(header) + len(text) <= _LONG and not several
    return f"`{header} {text if short else '{ ... }'}`"


def _with_smallest_case(header: str, define: tree.Define, body: tree.Expr) -> str:
    """`n <= 0 ? 0 : ...`, where a number is there that may get smaller."""
    numbers = [p.name for p in define.params or () if _type_of(p.name, body) == "Int"]
    reads = any(isinstance(node, tree.FieldAccess) for node in descendants(body))
    text = " ".join(body.span.text.split())
    if not numbers or reads or len(header) + len(text) > _LONG:
        return f"`{header} {{ ... }}`"
    same = ", ".join([p.name for p in define.params or ()])
    smaller = ", ".join(
        [f"{p.name} - 1" if p.name == numbers[0] else p.name for p in define.params or ()]
    )
    name = define.name.name
    text = text.replace(f"{name}({same})", f"{name}({smaller})")
    base = {"Bool": "true"}.get(header.rpartition(": ")[2], "0")
    return f"`{header} {{ {numbers[0]} <= 0 ? {base} : {text} }}`"


def _has_smallest_case(body: tree.Expr) -> bool:
    """Whether one of several values is chosen: one of them, mostly, does not use the macro."""
    return any(
        isinstance(node, _BRANCHES) or (isinstance(node, tree.Binary) and node.op == "==>")
        for node in descendants(body)
    )


def _result(body: tree.Expr, name: str) -> str:
    match body:
        case tree.Conditional(_, then, otherwise):
            known = then if not _is_call(then, name) else otherwise
            return _result(known, name) if not _is_call(known, name) else "Int"
        case tree.Unary("!") | tree.Binary("==>" | "<==>" | "==" | "!="):
            return "Bool"
        case tree.CollectionLiteral(kind):
            return f"{kind}[Int]"
        case tree.NullLiteral():
            return "Ref"
        case _:
            return "Bool" if isinstance(body, _FORMULAS) else "Int"


def _is_call(e: tree.Expr, name: str) -> bool:
    return isinstance(e, tree.Call) and e.callee.name == name


def _type_of(name: str, body: tree.Node) -> str:
    """The type of a parameter as the body uses it."""
    for node in descendants(body):
        below = [each for each in children(node) if isinstance(each, tree.Name)]
        if not any(each.name == name for each in below):
            continue
        match node:
            case tree.FieldAccess():
                return "Ref"
            case tree.Cardinality():
                return "Seq[Int]"
            case tree.Index(tree.Name(base)) if base == name:
                return "Seq[Int]"
            case tree.And() | tree.Or() | tree.Unary("!"):
                return "Bool"
            case _ if any(isinstance(each, tree.NullLiteral) for each in children(node)):
                return "Ref"
            case _:
                pass
    return "Int"
