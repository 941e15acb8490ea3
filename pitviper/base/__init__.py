"""pitviper/base."""
