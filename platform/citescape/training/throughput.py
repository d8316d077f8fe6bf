"""How fast a training goes, beside how fast the hardware multiplies."""

from __future__ import annotations

import time
from dataclasses import dataclass

import torch

_SECONDS = 0.3
_SIZES = {"cpu": 1024, "cuda": 8192}


@dataclass(frozen=True)
class Throughput:
    """Of the updates alone: not of validation, tokenisation or checkpoints."""

    tokens: int
    seconds: float
    tokens_a_second: float
    flops_a_second: float
    """Of the model: three forward passes a token (two where only bias terms learn), no padding."""
    peak_flops_a_second: float
    """Of a plain matrix product in the same precision on the same device, measured."""

    @property
    def share_of_peak(self) -> float:
        """0..1."""
        return self.flops_a_second / self.peak_flops_a_second if self.peak_flops_a_second else 0.0


def compute_throughput(tokens: int, flops: float, seconds: float, *, peak: float) -> Throughput:
    """Rates; zero where no time was spent."""
    rate = 1 / seconds if seconds else 0.0
    return Throughput(tokens, seconds, tokens * rate, flops * rate, peak)


def measure_peak(device: torch.device, dtype: torch.dtype) -> float:
    """Floating-point operations a second of a square matrix product, the best of some."""
    size = _SIZES.get(device.type, _SIZES["cpu"])
    a = torch.ones(size, size, device=device, dtype=dtype)
    best, begun = float("inf"), time.monotonic()
    while time.monotonic() - begun < _SECONDS:
        started = time.perf_counter()
        _ = a @ a
        if device.type == "cuda":
            torch.cuda.synchronize(device)
        best = min(best, time.perf_counter() - started)
    return 2 * size**3 / best
