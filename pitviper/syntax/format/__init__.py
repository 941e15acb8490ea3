"""pitviper/syntax/format."""
