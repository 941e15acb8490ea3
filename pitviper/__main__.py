"""`python -m pitviper` is the command `pitviper`."""

from pitviper.cli.start import command

if __name__ == "__main__":
    command()
