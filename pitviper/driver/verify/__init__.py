"""pitviper/driver/verify."""
