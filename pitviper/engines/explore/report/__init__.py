"""pitviper/engines/explore/report."""
