"""pitviper/engines/concrete/heap."""
