"""What the names of a text mean: where each is declared, and where it is used.

The index is made of the tokens and of the tree as far as it could be parsed, so a program that is
half written has one, too. Names in Viper are not shadowed but by binders, so the declaration with
the smallest scope around a place is the one that is meant.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from pitviper.base.record import record, replace
from pitviper.source.span import SourceFile, Span
from pitviper.syntax import tree
from pitviper.syntax.parse.lexer import lex
from pitviper.syntax.token import KEYWORDS, NAME, Tokens
from pitviper.syntax.walk import children

_MEMBERS = ("method", "function", "predicate", "domain", "adt", "macro")


@record
class Declaration:
    """A declared name: `place` is the name itself, `whole` what declares it.

    `scope` is where the name means this, None for a name of the whole program. `member` is the
    name of the declaration around it.
    """

    name: str
    kind: str
    place: Span
    whole: Span
    scope: Span | None
    text: str
    member: str | None = None
    params: tuple[str, ...] | None = None
    inside: str | None = None
    """The domain or data type that a name of the whole program is declared in."""

    @property
    def is_selected(self) -> bool:
        """Whether the name is written behind a dot."""
        return self.kind in ("field", "destructor")


@record
class Index:
    """Declarations of a text and of what it imports, and the names in the text in their order."""

    source: SourceFile
    declarations: tuple[Declaration, ...]
    by_name: dict[str, list[Declaration]]
    part: tuple[int, int] | None = None
    """Where the tokens stand that are looked at; None for the whole text."""

    @property
    def words(self) -> frozenset[str]:
        """The keywords of the language."""
        return KEYWORDS

    @property
    def tokens(self) -> Tokens:
        """The tokens of the text, made when somebody asks first."""
        return _tokens_of(self.source, self.part)

    def near(self, offset: int) -> Index:
        """Returns the index for a question about one place: only the member there is read."""
        for declared in self.members():
            if declared.whole.start <= offset <= declared.whole.end:
                return replace(self, part=(declared.whole.start, declared.whole.end))
        return self

    def after_edit(
        self,
        source: SourceFile,
        new: Iterable[tree.Member],
        place_now: Callable[[int], int | None],
    ) -> Index:
        """Returns the index of an edited text: `new` are the members in the text that changed."""
        found: list[Declaration] = []
        added = [d for member in new for d in _of_member(member, source)]
        begin = min([d.whole.start for d in added], default=0)
        for declared in self.declarations:
            if declared.whole.file is not self.source:
                found.append(declared)
                continue
            now = place_now(declared.whole.start)
            if added and (now is None or now >= begin):
                found.extend(added)
                added = []
            if now is not None:
                found.append(_moved(declared, source, now - declared.whole.start))
        return _index(source, [*found, *added])

    def members(self) -> Iterator[Declaration]:
        """Returns the declarations of the text that are members, with a name of their own."""
        for declared in self.declarations:
            is_member = declared.kind in _MEMBERS and declared.inside is None
            if is_member and declared.whole.file is self.source:
                yield declared

    def member_at(self, offset: int) -> str | None:
        """Returns the name of the member around a place."""
        for declared in self.members():
            if declared.whole.start <= offset <= declared.whole.end:
                return declared.name
        return None

    def name_at(self, offset: int) -> int | None:
        """Returns the number of the name token at an offset, or just before it."""
        at = bisect_right(self.tokens.starts, offset) - 1
        for candidate in (at, at - 1):
            is_name = candidate >= 0 and self.tokens.kinds[candidate] == NAME
            if is_name and offset <= self.tokens.ends[candidate]:
                return candidate
        return None

    def meaning(self, at: int) -> Declaration | None:
        """Returns what a name token refers to."""
        name, offset = self.tokens.text(at), self.tokens.starts[at]
        selected = at > 0 and self.tokens.kinds[at - 1] == "."
        best: Declaration | None = None
        for declared in self.by_name.get(name, ()):
            if not self._is_visible(declared, offset, selected=selected):
                continue
            if best is None or _size(declared) < _size(best):
                best = declared
        return best

    def _is_visible(self, declared: Declaration, offset: int, *, selected: bool) -> bool:
        if selected:
            return declared.is_selected
        scope = declared.scope
        if scope is None:
            return declared.kind != "destructor"
        return scope.file is self.source and scope.start <= offset <= scope.end

    def uses(self, declared: Declaration) -> list[Span]:
        """Returns the places in the text where a declaration is meant, its own among them."""
        return [
            Span(self.source, self.tokens.starts[at], self.tokens.ends[at])
            for at, kind in enumerate(self.tokens.kinds)
            if kind == NAME and self.tokens.text(at) == declared.name
            if self.meaning(at) is declared
        ]

    def visible_at(self, offset: int) -> Iterator[Declaration]:
        """Returns what can be named at a place, names behind dots left out."""
        for declared in self.declarations:
            if self._is_visible(declared, offset, selected=False):
                yield declared


def index_of(source: SourceFile, members: Iterable[tree.Member]) -> Index:
    """Returns the index of a text; `members` are those of its imports, too."""
    return _index(source, [d for member in members for d in _of_member(member, source)])


def _index(source: SourceFile, found: list[Declaration]) -> Index:
    by_name: dict[str, list[Declaration]] = {}
    for declared in found:
        by_name.setdefault(declared.name, []).append(declared)
    return Index(source, tuple(found), by_name)


@lru_cache(maxsize=8)
def _tokens_of(source: SourceFile, part: tuple[int, int] | None) -> Tokens:
    if part is None:
        return lex(source)[0]
    begin, end = part
    found = lex(SourceFile(source.path, source.text[begin:end]))[0]
    return Tokens(
        source,
        found.kinds,
        [at + begin for at in found.starts],
        [at + begin for at in found.ends],
        [(first + begin, last + begin) for first, last in found.comments],
    )


def _moved(declared: Declaration, source: SourceFile, by: int) -> Declaration:
    """The same declaration in an edited text."""
    place, whole, scope = declared.place, declared.whole, declared.scope
    return Declaration(
        declared.name,
        declared.kind,
        Span(source, place.start + by, place.end + by),
        Span(source, whole.start + by, whole.end + by),
        None if scope is None else Span(source, scope.start + by, scope.end + by),
        declared.text,
        declared.member,
        declared.params,
        declared.inside,
    )


def _size(declared: Declaration) -> int:
    scope = declared.scope
    return 1 << 60 if scope is None else scope.end - scope.start


def _of_member(member: tree.Member, source: SourceFile) -> Iterator[Declaration]:
    match member:
        case tree.Import():
            return
        case tree.FieldDeclaration(fields):
            for field in fields:
                yield _global("field", field.name, member, f"field {_binding(field)}")
        case tree.Domain():
            yield from _of_domain(member)
        case tree.Adt():
            yield from _of_adt(member)
        case tree.Define(name, params):
            texts = None if params is None else tuple(p.name for p in params)
            yield _global("macro", name, member, _head(member), texts)
            for param in params or ():
                yield _local("parameter", param, member.span, f"parameter {param.name}", name)
        case _:
            yield _callable(member)
    if isinstance(member, tree.FieldDeclaration | tree.Domain):
        return
    if member.span.file is source:
        yield from _of_body(member, member.span, member.name)


def _callable(member: tree.Method | tree.Function | tree.Predicate) -> Declaration:
    kind = type(member).__name__.lower()
    return _global(
        kind, member.name, member, _head(member), tuple(_binding(p) for p in member.params)
    )


def _of_domain(member: tree.Domain) -> Iterator[Declaration]:
    yield _global("domain", member.name, member, _first_line(member))
    for param in member.type_params or ():
        yield _local("type", param, member.span, f"type parameter {param.name}", member.name)
    for inner in member.members:
        if isinstance(inner, tree.DomainFunction):
            params = tuple(p.span.text for p in inner.params)
            text = inner.span.text.rstrip()
            declared = _global("function", inner.name, inner, text, params)
            yield replace(declared, inside=member.name.name)
            for parameter in inner.params:
                if parameter.name is not None:
                    text = parameter.span.text
                    yield _local("parameter", parameter.name, inner.span, text, inner.name)
        elif inner.name is not None:
            yield _global("axiom", inner.name, inner, f"axiom {inner.name.name}")
        yield from _of_body(inner, inner.span, member.name)


def _of_adt(member: tree.Adt) -> Iterator[Declaration]:
    yield _global("adt", member.name, member, member.span.text)
    for param in member.type_params or ():
        yield _local("type", param, member.span, f"type parameter {param.name}", member.name)
    for constructor in member.constructors:
        texts = tuple(_binding(p) for p in constructor.params)
        yield _global("constructor", constructor.name, constructor, constructor.span.text, texts)
        for binding in constructor.params:
            text = f"{member.name.name}.{_binding(binding)}"
            yield _global("destructor", binding.name, binding, text)


def _of_body(node: tree.Node, scope: Span, around: tree.Identifier | None) -> Iterator[Declaration]:
    """Variables and labels that are declared inside, without recursion: trees may be deep."""
    todo: list[tuple[tree.Node, Span]] = [(node, scope)]
    while todo:
        current, inside = todo.pop()
        match current:
            case tree.Method(_, params, returns):
                for binding in params:
                    yield _variable("parameter", binding, inside, around)
                for binding in returns or ():
                    yield _variable("result", binding, inside, around)
            case tree.Function(_, params) | tree.Predicate(_, params):
                for binding in params:
                    yield _variable("parameter", binding, inside, around)
            case tree.Block():
                inside = current.span
            case tree.VarDeclaration(variables):
                later = Span(inside.file, current.span.start, inside.end)
                for binding in variables:
                    yield _variable("variable", binding, later, around)
            case tree.Quantifier(_, variables) | tree.ForPerm(variables):
                for binding in variables:
                    yield _variable("variable", binding, current.span, around)
            case tree.QuasihavocAll(variables):
                for binding in variables:
                    yield _variable("variable", binding, current.span, around)
            case tree.Let(name):
                yield _local("variable", name, current.span, current.span.text, around)
            case tree.Label(name):
                yield _local("label", name, scope, f"label {name.name}", around)
            case _:
                pass
        todo.extend((child, inside) for child in reversed(children(current)))


def _global(
    kind: str,
    name: tree.Identifier,
    whole: tree.Node,
    text: str,
    params: tuple[str, ...] | None = None,
) -> Declaration:
    return Declaration(name.name, kind, name.span, whole.span, None, text, None, params)


def _local(
    kind: str, name: tree.Identifier, scope: Span, text: str, around: tree.Identifier | None
) -> Declaration:
    member = None if around is None else around.name
    return Declaration(name.name, kind, name.span, name.span, scope, text, member)


def _variable(
    kind: str, binding: tree.VarBinding, scope: Span, around: tree.Identifier | None
) -> Declaration:
    return _local(kind, binding.name, scope, _binding(binding), around)


def _binding(binding: tree.VarBinding) -> str:
    return f"{binding.name.name}: {binding.type.span.text}"


def _first_line(member: tree.Node) -> str:
    return member.span.text.split("{", 1)[0].strip()


def _head(member: tree.Member) -> str:
    """The declaration without its body, as it is written."""
    body = getattr(member, "body", None)
    text = member.span.text
    if isinstance(member, tree.Define) or body is None:
        return text
    until = body.span.start - member.span.start
    return text[:until].rstrip().removesuffix("{").rstrip()
