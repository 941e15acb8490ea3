"""One small file per sub-command; the only reader of argv."""
