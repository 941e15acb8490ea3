"""The public API: source in, values out."""
