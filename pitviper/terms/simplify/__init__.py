"""pitviper/terms/simplify."""
