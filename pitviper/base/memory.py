"""How much memory a process of ours may use, where the system has such limits."""

from __future__ import annotations


def limit_memory(size: int) -> None:
    """At most so many bytes of address space from now on; a lower limit stays."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
