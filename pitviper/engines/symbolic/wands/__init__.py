"""pitviper/engines/symbolic/wands."""
