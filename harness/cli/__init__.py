"""The command line. Importing it loads no models: `turngate --help` must answer at once."""

from harness.cli.app import main

__all__ = ["main"]
