"""pitviper/driver/suite."""
