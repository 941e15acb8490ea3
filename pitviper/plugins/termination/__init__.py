"""Decreases clauses become assertions."""
