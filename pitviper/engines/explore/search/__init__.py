"""pitviper/engines/explore/search."""
