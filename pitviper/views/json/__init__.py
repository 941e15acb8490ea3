"""pitviper/views/json."""
