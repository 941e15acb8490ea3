"""Reference interpreter: one run of a member on a concrete heap with permission amounts."""
