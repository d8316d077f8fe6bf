"""Calls of the C library that Python has no function for."""

from __future__ import annotations

import ctypes
import os
from typing import Any

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long
prctl: Any = _LIBC.prctl if hasattr(_LIBC, "prctl") else None
"""Settings of this process; None on systems other than Linux."""


def libc_call(function: Any, *arguments: Any) -> int:
    """The result of a function of the C library.

    Args:
        function: the function; None if this system does not have it.
        arguments: integers, bytes and pointers.

    Raises:
        OSError: it failed, or there is no such function.
    """
    if function is None:
        raise OSError("not a Linux system")
    given = [ctypes.c_ulong(x) if isinstance(x, int) else x for x in arguments]
    result = int(function(*given))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def system_call(number: int, *arguments: Any) -> int:
    """The result of a system call by its number.

    Raises:
        OSError: it failed.
    """
    return libc_call(_LIBC.syscall, number, *arguments)
