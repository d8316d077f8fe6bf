"""What a process gives up before it runs a query, and a test that it is really gone.

Files: all but the database and the libraries of Python (`landlock`). Network, programs and other
processes: all (`seccomp`). Memory, processor time and open files: limited. Privileges: none left,
also for the superuser.
"""

from __future__ import annotations

import ctypes
import os
import resource
import socket
import sys
import sysconfig
from collections.abc import Callable, Iterable
from pathlib import Path

from citescape.sandbox.calls import system_call
from citescape.sandbox.landlock import restrict_files
from citescape.sandbox.seccomp import deny_calls

_SYSTEM_LIBRARIES = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
    "/usr/share/zoneinfo",
)
_OPEN_FILES = 64
_CAPSET = {"x86_64": 126, "aarch64": 91}
_CAPABILITIES_VERSION = 0x20080522


def confine(location: Path, libraries: Iterable[Path]) -> int:
    """Gives up all that a query on a database does not need. The only thread must call it.

    Args:
        location: file of the database.
        libraries: folders from which Python imports.

    Returns:
        A descriptor of the sizes of this process, for `limit_memory`.

    Raises:
        OSError: this system has no such protection.
    """
    sizes = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
    for limit, value in (
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
    ):
        resource.setrlimit(limit, (value, value))
    _drop_capabilities()
    own = [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib")]
    system = map(Path, _SYSTEM_LIBRARIES)
    log = location.with_name(f"{location.name}.wal")
    restrict_files([location, log, *own, *libraries, *system])
    deny_calls()
    return sizes


def limit_memory(sizes: int, more: int) -> None:
    """Limits memory to the addresses that the process has now and `more` bytes.

    An engine reserves addresses for the largest possible database, so no absolute limit fits.

    Args:
        sizes: descriptor that `confine` returned.
        more: bytes.
    """
    own = int(os.pread(sizes, 99, 0).split()[0]) * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (own, own))


def limit_time(more: int) -> None:
    """Limits processor time to what the process has used and `more` seconds."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    own = int(used.ru_utime + used.ru_stime) + 1 + more
    resource.setrlimit(resource.RLIMIT_CPU, (own, own))


def find_holes(location: Path, outside: Path) -> list[str]:
    """Tries what must fail, and names what did not.

    Args:
        location: file of the database, which may be read.
        outside: a file that may not be read.
    """
    attempts: dict[str, Callable[[], object]] = {
        f"read {outside}": lambda: os.open(outside, os.O_RDONLY),
        f"list {outside.parent}": lambda: os.listdir(outside.parent),
        f"write to {outside.parent}": lambda: _create(outside.with_name("hole")),
        f"write to {location.parent}": lambda: _create(location.with_name("hole")),
        f"write to {location}": lambda: os.open(location, os.O_RDWR),
        f"change the mode of {location}": lambda: os.chmod(location, 0o600),
        "read the environment of a process": lambda: os.open("/proc/1/environ", os.O_RDONLY),
        "open an internet socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
        "open a datagram socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        "open a local socket": lambda: socket.socket(socket.AF_UNIX),
        "start a process": _fork,
        "start a program": lambda: os.execv(sys.executable, [sys.executable, "-c", "pass"]),
        "signal another process": lambda: os.kill(os.getppid(), 0),
        "write a file": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1, 1)),
    }
    holes = [name for name, attempt in attempts.items() if _succeeds(attempt)]
    if os.environ:
        holes.append(f"see the variables {', '.join(sorted(os.environ))}")
    return holes


def _succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, ValueError):
        return False
    return True


def _create(path: Path) -> None:
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY))


def _fork() -> None:
    if not os.fork():
        os._exit(0)


def _drop_capabilities() -> None:
    """No privilege of the superuser is left: not to read files of others, not to raise limits."""
    number = _CAPSET.get(os.uname().machine)
    if number is None:
        raise OSError(f"no table of system calls for {os.uname().machine}")
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION, 0)
    none = (ctypes.c_uint32 * 6)()
    system_call(number, ctypes.byref(header), ctypes.byref(none))
