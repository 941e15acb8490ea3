"""The typed core language: resolved, desugared, every expression has a type."""
