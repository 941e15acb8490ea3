"""Dynamic symbolic execution: runs methods concretely and symbolically at the same time."""
