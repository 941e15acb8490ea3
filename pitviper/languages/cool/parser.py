"""Tokens of the object language to a tree, with recovery at statements and members."""

from __future__ import annotations

import re
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
_TOP = {
    "import": "a file holds all that it needs: leave it out",
    "package": "a file holds all that it needs: leave it out",
    "abstract": "leave it out: a method without a body ends in `;`",
    "enum": "there are no enumerations: use numbers",
    "method": "methods stand in classes: `class C { void m() { ... } }`",
    "function": "functions are pure methods of classes: `class C { pure int f() { return ...; } }`",
    "field": "fields stand in classes: `class C { int f; }`",
    "predicate": "predicates stand in classes: `class C { predicate p() { return ...; } }`",
    "pure": "methods stand in classes: `class C { pure int f() { return ...; } }`",
    "void": "methods stand in classes: `class C { void m() { ... } }`",
    "domain": "there are no domains: write pure methods",
    **{word: f"there are no modifiers: leave `{word}` out" for word in _MODIFIERS},
}
"""Words with which a file does not go on, outside of classes."""

_CLAUSES_OF_OTHERS = {
    "throws": "there are no exceptions",
    "modifies": "a method changes what its precondition gives access to: `requires acc(x);`",
    "assignable": "a method changes what its precondition gives access to: `requires acc(x);`",
    "reads": "a pure method reads what its precondition gives access to: `requires acc(x);`",
    "invariant": "loops have invariants: say it by `requires` and `ensures`, or in a predicate",
    "returns": "the type of the result stands first: `int m()`",
    "=>": "a body stands in braces: `{ return ...; }`",
}
_INSTEAD = {
    "{": "an array is made by `new int[3]`, and its elements are assigned one by one",
    "++": "write `x := x + 1;` in a statement of its own",
    "new": "objects are made in a statement of their own: `C c := new C();`",
    "< >": "write `!=` for different",
    "< <": "there are no shifts: multiply or divide",
    "> >": "there are no shifts: multiply or divide",
    "* *": "there are no powers: write `x * x`",
    "[ *": "write `a.elems` for all elements of an array",
}
"""Where a value should stand: by the sign that stands there, or by the one in front and it."""

_BEHIND = {
    "and": "write `&&`",
    "or": "write `||`",
    "|": "write `||`",
    "xor": "write `!=` between conditions",
    "instanceof": "nobody knows the class of an object: let a pure method of its interface tell",
    "is": "write `==`",
    "mod": "write `%`",
    "div": "write `/`",
}
"""Operators of other languages."""

_FOREIGN = {
    "try": "there are no exceptions",
    "throw": "there are no exceptions: say in the contract what has to hold",
    "delete": "nothing has to be deleted: leave it out",
    "print": "a program shows nothing: say what holds by `assert`",
    "println": "a program shows nothing: say what holds by `assert`",
    "inhale": "write `assume ...;`",
    "exhale": "write `assert ...;`",
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
_WITH_PARENTHESES = frozenset(["for", "switch", "print", "println"])
_OPENING = {")": "(", "]": "[", "}": "{"}
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
    """By place; where a line has signs that are no words, other problems follow from them.

    Of these the one about the first such sign is kept (`problems` has them in front of all others),
    unless somebody knows more about that sign, or about a word in front that is no word at all.
    """
    kept: list[Diagnostic] = []
    signs: dict[int, Diagnostic] = {}
    for problem in problems:
        line = problem.span.line if problem.span is not None else 0
        first = signs.setdefault(line, problem) if line in unread else problem
        if first is problem:
            kept.append(problem)
        elif _tells_more(problem, first) and first in kept:
            kept[kept.index(first)] = problem
    return tuple(sorted(kept, key=_start_of))


def _start_of(problem: Diagnostic) -> int:
    return problem.span.start if problem.span is not None else 0


def _tells_more(problem: Diagnostic, sign: Diagnostic) -> bool:
    if problem.message.startswith(("expected a statement", "expected a class")):
        return _start_of(problem) < _start_of(sign)
    is_any = problem.message.startswith("expected")
    return not is_any and _start_of(problem) == _start_of(sign)


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
            if kind == ";":
                self._not_the_end()
                cure = cure or "statements and clauses end in `;`"
            cure = cure or f"a `{_OPENING[kind]}` before it is not closed: write `{kind}`"
            self._tell(Span(self._file, start, end), f"expected `{kind}` after this", cure)
            raise _Wrong
        self.fail(f"expected {what or f'`{kind}`'}", cure)
        raise _Wrong

    def _not_the_end(self) -> None:
        """Tells of what other languages have where a statement should end."""
        token, last = self._tokens[self._at], self._tokens[self._at - 1]
        if token.text in _BEHIND:
            self._give_up(token, f"`{token.text}` has no meaning here", _BEHIND[token.text])
        if last.kind == NUMBER and token.kind == NAME and token.start == last.end:
            self._give_up(token, "a number consists of digits", "leave out what follows them")
        before = [t.kind for t in self._tokens[max(self._at - 3, 0) : self._at]]
        if before in (["(", NAME, ")"], ["(", "int", ")"]) and token.kind in (NAME, "this", NUMBER):
            cure = "a variable of an interface holds objects of its classes as they are"
            self._give_up(self._tokens[self._at - 2], "there are no casts", cure)
        if token.kind == "[" and self.peek(1) == "]" and last.kind == NAME:
            cure = f"write the brackets after the type: `int[] {last.text}`"
            self._give_up(token, f"`{last.text}` is the name of the array", cure)

    def _give_up(self, token: Token, message: str, cure: str) -> None:
        self._tell(Span(self._file, token.start, token.end), message, cure)
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
                self._outside(main)
            if self._at == before:
                self._next()
        return tree.File(
            tuple(classes), tuple(main), span=Span(self._file, 0, len(self._file.text))
        )

    def _outside(self, main: list[tree.Stmt]) -> None:
        """A statement of the main routine; words that begin something else are left out."""
        token = self._tokens[self._at]
        if token.kind == "}":
            self._next()
            message, cure = "this brace closes nothing", "leave it out"
            self._tell(Span(self._file, token.start, token.end), message, cure)
        elif token.text in _TOP and self.peek(1) not in (":=", ".", "(", "["):
            self._tell(
                Span(self._file, token.start, token.end),
                f"expected a class or a statement, found `{token.text}`",
                _TOP[token.text],
            )
            begin = self._at
            self._next()
            while self._tokens[self._at].text in _TOP:
                self._next()
            if self.peek() not in ("class", "interface"):
                self._recover(begin)
        else:
            self._statement_into(main)

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
            if self.peek() == "(":
                cure = f"a class has no parameters: its constructor has, `{name.text}(int n) ...`"
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
        if self._tokens[self._at].text == "invariant":
            cure = "put it into a predicate: `predicate valid() { return acc(x) && x > 0; }`"
            self.fail("a class has no invariant", cure)
        if self.peek() == NAME and self.peek(1) == "(":
            word = self._tokens[self._at].text
            cure = f"write `{owner}(...)` for a constructor, and the type of its result or `void` "
            self.fail("expected the type of a method", f"{cure}before `{word}` for a method")
        kind = self._type("a field or a method")
        if self.peek() == "<":
            cure = "there are `seq<int>` for sequences and `set<int>` for sets"
            self.fail("classes have no parameters", cure)
        if self.peek(1) == "(":
            return self._method(start, "mutator", kind)
        fields = [self._field(start, kind)]
        while self._accept(","):
            fields.append(self._field(self._start(), kind))
        self._expect(";")
        return fields

    def _field(self, start: int, kind: tree.TypeName) -> tree.FieldDeclaration:
        name = self._name("the name of a field")
        if self.peek() == ":=":
            cure = "a field begins as 0, `false` or `null`: give it a value in the constructor"
            self.fail("a field is declared without a value", cure)
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
        foreign = _CLAUSES_OF_OTHERS.get(self._tokens[self._at].text)
        if body is None and foreign is not None:
            self.fail("expected `requires`, `ensures`, `{` or `;`", foreign)
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
            follows_clause = self.peek() in (*_CLAUSES, "invariant", "decreases", "{")
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
        if kind in ("++", "--"):
            self.fail("expected a statement", f"write `x{kind};`, with the sign after")
        if kind == NAME and self._tokens[self._at].text in _FOREIGN:
            self._foreign(self._tokens[self._at].text)
        if kind in _TYPE_STARTS or (kind == NAME and self._declares()):
            return self._local(start)
        return self._simple(start)

    def _foreign(self, word: str) -> None:
        """Statements of other languages; a name that is assigned or called is none."""
        if (self.peek(1) == "(") == (word in _WITH_PARENTHESES) and self.peek(1) != ":=":
            try:
                self.fail("expected a statement", self._loop_instead() or _FOREIGN[word])
            finally:
                self._skip_parentheses()

    def _skip_parentheses(self) -> None:
        """Behind the parentheses of a statement of another language, whose `;` end nothing."""
        end = self._closing()
        if end is not None:
            self._at = end + 1

    def _closing(self) -> int | None:
        """Where the parentheses are closed that follow the next token."""
        if self.peek(1) != "(":
            return None
        depth = 0
        for at in range(self._at + 1, len(self._tokens)):
            kind = self._tokens[at].kind
            depth += (kind == "(") - (kind == ")")
            if depth == 0:
                return at
            if kind in ("{", "}"):
                return None
        return None

    def _loop_instead(self) -> str | None:
        """What to write for `for (int i := 0; i < n; i++)`."""
        end = self._closing()
        if self._tokens[self._at].text != "for" or end is None:
            return None
        text, first = self._file.text, self._tokens[self._at + 2].start
        parts = text[first : self._tokens[end].start].split(";")
        if len(parts) != 3 or "\n" in text[first : self._tokens[end].start]:
            return None
        start, condition, step = [part.strip() for part in parts]
        start = re.sub(r"(?<![:=<>!])=(?!=)", ":=", start)
        loop = f"{start}; while ({condition}) invariant ...; {{ ...; {step}; }}"
        return f"there is no `for`: write `{loop}`"

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
        chosen = self.expression() if value is None and self._accept(":|") else None
        self._expect(";")
        return tree.Local(kind, name.text, value, chosen, span=self._span(start))

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
            cure = "a statement assigns or calls"
            if self.peek() in ("}", ";"):
                cure = f"{cure}; write `return {self._span(start).text};` for a result"
            self.fail("expected `:=` and a value", cure)
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
            lengths = [self.expression()]
            self._expect("]")
            dimensions = kind.dimensions + 1
            while self._accept("["):
                if self.peek() != "]" and len(lengths) == dimensions:
                    lengths.append(self.expression())
                self._expect("]", cure="no length follows a pair of empty brackets")
                dimensions += 1
            array = tree.TypeName(kind.name, kind.args, dimensions, span=kind.span)
            return tree.NewArray(array, tuple(lengths), span=self._span(start))
        cure = f"write `new {kind.name}()`, or `new {kind.name}[n]` for an array"
        self._expect("(", "`(` or `[`", cure)
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
        self._expect(":", cure="both values have to be there: `c ? a : b`")
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
                if self.peek() == NUMBER and isinstance(found, tree.Number):
                    cure = "write `1/2` for half of a permission"
                    self.fail("there are whole numbers only", cure)
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
        if self.peek() == ",":
            self.fail("expected `]`", "write `a[i][j]` for an element of a row")
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
        last = self._tokens[self._at - 1].kind if self._at else ""
        self.fail("expected an expression", _INSTEAD.get(f"{last} {kind}") or _INSTEAD.get(kind))
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
        if self.peek() == NAME and self.peek(1) in ("::", "in", ":", ","):
            name = self._tokens[self._at].text
            cure = f"write `{keyword} int {name} in 0..n :: condition`"
            self.fail("expected the type of the variable", cure)
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
