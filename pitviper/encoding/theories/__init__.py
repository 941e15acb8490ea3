"""pitviper/encoding/theories."""
