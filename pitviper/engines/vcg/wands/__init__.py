"""pitviper/engines/vcg/wands."""
