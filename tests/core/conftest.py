"""The corpus and the command line that tests of commands use."""

from tests.cli.conftest import generated, platform, run_on_store  # noqa: F401
