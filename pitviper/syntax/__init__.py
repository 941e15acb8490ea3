"""Text to syntax tree as written: sugar kept, names unresolved."""
