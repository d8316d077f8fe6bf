"""The corpus and the command line of `tests/cli/`."""

from tests.cli.conftest import ask, made, platform

__all__ = ["ask", "made", "platform"]
