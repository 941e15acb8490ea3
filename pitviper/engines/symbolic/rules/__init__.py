"""pitviper/engines/symbolic/rules."""
