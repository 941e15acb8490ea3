"""pitviper/views/html."""
