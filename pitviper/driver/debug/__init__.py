"""pitviper/driver/debug."""
