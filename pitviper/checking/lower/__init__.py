"""pitviper/checking/lower."""
