"""Small concrete instances of symbolic states: found with a solver, checked without one."""
