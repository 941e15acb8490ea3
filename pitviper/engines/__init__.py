"""pitviper/engines."""
