"""What questions to the solver may cost, in its own resources: the same on every machine."""

from __future__ import annotations

from typing import Final

CHECK: Final = 20_000
"""Decides only how to go on: dead branches, alias tests, chunk order. Unknown counts as no."""
END: Final = 5_000
"""Whether the end of a method is never reached: only a warning, so that it may cost little."""
SUBSET: Final = 1_000_000
SPLIT: Final = 5_000_000
"""Whether a chunk is used up, or enough was taken."""
SATURATE: Final = 400_000
"""For `entails(path, FALSE, SATURATE)`, which lets the solver draw conclusions once that every
later question on the path would have to draw again. The answer may be ignored."""
ASSERT: Final = 200_000_000
"""Obligations. Exceeding it makes a member undecided, never a finding."""
SEARCH: Final = 50_000_000
"""All questions together that look for the footprint of a package. Beyond it nothing is known."""
