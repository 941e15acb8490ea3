"""pitviper/servers."""
