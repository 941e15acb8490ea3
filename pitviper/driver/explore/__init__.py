"""pitviper/driver/explore."""
