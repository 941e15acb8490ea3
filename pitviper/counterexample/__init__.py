"""pitviper/counterexample."""
