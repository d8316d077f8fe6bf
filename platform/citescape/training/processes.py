"""The processes of a training by `torchrun` or `accelerate launch`.

Their number and rank come from the environment, without loading torch.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accelerate import Accelerator


def count_processes() -> int:
    """Number of processes that train together; 1 by default."""
    return int(os.environ.get("WORLD_SIZE") or 1)


def is_first_process() -> bool:
    """Whether this process prints and writes to the graph."""
    return int(os.environ.get("RANK") or 0) == 0


def make_accelerator() -> Accelerator:
    """An accelerator on the chosen device; all trainings share its state."""
    from accelerate import Accelerator

    from citescape.encoders.device import choose_device

    return Accelerator(cpu=choose_device().type == "cpu")


def leave_processes() -> None:
    """Ends the group of processes, as torch expects before a program ends."""
    import torch

    if torch.distributed.is_available() and torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()
