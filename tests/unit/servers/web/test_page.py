"""What is handed out was built from the sources of the page that are here."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import pitviper.servers.web

ASSETS = Path(pitviper.servers.web.__file__).parent / "assets"
PAGE = Path(__file__).parents[4] / "page"
SOURCES = (
    "index.html",
    "package.json",
    "package-lock.json",
    "public",
    "src",
    "tsconfig.json",
    "vite.config.mjs",
)


def files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return [file for name in sorted(p.name for p in path.iterdir()) for file in files(path / name)]


def test_the_assets_come_from_the_sources() -> None:
    digest = hashlib.sha256()
    for file in [file for name in SOURCES for file in files(PAGE / name)]:
        digest.update(file.relative_to(PAGE).as_posix().encode() + b"\0")
        digest.update(file.read_bytes())
    built = (ASSETS / "sources.sha256").read_text().strip()
    assert built == digest.hexdigest(), "the page was changed: run `make page`"


def test_the_first_page_is_small() -> None:
    sizes = [len(gzip.compress(file.read_bytes())) for file in ASSETS.iterdir()]
    assert sum(sizes) < 1_000_000
