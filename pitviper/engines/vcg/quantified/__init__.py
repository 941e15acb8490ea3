"""pitviper/engines/vcg/quantified."""
