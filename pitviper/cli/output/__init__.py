"""pitviper/cli/output."""
