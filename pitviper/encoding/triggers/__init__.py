"""pitviper/encoding/triggers."""
