"""pitviper/cli/arguments."""
