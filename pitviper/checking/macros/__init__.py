"""pitviper/checking/macros."""
