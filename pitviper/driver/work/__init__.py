"""pitviper/driver/work."""
