"""Which process this is where several train together, as `torchrun` and `accelerate launch` do it.

Read from the environment, so that it is known before torch is loaded.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accelerate import Accelerator


def count_processes() -> int:
    """How many train together; 1 where nothing else is said."""
    return int(os.environ.get("WORLD_SIZE") or 1)


def is_first_process() -> bool:
    """Whether this is the one that prints, and writes to the graph."""
    return int(os.environ.get("RANK") or 0) == 0


def make_accelerator() -> Accelerator:
    """On a GPU if there is one; the same in all trainings, since accelerate keeps one state."""
    from accelerate import Accelerator

    from citescape.encoders.device import choose_device

    return Accelerator(cpu=choose_device().type == "cpu")


def leave_processes() -> None:
    """Takes leave of the others, as torch expects it before a program ends."""
    import torch

    if torch.distributed.is_available() and torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()
