"""The one place that states the version of Pitviper."""

VERSION = "0.1.0.dev0"
