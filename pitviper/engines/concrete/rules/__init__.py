"""pitviper/engines/concrete/rules."""
