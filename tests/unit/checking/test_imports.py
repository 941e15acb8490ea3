"""Imports: where files are found, in which order members come, what is wrong with the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.checking.imports import LIBRARY, Reach, Spliced, splice_imports
from pitviper.driver.front.frontend import load_text
from pitviper.source.reading import read_import
from pitviper.source.span import SourceFile
from pitviper.syntax import tree
from pitviper.syntax.parse.parser import parse_file


def write(folder: Path, **files: str) -> None:
    """Files by name without `.vpr`; `__` in a name stands for a folder."""
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".vpr")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def splice(path: Path, library: tuple[Path, ...] = (LIBRARY,)) -> Spliced:
    source = SourceFile(path, path.read_text())
    parsed = parse_file(source)
    assert parsed.diagnostics == ()
    return splice_imports(parsed.tree, source, read_import, reach=Reach(library))


def names(spliced: Spliced) -> list[str]:
    assert spliced.diagnostics == ()
    return [_name(member) for member in spliced.members]


def _name(member: tree.Member) -> str:
    match member:
        case tree.FieldDeclaration(fields):
            return fields[0].name.name
        case tree.Import():
            return "import"
        case _:
            return member.name.name


def problem(spliced: Spliced) -> tuple[str, str, str | None]:
    (found,) = spliced.diagnostics
    assert found.span is not None
    assert found.code == "parser.error"
    return str(found.span), found.message, found.help


# ---------------------------------------------------------------- finding files


@pytest.mark.smoke
def test_members_stand_where_the_import_stood(tmp_path: Path) -> None:
    write(
        tmp_path,
        main='field a: Int import "sub/b.vpr" method d()',
        sub__b='import "c.vpr" field b: Int',
        sub__c="domain c {}",
    )
    assert names(splice(tmp_path / "main.vpr")) == ["a", "c", "b", "d"]


def test_a_file_counts_once_however_it_is_spelled(tmp_path: Path) -> None:
    write(
        tmp_path,
        main='import "b.vpr" import "./b.vpr" import "sub/../b.vpr" import "sub/c.vpr"',
        b="field b: Int",
        sub__c='import "../b.vpr" field c: Int',
    )
    assert names(splice(tmp_path / "main.vpr")) == ["b", "c"]


def test_cycles_are_harmless(tmp_path: Path) -> None:
    write(
        tmp_path,
        main='import "main.vpr" import "b.vpr" field a: Int',
        b='import "c.vpr" field b: Int',
        c='import "main.vpr" import "b.vpr" field c: Int',
    )
    assert names(splice(tmp_path / "main.vpr")) == ["c", "b", "a"]


def test_a_long_chain_of_imports(tmp_path: Path) -> None:
    files = {f"f{i}": f'import "f{i + 1}.vpr" field a{i}: Int' for i in range(1500)}
    write(tmp_path, **files, f1500="field last: Int")
    found = names(splice(tmp_path / "f0.vpr"))
    assert (len(found), found[0], found[-1]) == (1501, "last", "a0")


def test_places_are_those_of_the_imported_file(tmp_path: Path) -> None:
    write(tmp_path, main='import "b.vpr"', b="\n\nfield b: Int")
    (member,) = splice(tmp_path / "main.vpr").members
    assert str(member.span) == "b.vpr@3.1--3.13"


def test_an_editor_may_answer_instead_of_the_disk(tmp_path: Path) -> None:
    source = SourceFile(tmp_path / "main.vpr", 'import "b.vpr"')
    spliced = splice_imports(
        parse_file(source).tree, source, lambda path: SourceFile(path, "field edited: Int")
    )
    assert names(spliced) == ["edited"]


def test_imported_files_are_parsed_like_the_main_file(tmp_path: Path) -> None:
    source = SourceFile(tmp_path / "main.vpr", 'import "b.vpr"')
    write(tmp_path, b="field odd: Int")
    keywords = frozenset({"field", "Int", "odd"})
    spliced = splice_imports(
        parse_file(source).tree, source, read_import, parse=lambda file: parse_file(file, keywords)
    )
    assert [d.code for d in spliced.diagnostics] == ["parser.error"]


# ---------------------------------------------------------------- the library


def test_library_imports(tmp_path: Path) -> None:
    write(
        tmp_path,
        main="import <decreases/int.vpr> import <decreases/./int.vpr> import <decreases/bool.vpr>",
    )
    orders = ["WellFoundedOrder", "IntWellFoundedOrder", "BoolWellFoundedOrder"]
    assert names(splice(tmp_path / "main.vpr")) == orders


def test_a_quoted_import_in_a_library_file_stays_in_the_library(tmp_path: Path) -> None:
    write(tmp_path, main="import <more/a.vpr>", library__more__a='import "b.vpr" field a: Int')
    write(tmp_path, library__more__b='import "../c.vpr"', library__c="import <decreases/int.vpr>")
    library = (LIBRARY, tmp_path / "library")
    expected = ["WellFoundedOrder", "IntWellFoundedOrder", "a"]
    assert names(splice(tmp_path / "main.vpr", library)) == expected


@pytest.mark.parametrize("path", ["<../macros.vpr>", "</etc/passwd>"])
def test_the_library_cannot_be_left(tmp_path: Path, path: str) -> None:
    source = SourceFile(tmp_path / "main.vpr", f"import {path}")
    member = tree.Import(path[1:-1], True, span=parse_file(source).tree.span)
    main = tree.File((member,), span=member.span)
    found = splice_imports(main, source, read_import).diagnostics
    assert [d.message for d in found] == [
        f"cannot import {path}: the path leads out of the library"
    ]


LIBRARY_FILES = sorted(path.relative_to(LIBRARY).as_posix() for path in LIBRARY.rglob("*.vpr"))


def test_the_library_is_complete() -> None:
    types = "all bool declaration int multiset perm predicate_instance predicate_instance_nested"
    orders = [f"decreases/{name}.vpr" for name in (types + " rational ref seq set").split()]
    adts = ["adt/contains.vpr", "adt/derives.vpr"]
    assert sorted([*orders, *adts, "predicateinstance/pi.vpr"]) == LIBRARY_FILES


@pytest.mark.parametrize("path", LIBRARY_FILES)
def test_each_library_file_can_be_imported_alone(tmp_path: Path, path: str) -> None:
    write(tmp_path, main=f"import <{path}>")
    found = names(splice(tmp_path / "main.vpr"))
    assert found
    assert len(found) == len(set(found))


@pytest.mark.parametrize("path", LIBRARY_FILES)
def test_library_files_are_accepted_beside_common_names(path: str) -> None:
    """Bound variables and parameters of the library may not be named like a member."""
    members = "field T: Ref, S: Ref, a: Int, b: Int, x: Int, arg1: Int, l1: Int"
    assert load_text(f"import <{path}>\n{members}").diagnostics == ()


def test_names_that_programs_and_plugins_know(tmp_path: Path) -> None:
    write(tmp_path, main="import <decreases/all.vpr> import <adt/derives.vpr>")
    spliced = splice(tmp_path / "main.vpr")
    assert sorted(names(spliced)) == [
        "BoolWellFoundedOrder",
        "ContainsDomain",
        "IntWellFoundedOrder",
        "MultiSetWellFoundedOrder",
        "PermWellFoundedOrder",
        "PredicateInstance",
        "PredicateInstancesNestedRelation",
        "PredicateInstancesWellFoundedOrder",
        "RationalWellFoundedOrder",
        "RefWellFoundedOrder",
        "SeqWellFoundedOrder",
        "SetWellFoundedOrder",
        "WellFoundedOrder",
    ]
    domains = [member for member in spliced.members if isinstance(member, tree.Domain)]
    parts = [part for domain in domains for part in domain.members]
    functions = [part.name.name for part in parts if isinstance(part, tree.DomainFunction)]
    assert functions == ["decreasing", "bounded", "nestedPredicates", "contains"]


# ---------------------------------------------------------------- errors


def test_a_missing_file(tmp_path: Path) -> None:
    write(tmp_path, main='\n  import "lists.vpr"\nfield a: Int', list="", other="")
    spliced = splice(tmp_path / "main.vpr")
    assert problem(spliced) == (
        "main.vpr@2.3--2.21",
        'cannot import "lists.vpr": no such file',
        'did you mean `import "list.vpr"`?',
    )
    assert len(spliced.members) == 1


def test_help_keeps_the_folder(tmp_path: Path) -> None:
    write(tmp_path, main='import "sub/Lst.vpr"', sub__list="")
    assert problem(splice(tmp_path / "main.vpr"))[2] == 'did you mean `import "sub/list.vpr"`?'


def test_help_for_a_missing_folder(tmp_path: Path) -> None:
    write(tmp_path, main='import "sub/list.vpr"')
    help_ = problem(splice(tmp_path / "main.vpr"))[2]
    assert help_ == f"there is no folder {tmp_path / 'sub'}"


def test_help_where_nothing_is_similar(tmp_path: Path) -> None:
    write(tmp_path, main='import "elsewhere.vpr"')
    help_ = problem(splice(tmp_path / "main.vpr"))[2]
    assert help_ is not None
    assert help_.startswith("make this file") and f"{tmp_path / 'elsewhere.vpr'}" in help_


def test_help_for_a_library_file_in_quotes(tmp_path: Path) -> None:
    write(tmp_path, main='import "decreases/int.vpr"')
    help_ = problem(splice(tmp_path / "main.vpr"))[2]
    assert help_ == "this file is part of the library: write `import <decreases/int.vpr>`"


def test_help_for_library_paths(tmp_path: Path) -> None:
    write(tmp_path, main="import <decrease/ints.vpr>")
    assert problem(splice(tmp_path / "main.vpr"))[1:] == (
        "cannot import <decrease/ints.vpr>: no such file",
        "did you mean `import <decreases/int.vpr>`?",
    )
    write(tmp_path, main="import <mine.vpr>")
    help_ = problem(splice(tmp_path / "main.vpr"))[2]
    assert help_ is not None and help_.startswith("the library has `<adt/contains.vpr>`, ")
    assert help_.endswith('; a file of yours needs quotes: `import "mine.vpr"`')


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    write(tmp_path, main='import "sub"', sub__list="")
    assert problem(splice(tmp_path / "main.vpr"))[1:] == (
        'cannot import "sub": it is a folder, not a file',
        "name a file in this folder",
    )


def test_each_import_of_a_missing_file_is_told(tmp_path: Path) -> None:
    write(tmp_path, main='import "x.vpr"\nimport "x.vpr"')
    found = splice(tmp_path / "main.vpr").diagnostics
    assert [d.span.line for d in found if d.span is not None] == [1, 2]


def test_errors_in_imported_files(tmp_path: Path) -> None:
    write(tmp_path, main='\nimport "b.vpr"', b="field a: Int\nfield : Int\nfield c: Int")
    spliced = splice(tmp_path / "main.vpr")
    (found,) = spliced.diagnostics
    assert found.span is not None
    assert (found.span.file.name, found.span.line) == ("b.vpr", 2)
    assert [str(related.span) for related in found.related] == ["main.vpr@2.1--2.15"]
    assert [_name(member) for member in spliced.members] == ["a", "c"]


def test_an_error_is_told_at_the_import_in_the_imported_file(tmp_path: Path) -> None:
    write(tmp_path, main='import "b.vpr"', b='\nimport "c.vpr"')
    assert problem(splice(tmp_path / "main.vpr"))[0] == "b.vpr@2.1--2.15"
