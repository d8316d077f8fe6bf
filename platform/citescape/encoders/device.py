"""The processor that encodes and trains."""

from __future__ import annotations

import os

import torch

from citescape.core.errors import invalid_choice


def choose_device() -> str:
    """`cuda` or `cpu`: CITESCAPE_DEVICE, else the fastest there is.

    Raises:
        ConfigError: CITESCAPE_DEVICE is neither.
    """
    named = os.environ.get("CITESCAPE_DEVICE", "")
    if named not in ("", "auto", "cpu", "cuda"):
        raise invalid_choice("CITESCAPE_DEVICE", named, ("auto", "cpu", "cuda"))
    if named in ("cpu", "cuda"):
        return named
    return "cuda" if torch.cuda.is_available() else "cpu"
