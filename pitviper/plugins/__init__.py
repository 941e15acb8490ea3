"""Language plugins: typed program to typed program, each with its own error translation."""
