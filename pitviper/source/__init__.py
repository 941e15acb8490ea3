"""File text and places in it; imports nothing of ours."""
