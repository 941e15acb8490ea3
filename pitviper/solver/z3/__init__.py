"""pitviper/solver/z3."""
