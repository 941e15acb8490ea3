"""Symbolic execution: the rules eval, produce, consume and exec of the paper."""
