"""Tokens of the object language to a tree, with recovery at statements and members."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pitviper.base.record import record
from pitviper.languages.cool import tree
from pitviper.languages.cool.lexer import END, NAME, NUMBER, Token, lex
from pitviper.program.node import Node
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import SourceFile, Span

MOST_NESTED = 100
"""Expressions and blocks that stand inside each other; more of them are a mistake."""

T = TypeVar("T")

OPERATORS = frozenset(
    "<==> ==> || && == != < <= > >= in + - ++ union intersection setminus * / %".split()
)
_TYPE_STARTS = frozenset(["int", "bool", "seq", "set"])
_CONSTANTS = frozenset("true false null this result write none wildcard".split())
_STATEMENTS = frozenset("if while assert assume join open close use return".split())
_MODIFIERS = frozenset("public private protected static final const virtual override".split())
_FOREIGN = {
    "for": "there is no `for`: write `int i := 0; while (i < n) invariant ...; { ...; i++; }`",
    "switch": "there is no `switch`: write `if ... else if ...`",
    "var": "say the type: `int x := 0;`",
    "let": "say the type: `int x := 0;`",
    "do": "write the body once before a `while` loop",
    "fold": "predicates are closed: `close valid();`",
    "unfold": "predicates are opened: `open valid();`",
    "break": "there is no `break`: put it into the condition of the loop",
    "continue": "there is no `continue`: put what follows into an `if`",
}
_WITH_PARENTHESES = frozenset(["for", "switch"])
_CLAUSES = frozenset(["requires", "ensures", "decreases"])


class _Wrong(Exception):
    """A construct cannot be parsed; what is wrong has been told."""


@record
class Parsed:
    """The tree holds what could be parsed."""

    tree: tree.File
    diagnostics: tuple[Diagnostic, ...]
    comments: tuple[Token, ...] = ()
    tokens: tuple[Token, ...] = ()


def parse(file: SourceFile) -> Parsed:
    """The tree of a file and all that is wrong with its form."""
    tokens, comments, problems = lex(file)
    unread = {problem.span.line for problem in problems if problem.span is not None}
    parser = _Parser(file, tokens, problems)
    parsed = parser.file()
    found = _without_followers(problems, unread)
    return Parsed(parsed, found, tuple(comments), tuple(tokens))


def _without_followers(problems: list[Diagnostic], unread: set[int]) -> tuple[Diagnostic, ...]:
    """By place; where a line has signs that are no words, other problems follow from them."""
    found: list[Diagnostic] = []
    told: set[int] = set()
    for problem in sorted(problems, key=lambda problem: problem.span.start if problem.span else 0):
        line = problem.span.line if problem.span is not None else 0
        if line not in unread or line not in told:
            found.append(problem)
        told.add(line)
    return tuple(found)


def parse_input(file: SourceFile, text: str) -> tuple[tree.Expr | None, tuple[Diagnostic, ...]]:
    """The expression that is typed in, or what is wrong with it; `text` stands for the file's.

    It may name earlier states, `old[label](e)`.
    """
    tokens, _, problems = lex(SourceFile(file.path, text))
    parser = _Parser(file, tokens, problems)
    parser.has_labels = True
    return _whole(parser, problems)


def _whole(
    parser: _Parser, problems: list[Diagnostic]
) -> tuple[tree.Expr | None, tuple[Diagnostic, ...]]:
    try:
        found = parser.expression()
        if parser.peek() != END:
            parser.fail("the expression should end here")
    except _Wrong:
        return None, tuple(problems)
    return (None, tuple(problems)) if problems else (found, ())


class _Parser:
    has_labels = False

    def __init__(self, file: SourceFile, tokens: list[Token], problems: list[Diagnostic]) -> None:
        self._file = file
        self._tokens = tokens
        self._problems = problems
        self._at = 0
        self._depth = 0

    # ------------------------------------------------------------ tokens

    def peek(self, ahead: int = 0) -> str:
        return self._tokens[min(self._at + ahead, len(self._tokens) - 1)].kind

    def _next(self) -> Token:
        token = self._tokens[self._at]
        if token.kind != END:
            self._at += 1
        return token

    def _accept(self, kind: str) -> bool:
        if self.peek() != kind:
            return False
        self._next()
        return True

    def _expect(self, kind: str, what: str | None = None, cure: str | None = None) -> Token:
        if self.peek() == kind:
            return self._next()
        if kind in (";", ")", "]", "}") and self._at > 0:
            end = self._tokens[self._at - 1].end
            start = self._tokens[self._at - 1].start
            if kind == ";" and cure is None:
                cure = "statements and clauses end in `;`"
            self._tell(Span(self._file, start, end), f"expected `{kind}` behind this", cure)
            raise _Wrong
        self.fail(f"expected {what or f'`{kind}`'}", cure)
        raise _Wrong

    def fail(self, message: str, cure: str | None = None) -> None:
        """Tells what is wrong at the next token, and gives up the construct."""
        token = self._tokens[self._at]
        found = "the end of the file" if token.kind == END else f"`{token.text}`"
        self._tell(Span(self._file, token.start, token.end), f"{message}, found {found}", cure)
        raise _Wrong

    def _tell(self, span: Span, message: str, cure: str | None) -> None:
        problem = Diagnostic("parser.error", Severity.ERROR, span, message, help=cure)
        self._problems.append(problem)

    def _name(self, what: str = "a name") -> Token:
        token = self._tokens[self._at]
        if token.kind != NAME and token.text.isidentifier():
            self.fail(f"expected {what}", f"`{token.text}` is a word of the language")
        return self._expect(NAME, what)

    def _start(self) -> int:
        return self._tokens[self._at].start

    def _span(self, start: int) -> Span:
        return Span(self._file, start, self._tokens[max(self._at - 1, 0)].end)

    def _nested(self, parse: Callable[[], T]) -> T:
        self._depth += 1
        try:
            if self._depth > MOST_NESTED:
                self.fail("this is nested too deeply", "give a part of it a name of its own")
            return parse()
        finally:
            self._depth -= 1

    # ------------------------------------------------------------ declarations

    def file(self) -> tree.File:
        classes: list[tree.ClassDeclaration] = []
        main: list[tree.Stmt] = []
        while self.peek() != END:
            before = self._at
            if self.peek() in ("class", "interface"):
                found = self._class()
                if found is not None:
                    classes.append(found)
            else:
                self._statement_into(main)
            if self._at == before:
                self._next()
        return tree.File(
            tuple(classes), tuple(main), span=Span(self._file, 0, len(self._file.text))
        )

    def _class(self) -> tree.ClassDeclaration | None:
        start = self._start()
        is_interface = self._next().kind == "interface"
        try:
            name = self._name("the name of the class")
            implements = []
            if self._accept("implements"):
                implements.append(self._plain_name("the name of an interface"))
                while self._accept(","):
                    implements.append(self._plain_name("the name of an interface"))
            cure = None
            if self._tokens[self._at].text == "extends":
                cure = "classes do not inherit: `implements` names the interfaces of a class"
            self._expect("{", cure=cure)
        except _Wrong:
            self._skip_to(("class", "interface"))
            return None
        fields: list[tree.FieldDeclaration] = []
        methods: list[tree.MethodDeclaration] = []
        while self.peek() not in ("}", END, "class", "interface"):
            self._member_into(name.text, fields, methods)
        if not self._accept("}"):
            span = Span(self._file, name.start, name.end)
            self._tell(span, f"class `{name.text}` is not closed", "write `}` at its end")
        return tree.ClassDeclaration(
            is_interface, name.text, tuple(implements), tuple(fields), tuple(methods),
            self._place(name), span=self._span(start),
        )  # fmt: skip

    def _place(self, token: Token) -> Node:
        return Node(span=Span(self._file, token.start, token.end))

    def _plain_name(self, what: str) -> tree.Name:
        token = self._name(what)
        return tree.Name(token.text, span=Span(self._file, token.start, token.end))

    def _member_into(
        self,
        owner: str,
        fields: list[tree.FieldDeclaration],
        methods: list[tree.MethodDeclaration],
    ) -> None:
        before = self._at
        try:
            found = self._member(owner)
            if isinstance(found, tree.MethodDeclaration):
                methods.append(found)
            else:
                fields.extend(found)
        except _Wrong:
            self._recover(before)

    def _member(self, owner: str) -> tree.MethodDeclaration | list[tree.FieldDeclaration]:
        start = self._start()
        self._accept("abstract")
        if self.peek() == NAME and self._tokens[self._at].text in _MODIFIERS:
            word = self._tokens[self._at].text
            self.fail("expected a field or a method", f"there are no modifiers: leave `{word}` out")
        if self.peek() == NAME and self._tokens[self._at].text == owner and self.peek(1) == "(":
            return self._method(start, "constructor", None)
        if self._accept("pure"):
            return self._method(start, "pure", self._type())
        if self._accept("predicate"):
            return self._method(start, "predicate", None)
        if self._accept("void"):
            return self._method(start, "mutator", None)
        kind = self._type("a field or a method")
        if self.peek(1) == "(":
            return self._method(start, "mutator", kind)
        fields = [self._field(start, kind)]
        while self._accept(","):
            fields.append(self._field(self._start(), kind))
        self._expect(";")
        return fields

    def _field(self, start: int, kind: tree.TypeName) -> tree.FieldDeclaration:
        name = self._name("the name of a field")
        return tree.FieldDeclaration(kind, name.text, span=self._span(start))

    def _method(
        self, start: int, kind: str, result: tree.TypeName | None
    ) -> tree.MethodDeclaration:
        name = self._name("the name of the method")
        self._expect("(")
        params = self._separated(")", self._param)
        clauses = []
        while self.peek() in _CLAUSES:
            clauses.append(self._clause())
        body = self._block() if self.peek() == "{" else None
        if body is None and not self._accept(";") and not clauses:
            self._expect("{", "`{` or `;`", "a method has a body, or ends in `;`")
        return tree.MethodDeclaration(
            kind, result, name.text, tuple(params), tuple(clauses), body, self._place(name),
            span=self._span(start),
        )  # fmt: skip

    def _clause(self) -> tree.Clause:
        start = self._start()
        keyword = self._next().kind
        assertion = self.expression()
        self._expect(";", cure="each clause of a contract ends in `;`")
        return tree.Clause(keyword, assertion, span=self._span(start))

    def _param(self) -> tree.Param:
        start = self._start()
        kind = self._type("a parameter, as in `int n`")
        name = self._name("the name of the parameter")
        return tree.Param(kind, name.text, span=self._span(start))

    def _type(self, what: str = "a type") -> tree.TypeName:
        start = self._start()
        args: tuple[tree.TypeName, ...] = ()
        if self.peek() in ("int", "bool"):
            name = self._next().text
        elif self.peek() in ("seq", "set"):
            name = self._next().text
            self._expect("<", cure=f"write `{name}<int>` for a {name} of numbers")
            args = (self._type(),)
            self._expect(">")
        else:
            name = self._name(what).text
        dimensions = 0
        while self.peek() == "[" and self.peek(1) == "]":
            self._next()
            self._next()
            dimensions += 1
        return tree.TypeName(name, args, dimensions, span=self._span(start))

    def _separated(self, end: str, parse: Callable[[], T]) -> list[T]:
        found: list[T] = []
        if not self._accept(end):
            found.append(parse())
            while self._accept(","):
                found.append(parse())
            self._expect(end)
        return found

    # ------------------------------------------------------------ recovery

    def _skip_to(self, kinds: tuple[str, ...]) -> None:
        while self.peek() not in (*kinds, END):
            self._next()

    def _recover(self, before: int) -> None:
        """Goes on behind the next `;` or block that ends at the level where the construct began."""
        if self._at == before:
            self._next()
        depth = 0
        for token in self._tokens[before : self._at]:
            depth += (token.kind == "{") - (token.kind == "}")
        depth = max(depth, 0)
        while self.peek() != END:
            kind = self.peek()
            if depth == 0 and kind in ("}", "class", "interface"):
                return
            self._next()
            depth += (kind == "{") - (kind == "}")
            follows_clause = self.peek() in _CLAUSES or self.peek() == "{"
            if depth == 0 and (kind == "}" or (kind == ";" and not follows_clause)):
                return

    # ------------------------------------------------------------ statements

    def _block(self) -> tree.Block:
        start = self._expect("{").start
        found: list[tree.Stmt] = []
        while self.peek() not in ("}", END):
            self._statement_into(found)
        self._expect("}")
        return tree.Block(tuple(found), span=self._span(start))

    def _statement_into(self, found: list[tree.Stmt]) -> None:
        before = self._at
        try:
            statement = self._nested(self._statement)
            if statement is not None:
                found.append(statement)
        except _Wrong:
            self._recover(before)

    def _statement(self) -> tree.Stmt | None:
        start = self._start()
        kind = self.peek()
        if kind == "{":
            return self._block()
        if self._accept(";"):
            return None
        if kind in _STATEMENTS:
            return self._keyword_statement(start, self._next().kind)
        if kind == NAME and self._tokens[self._at].text in _FOREIGN:
            self._foreign(self._tokens[self._at].text)
        if kind in _TYPE_STARTS or (kind == NAME and self._declares()):
            return self._local(start)
        return self._simple(start)

    def _foreign(self, word: str) -> None:
        """Statements of other languages; a name that is assigned or called is none."""
        if (self.peek(1) == "(") == (word in _WITH_PARENTHESES) and self.peek(1) != ":=":
            self.fail("expected a statement", _FOREIGN[word])

    def _declares(self) -> bool:
        """`C x` or `C[] x`."""
        at = 1
        while self.peek(at) == "[" and self.peek(at + 1) == "]":
            at += 2
        return self.peek(at) == NAME

    def _keyword_statement(self, start: int, keyword: str) -> tree.Stmt:
        match keyword:
            case "if":
                return self._if(start)
            case "while":
                return self._while(start)
            case "return":
                value = None if self.peek() == ";" else self._value()
                self._expect(";")
                return tree.Return(value, span=self._span(start))
            case "open" | "close" | "use":
                target = self.expression()
                self._expect(";")
                return tree.Ghost(keyword, target, span=self._span(start))
            case _:
                assertion = self.expression()
                self._expect(";")
                return tree.Claim(keyword, assertion, span=self._span(start))

    def _if(self, start: int) -> tree.Branch:
        self._expect("(", cure="write the condition in parentheses")
        condition = self.expression()
        self._expect(")")
        then = self._body()
        otherwise = None
        if self._accept("else"):
            otherwise = self._body()
        return tree.Branch(condition, then, otherwise, span=self._span(start))

    def _body(self) -> tree.Block:
        if self.peek() == "{":
            return self._block()
        start = self._start()
        statement = self._nested(self._statement)
        inside = () if statement is None else (statement,)
        return tree.Block(inside, span=self._span(start))

    def _while(self, start: int) -> tree.Loop:
        self._expect("(", cure="write the condition in parentheses")
        condition = self.expression()
        self._expect(")")
        invariants: list[tree.Expr] = []
        measures: list[tree.Expr] = []
        while self.peek() in ("invariant", "decreases"):
            (invariants if self._next().kind == "invariant" else measures).append(self.expression())
            self._expect(";", cure="each invariant ends in `;`")
        body = self._block()
        return tree.Loop(
            condition, tuple(invariants), tuple(measures), body, span=self._span(start)
        )

    def _local(self, start: int) -> tree.Local:
        kind = self._type()
        name = self._name("the name of the variable")
        value = self._value() if self._accept(":=") else None
        self._expect(";")
        return tree.Local(kind, name.text, value, span=self._span(start))

    def _simple(self, start: int) -> tree.Stmt:
        target = self._postfix()
        if self._accept(":="):
            value = self._value()
            self._expect(";")
            return tree.Assignment(target, value, span=self._span(start))
        if self._accept(":|"):
            condition = self.expression()
            self._expect(";")
            return tree.Such(target, condition, span=self._span(start))
        if self.peek() in ("++", "--"):
            token = self._next()
            self._expect(";")
            span = self._span(start)
            one = tree.Number(1, span=span)
            operator = tree.Operator(token.text[0], span=span)
            value = tree.Chain((target, one), (operator,), span=span)
            return tree.Assignment(target, value, span=span)
        if not isinstance(target, tree.Invoke):
            self.fail("expected `:=` and a value", "a statement assigns or calls")
        self._expect(";")
        return tree.Call(target, span=self._span(start))

    def _value(self) -> tree.Value:
        start = self._start()
        if self._accept("new"):
            return self._new(start)
        if self.peek() == "*" and self.peek(1) == ";":
            self._next()
            return tree.Anything(span=self._span(start))
        return self.expression()

    def _new(self, start: int) -> tree.NewObject | tree.NewArray:
        kind = self._type("a class or the type of the elements")
        if self._accept("["):
            length = self.expression()
            self._expect("]")
            dimensions = kind.dimensions + 1
            while self._accept("["):
                self._expect("]", cure="arrays of arrays are made one by one")
                dimensions += 1
            array = tree.TypeName(kind.name, kind.args, dimensions, span=kind.span)
            return tree.NewArray(array, length, span=self._span(start))
        self._expect("(", "`(` or `[`")
        args = self._separated(")", self.expression)
        return tree.NewObject(kind.name, tuple(args), span=self._span(start))

    # ------------------------------------------------------------ expressions

    def expression(self) -> tree.Expr:
        return self._nested(self._expression)

    def _expression(self) -> tree.Expr:
        start = self._start()
        if self.peek() in ("forall", "exists"):
            return self._quantifier(start)
        if self.peek() in ("opening", "using"):
            return self._opening(start)
        condition = self._chain(start)
        if not self._accept("?"):
            return condition
        then = self.expression()
        self._expect(":")
        otherwise = self.expression()
        return tree.Ternary(condition, then, otherwise, span=self._span(start))

    def _chain(self, start: int) -> tree.Expr:
        operands = [self._unary()]
        operators = []
        while self.peek() in OPERATORS:
            token = self._next()
            place = Span(self._file, token.start, token.end)
            operators.append(tree.Operator(token.kind, span=place))
            if self.peek() in ("forall", "exists", "opening", "using"):
                operands.append(self.expression())
                break
            operands.append(self._unary())
        if not operators:
            return operands[0]
        return tree.Chain(tuple(operands), tuple(operators), span=self._span(start))

    def _unary(self) -> tree.Expr:
        start = self._start()
        if self.peek() in ("!", "-"):
            operator = self._next().kind
            operand = self._nested(self._unary)
            return tree.Prefix(operator, operand, span=self._span(start))
        return self._postfix()

    def _postfix(self) -> tree.Expr:
        start = self._start()
        found = self._primary(start)
        while self.peek() in (".", "["):
            if self._accept("."):
                name = self._name("a member")
                if self._accept("("):
                    args = self._separated(")", self.expression)
                    found = tree.Invoke(found, name.text, tuple(args), span=self._span(start))
                else:
                    found = tree.Select(found, name.text, span=self._span(start))
            else:
                self._next()
                found = self._bracket(found, start)
        return found

    def _bracket(self, base: tree.Expr, start: int) -> tree.Expr:
        low = None if self.peek() == ".." else self.expression()
        if self._accept(".."):
            high = None if self.peek() == "]" else self.expression()
            self._expect("]")
            return tree.Slice(base, low, high, span=self._span(start))
        assert low is not None
        if self._accept(":="):
            value = self.expression()
            self._expect("]")
            return tree.Update(base, low, value, span=self._span(start))
        self._expect("]")
        return tree.Index(base, low, span=self._span(start))

    def _primary(self, start: int) -> tree.Expr:
        kind = self.peek()
        if kind == NUMBER:
            return tree.Number(int(self._next().text), span=self._span(start))
        if kind in _CONSTANTS:
            return tree.Constant(self._next().text, span=self._span(start))
        if kind == NAME:
            name = self._next().text
            if self._accept("("):
                args = self._separated(")", self.expression)
                return tree.Invoke(None, name, tuple(args), span=self._span(start))
            return tree.Name(name, span=self._span(start))
        match kind:
            case "(":
                self._next()
                inside = self.expression()
                self._expect(")")
                return inside
            case "|":
                self._next()
                operand = self.expression()
                self._expect("|")
                return tree.Size(operand, span=self._span(start))
            case "seq" | "set":
                type_ = self._type()
                self._expect("(", cure=f"write `{kind}<int>(1, 2)` for the elements 1 and 2")
                elements = self._separated(")", self.expression)
                return tree.Collection(type_, tuple(elements), span=self._span(start))
            case "old" | "untouched" | "acc":
                return self._state(start)
            case "forall" | "exists" | "opening" | "using":
                return self.expression()
        self.fail("expected an expression")
        raise _Wrong

    def _state(self, start: int) -> tree.Expr:
        keyword = self._next().kind
        label = None
        if keyword == "old" and self.has_labels and self._accept("["):
            label = self._name("the name of a state").text
            self._expect("]")
        self._expect("(")
        inside = self.expression()
        amount = None
        if keyword == "acc" and self._accept(","):
            amount = self.expression()
        self._expect(")")
        span = self._span(start)
        if keyword == "old":
            return tree.OldValue(inside, label, span=span)
        if keyword == "untouched":
            return tree.UntouchedState(inside, span=span)
        return tree.Permission(inside, amount, span=span)

    def _opening(self, start: int) -> tree.Expr:
        keyword = self._next().kind
        target = self._postfix()
        self._expect("in")
        body = self.expression()
        return tree.Opening(keyword, target, body, span=self._span(start))

    def _quantifier(self, start: int) -> tree.Expr:
        keyword = self._next().kind
        variable = self._param()
        low = high = domain = None
        if self._accept("in"):
            domain = self._chain(self._start())
            if self._accept(".."):
                low, domain = domain, None
                high = self._chain(self._start())
        self._expect("::", cure=f"write `{keyword} int i in 0..n :: condition`")
        body = self.expression()
        return tree.Quantifier(keyword, variable, low, high, domain, body, span=self._span(start))
