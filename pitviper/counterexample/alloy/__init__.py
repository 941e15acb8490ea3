"""pitviper/counterexample/alloy."""
