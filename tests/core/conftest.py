"""The generated corpus and the fixtures that run command lines."""

from tests.cli.conftest import generated, platform, run_on_store  # noqa: F401
