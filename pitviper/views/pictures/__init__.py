"""pitviper/views/pictures."""
