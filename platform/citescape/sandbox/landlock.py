"""Files that a process may still read: all others, and all changes, are refused.

Landlock is a part of the Linux kernel since 5.13, and controls truncation since 6.2 (version 3). A
process restricts itself, without any privilege, for good.
https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from citescape.sandbox.calls import libc_call, prctl, system_call

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same numbers on every machine
_ASK_VERSION = 1
_PATH_BENEATH = 1
_NO_NEW_PRIVILEGES = 38
READ_FILE, READ_FOLDER = 1 << 2, 1 << 3
_LEAST_VERSION = 3
"""The first one that controls truncation."""
_FILE_RIGHTS = ((3, 15), (5, 16))
"""Version -> number of rights on files that it controls: execute, write, read, make, remove, ..."""
_TCP_VERSION, _SCOPE_VERSION = 4, 6


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scopes", ctypes.c_uint64),
    )


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def landlock_version() -> int:
    """Version of Landlock in this kernel; 0 without it."""
    try:
        return system_call(_CREATE, None, 0, _ASK_VERSION)
    except OSError:
        return 0


def restrict_files(readable: Iterable[Path], listable: Iterable[Path] = ()) -> None:
    """Refuses this thread, and those it starts, all files but some, TCP, and signals to others.

    Args:
        readable: files and folders that may be read; missing ones are left out.
        listable: folders whose names may be listed.

    Raises:
        OSError: a kernel without Landlock, or with a version that lets files be cut off.
    """
    version = landlock_version()
    if version < _LEAST_VERSION:
        found = f"Landlock of version {version}" if version else "no Landlock"
        raise OSError(
            f"this kernel has {found}; expected version {_LEAST_VERSION} or later: Linux 6.2 or "
            "later with Landlock enabled"
        )
    rights = next(count for since, count in reversed(_FILE_RIGHTS) if version >= since)
    # connecting and listening; abstract sockets and signals
    rules = _Ruleset(
        (1 << rights) - 1,
        0b11 if version >= _TCP_VERSION else 0,
        0b11 if version >= _SCOPE_VERSION else 0,
    )
    size = 24 if version >= _SCOPE_VERSION else 16 if version >= _TCP_VERSION else 8
    ruleset = system_call(_CREATE, ctypes.byref(rules), size, 0)
    try:
        for path in readable:
            _allow(ruleset, path, READ_FILE | READ_FOLDER)
        for path in listable:
            _allow(ruleset, path, READ_FOLDER)
        libc_call(prctl, _NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        system_call(_RESTRICT, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        allowed = rights if path.is_dir() else rights & READ_FILE
        if allowed:
            rule = _Beneath(allowed, handle)
            system_call(_ADD, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(handle)
