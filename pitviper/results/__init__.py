"""What engines return: plain data that turns into JSON."""
