"""Models as text: one line an instruction, for people."""

from __future__ import annotations

from pitviper.engines.explore.model import program as mp
from pitviper.engines.explore.model.term import Fresh, Literal, Local, Operation, Term

_INFIX = {
    "add": "+", "sub": "-", "mul": "*", "div": "\\", "mod": "%", "fraction": "/", "less": "<",
    "at_most": "<=", "equal": "==", "differ": "!=", "and": "&&", "or": "||", "implies": "==>",
    "append": "++",
}  # fmt: skip


def term_text(term: Term) -> str:
    match term:
        case Literal(value):
            return "null" if value is None else str(value)
        case Local(name):
            return name
        case Fresh(kind, hint):
            return f"fresh {kind} {hint}"
        case Operation("size", (operand,)):
            return f"|{term_text(operand)}|"
        case Operation("index", (operand, at)):
            return f"{_inner(operand)}[{term_text(at)}]"
        case Operation("not", (operand,)):
            return f"!{_inner(operand)}"
        case Operation(operator, args, _, tag):
            if operator in _INFIX and len(args) > 1:
                return f" {_INFIX[operator]} ".join(map(_inner, args))
            name = f"{operator} {tag}" if tag else operator
            return f"{name}({', '.join(map(term_text, args))})"


def _inner(term: Term) -> str:
    is_infix = isinstance(term, Operation) and term.operator in _INFIX and len(term.args) > 1
    return f"({term_text(term)})" if is_infix else term_text(term)


def instruction_text(instruction: mp.Instruction) -> str:
    match instruction:
        case mp.Assign(target, value):
            return f"{target.name} := {term_text(value)}"
        case mp.Branch(Literal(), target):
            return f"goto {target}"
        case mp.Branch(condition, target):
            return f"if {term_text(condition)} goto {target}"
        case mp.Call(method, args, targets):
            to = f"{', '.join(t.name for t in targets)} := " if targets else ""
            return f"{to}call {method}({', '.join(map(term_text, args))})"
        case mp.Constraint(kind, condition, blame):
            code = "" if blame is None else f"  // {blame.error}:{blame.reason}"
            return f"{kind.value} {term_text(condition)}{code}"
        case mp.Return():
            return "return"


def method_text(method: mp.Method) -> str:
    params = ", ".join(f"{p.name}: {p.type}" for p in method.params)
    results = ", ".join(f"{r.name}: {r.type}" for r in method.results)
    head = f"method {method.name}({params}) returns ({results})"
    lines = [f"{n:4}  {instruction_text(i)}" for n, i in enumerate(method.instructions)]
    return "\n".join([head, *lines])


def model_text(model: mp.Model) -> str:
    return "\n\n".join([method_text(m) for m in model.methods.values()]) + "\n"
