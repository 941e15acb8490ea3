"""The boundary to solvers: paths, answers, one protocol, the Z3 session behind it."""
