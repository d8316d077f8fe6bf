"""The device that encodes and trains."""

from __future__ import annotations

import os

import torch

from citescape.core.errors import ConfigError

AUTO = "auto"
"""CUDA if available, else the CPU."""


def choose_device(named: str = "") -> torch.device:
    """The named device, else that of CITESCAPE_DEVICE, else the fastest one.

    Raises:
        ConfigError: torch has no such device here.
    """
    name = named or os.environ.get("CITESCAPE_DEVICE") or AUTO
    if name == AUTO:
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise ConfigError(
            f"no device {name!r}; expected auto, cpu, cuda or another device type of torch"
        ) from error
    try:
        torch.empty(1, device=device)
    except torch.OutOfMemoryError:
        pass  # the device exists, but is full: training reports it
    except (RuntimeError, AssertionError) as error:
        reason = str(error).strip().partition("\n")[0].partition(". ")[0]
        raise ConfigError(f"no device {name!r} here: {reason}; expected auto or cpu") from error
    use_attention_of_any_length(device)
    return device


def use_attention_of_any_length(device: torch.device) -> None:
    """Leaves cuDNN's attention out on a GPU: it compiles a plan for each new length of texts.

    Batches of texts have many lengths: a training would spend about half of its time on plans.
    """
    if device.type == "cuda":
        torch.backends.cuda.enable_cudnn_sdp(False)
