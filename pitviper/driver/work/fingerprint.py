"""What two installations have in common that give the same answers."""

from __future__ import annotations

from functools import cache

from pitviper.base.digest import blake2b
from pitviper.driver.cache.stamp import PACKAGE
from pitviper.driver.work.preload import load_solver


@cache
def fingerprint() -> str:
    """Of our own sources, whenever and wherever they were installed, and of the solver."""
    digest = blake2b(load_solver().encode(), digest_size=16)
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in (".py", ".vpr"):
            digest.update(str(path.relative_to(PACKAGE)).encode())
            digest.update(blake2b(path.read_bytes()).digest())
    return digest.hexdigest()
