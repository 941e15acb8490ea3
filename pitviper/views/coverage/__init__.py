"""pitviper/views/coverage."""
