"""pitviper/syntax/print."""
