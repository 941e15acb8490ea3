"""Syntax tree to typed program, or diagnostics."""
