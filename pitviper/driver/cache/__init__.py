"""pitviper/driver/cache."""
