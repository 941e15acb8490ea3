"""Ways to show results to people and programs."""
