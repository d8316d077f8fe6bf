"""What a test needs beyond Python: on a laptop it may be missing, in continuous integration not."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def skip_outside_ci(reason: str) -> NoReturn:
    """Skips a test on a laptop; fails it in continuous integration, where a skip hides a fault.

    Args:
        reason: what is missing.
    """
    if os.environ.get("CI", "").lower() in ("", "0", "false"):
        pytest.skip(reason)
    pytest.fail(f"required in continuous integration: {reason}", pytrace=False)
