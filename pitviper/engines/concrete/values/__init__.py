"""pitviper/engines/concrete/values."""
