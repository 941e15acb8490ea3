"""The rows of the table that start-up decides: two workers, an unchanged file, an edited one.

Usage: python bench/start_up.py [--runs N]

About a minute on a machine that does nothing else; writes no file. How much of it is start-up:
`python -X importtime -m pitviper verify FILE`.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from contenders import THIS
from own_rows import cache_rows, daemon_row, jobs_row


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=5, help="the median counts (default 5)")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(" | ".join(jobs_row(THIS, folder, runs).cells), flush=True)
        for row in cache_rows(THIS, folder, runs):
            print(" | ".join(row.cells), flush=True)
        print(" | ".join(daemon_row(THIS, folder, runs).cells))


if __name__ == "__main__":
    main()
