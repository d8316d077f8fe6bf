"""One typed door to numba, so that compiled kernels keep their signatures for the type checker."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """Compiles on first call, keeps the machine code on disk, gives up the interpreter lock.

    One thread, no fast-math: floating-point operations happen as written and in that order.
    """
    return cast(F, njit(cache=True, nogil=True)(function))
