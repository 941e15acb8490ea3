"""The logic: sorts, interned terms, simplification, SMT-LIB text; no syntax, no solver."""
