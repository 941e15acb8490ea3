"""pitviper/engines/symbolic/ghost."""
