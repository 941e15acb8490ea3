"""pitviper/engines/vcg/rules."""
