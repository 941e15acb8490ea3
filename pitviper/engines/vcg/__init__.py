"""The second verifier: verification conditions over arrays of values and sums of permissions."""
