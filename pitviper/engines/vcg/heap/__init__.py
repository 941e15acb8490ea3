"""pitviper/engines/vcg/heap."""
