"""System calls that a process gives up: no sockets, no programs, no other processes.

A filter of the Linux kernel (seccomp-BPF), which a process sets for itself without any privilege,
for all of its threads, and cannot remove. https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

from __future__ import annotations

import ctypes
import os
import platform
from collections.abc import Iterator, Mapping

from citescape.sandbox.calls import libc_call, prctl

_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Machine -> column of the tables below, and its number in the kernel."""

DENIED: Mapping[str, tuple[int | None, int | None]] = {
    # network, also by io_uring, whose operations no filter sees
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    # programs and processes; `clone` may make threads only
    "execve": (59, 221),
    "execveat": (322, 281),
    "fork": (57, None),
    "vfork": (58, None),
    # other processes
    "kill": (62, 129),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    # memory and messages that processes share by number or name
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "semget": (64, 190),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "semctl": (66, 191),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # properties of files, which Landlock leaves free
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "truncate": (76, 45),
    "utime": (132, None),
    "utimes": (235, None),
    "utimensat": (280, 88),
    "futimesat": (261, None),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # the system
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "syslog": (103, 116),
    "quotactl": (179, 60),
    "acct": (163, 89),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
}
"""Call -> its number on x86_64 and on aarch64; None where the machine does not have it."""
_ON_ITSELF = {"tgkill": (234, 131), "prlimit64": (302, 261), "sched_setaffinity": (203, 122)}
"""Calls on a process, which may name this process (or 0) only."""
_CLONE, _CLONE3 = (56, 220), (435, 435)
_CLONE_THREAD = 0x10000
_X32 = 0x40000000
"""Calls from here on are those of another interface of x86_64, with numbers of its own."""

# Instructions of BPF: load a word, compare, return; offsets of `struct seccomp_data`.
_LOAD, _EQUAL, _AT_LEAST, _HAS_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_EPERM, _ENOSYS = 1, 38
_SET_SECCOMP, _FILTER = 22, 2

Instruction = tuple[int, int, int, int]
"""Code, how many instructions to skip if true, and if false, and a value."""


class _Instruction(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint16),
        ("if_true", ctypes.c_uint8),
        ("if_false", ctypes.c_uint8),
        ("value", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("first", ctypes.POINTER(_Instruction)))


def deny_calls() -> None:
    """Gives up the calls of `DENIED` for this thread and those it starts: they fail with EPERM.

    Raises:
        OSError: no table for this machine, or a kernel without such filters.
    """
    machine = platform.machine()
    if machine not in _ARCHITECTURES:
        raise OSError(f"no table of system calls for {machine}")
    filtering = _filter(*_ARCHITECTURES[machine], os.getpid())
    instructions = [_Instruction(*each) for each in filtering]
    array = (_Instruction * len(instructions))(*instructions)
    program = _Program(len(instructions), array)
    libc_call(prctl, _SET_SECCOMP, _FILTER, ctypes.byref(program), 0, 0)


def _filter(column: int, architecture: int, pid: int) -> Iterator[Instruction]:
    """The program: each comparison is followed by what happens if it holds."""
    yield (_LOAD, 0, 0, _ARCHITECTURE)
    yield (_EQUAL, 1, 0, architecture)
    yield (_RETURN, 0, 0, _KILL)
    yield (_LOAD, 0, 0, _NUMBER)
    yield (_AT_LEAST, 0, 1, _X32)
    yield (_RETURN, 0, 0, _ERROR | _EPERM)
    for numbers in DENIED.values():
        if (number := numbers[column]) is not None:
            yield (_EQUAL, 0, 1, number)
            yield (_RETURN, 0, 0, _ERROR | _EPERM)
    # Arguments of clone3 are in memory, out of sight: libraries then call clone.
    yield (_EQUAL, 0, 1, _CLONE3[column])
    yield (_RETURN, 0, 0, _ERROR | _ENOSYS)
    yield (_EQUAL, 0, 4, _CLONE[column])
    yield (_LOAD, 0, 0, _FIRST_ARGUMENT)
    yield (_HAS_BITS, 1, 0, _CLONE_THREAD)
    yield (_RETURN, 0, 0, _ERROR | _EPERM)
    yield (_RETURN, 0, 0, _ALLOW)
    for numbers in _ON_ITSELF.values():
        yield (_EQUAL, 0, 5, numbers[column])
        yield (_LOAD, 0, 0, _FIRST_ARGUMENT)
        yield (_EQUAL, 2, 0, 0)
        yield (_EQUAL, 1, 0, pid)
        yield (_RETURN, 0, 0, _ERROR | _EPERM)
        yield (_RETURN, 0, 0, _ALLOW)
    yield (_RETURN, 0, 0, _ALLOW)
