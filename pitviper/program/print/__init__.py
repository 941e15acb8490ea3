"""pitviper/program/print."""
