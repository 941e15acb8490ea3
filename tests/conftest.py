"""Tests remember nothing from one to the next, and use no server of the developer."""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

os.environ["PITVIPER_CACHE"] = "off"
os.environ["PITVIPER_DAEMON"] = "off"

settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")
"""A property holds or not; how quick the machine is shall not matter."""

signal.signal(signal.SIGINT, signal.default_int_handler)
"""A run that was started in the background ignores SIGINT, and so would all that it starts."""
