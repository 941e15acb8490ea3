"""pitviper/engines/symbolic/heap."""
