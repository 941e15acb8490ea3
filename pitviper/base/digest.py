"""The digest of keys and stored files."""

from __future__ import annotations

try:  # the same function; its public home loads another library that takes 2 ms
    from _blake2 import blake2b as blake2b
except ImportError:
    from hashlib import blake2b as blake2b
