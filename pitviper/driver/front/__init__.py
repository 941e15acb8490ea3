"""pitviper/driver/front."""
