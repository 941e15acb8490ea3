"""pitviper/cli/commands."""
