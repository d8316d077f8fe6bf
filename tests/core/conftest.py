"""The corpus and the command line that tests of commands use."""

from tests.cli.conftest import ask, made, platform  # noqa: F401
