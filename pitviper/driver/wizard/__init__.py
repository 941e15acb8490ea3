"""pitviper/driver/wizard."""
