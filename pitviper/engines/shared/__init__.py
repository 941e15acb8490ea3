"""pitviper/engines/shared."""
