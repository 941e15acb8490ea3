"""Algebraic data types become domains."""
