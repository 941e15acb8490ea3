"""`python -m pitviper` is the command `pitviper`."""

import sys

from pitviper.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
