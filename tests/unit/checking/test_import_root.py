"""`--import-root`: imports do not leave a folder, by whatever way; and what failed ones cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.checking import imports
from pitviper.checking.options import CheckOptions
from pitviper.cli.main import main
from pitviper.driver.front.frontend import load
from pitviper.results.exit_code import ExitCode

OUTSIDE = "it leads out of the folder of --import-root"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a program of a stranger, beside a file that is none of their business."""
    (tmp_path / "secret.txt").write_text("the secret of the house\n")
    folder = tmp_path / "root"
    (folder / "deep").mkdir(parents=True)
    (folder / "friend.vpr").write_text("field f: Int\n")
    return folder


def messages(root: Path, text: str, where: str = "main.vpr") -> list[str]:
    file = root / where
    file.write_text(text)
    return [d.message for d in load(file, CheckOptions(import_root=root)).diagnostics]


def test_files_inside_and_the_library_can_be_imported(root: Path) -> None:
    text = 'import "../friend.vpr"\nimport <decreases/int.vpr>\nmethod m(x: Ref) { }'
    assert messages(root, text, "deep/main.vpr") == []


@pytest.mark.parametrize("path", ["../secret.txt", "deep/../../secret.txt", "../missing.txt"])
def test_paths_that_lead_out(root: Path, path: str) -> None:
    """Nothing is said about what is there: not even whether it is."""
    assert messages(root, f'import "{path}"') == [f'cannot import "{path}": {OUTSIDE}']


def test_absolute_paths_lead_out(root: Path) -> None:
    path = root.parent / "secret.txt"
    assert messages(root, f'import "{path}"') == [f'cannot import "{path}": {OUTSIDE}']


def test_links_lead_out(root: Path) -> None:
    (root / "link.vpr").symlink_to(root.parent / "secret.txt")
    assert messages(root, 'import "link.vpr"') == [f'cannot import "link.vpr": {OUTSIDE}']


def test_imports_of_imports_are_confined(root: Path) -> None:
    (root / "friend.vpr").write_text('import "../secret.txt"\n')
    assert messages(root, 'import "friend.vpr"') == [f'cannot import "../secret.txt": {OUTSIDE}']


def test_a_folder_whose_name_begins_alike_is_outside(root: Path) -> None:
    (root.parent / "root2").mkdir()
    (root.parent / "root2" / "a.vpr").write_text("field g: Int\n")
    assert messages(root, 'import "../root2/a.vpr"') == [
        f'cannot import "../root2/a.vpr": {OUTSIDE}'
    ]


def test_the_command_line(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = root / "main.vpr"
    file.write_text('import "../secret.txt"\nmethod m() { }')
    assert main(["verify", "--import-root", str(root), str(file)]) == ExitCode.FINDINGS
    assert "secret of the house" not in capsys.readouterr().out
    assert main(["check", "--import-root", str(root / "no"), str(file)]) == ExitCode.USAGE
    assert "cannot confine imports" in capsys.readouterr().err


def test_many_missing_imports_look_at_folders_once(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[Path] = []
    real = imports._programs_in

    def look(folder: Path) -> list[str]:
        looked.append(folder)
        return real(folder)

    monkeypatch.setattr(imports, "_programs_in", look)
    file = root / "main.vpr"
    file.write_text("".join([f'import "missing{i}.vpr"\n' for i in range(500)]))
    found = load(file).diagnostics
    assert len(found) == 500
    assert len([d for d in found if d.help is not None]) == imports.MOST_ADVICE
    assert looked == [root]
