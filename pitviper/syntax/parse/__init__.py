"""pitviper/syntax/parse."""
