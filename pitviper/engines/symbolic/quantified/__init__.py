"""pitviper/engines/symbolic/quantified."""
