"""Typed program to sorts, symbols and axioms; shared by all engines."""
