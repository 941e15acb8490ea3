"""The one place that states the version of Pitviper."""

VERSION = "0.2.0"
