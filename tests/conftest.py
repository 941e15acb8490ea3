"""Tests remember nothing from one to the next, and use no server of the developer."""

from __future__ import annotations

import os

os.environ["PITVIPER_CACHE"] = "off"
os.environ["PITVIPER_DAEMON"] = "off"
