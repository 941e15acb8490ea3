"""pitviper/servers/daemon."""
