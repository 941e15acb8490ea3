"""pitviper/explain."""
