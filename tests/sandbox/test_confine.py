"""What Python can do in a process of the sandbox: an attacker who has taken over the engine.

Each attack runs outside the sandbox first, where it succeeds.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from citescape.core.errors import ConfigError, QueryTimeoutError, StoreError
from citescape.sandbox import landlock, process
from citescape.sandbox.console import Console
from citescape.sandbox.landlock import landlock_version
from citescape.sandbox.process import Child

ATTACKER = Path(__file__).with_name("attacker.py")
SECRET = "a-secret-of-the-server"
REFUSED = {"PermissionError", "OSError", "ValueError", "MemoryError", "BlockingIOError"}

ATTACKS = {
    "read a file": "value = open('/etc/passwd').read()",
    "read a file of the server": "value = open('{marker}').read()",
    "read a neighbour of the database": "value = open('{neighbour}').read()",
    "list a folder": "value = os.listdir('{folder}')",
    "list the root": "value = os.listdir('/')",
    "read the environment of the server": "value = open('/proc/{server}/environ', 'rb').read()",
    "read the memory of the server": "value = open('/proc/{server}/maps').read()",
    "read in a thread": """
found = []
thread = threading.Thread(target=lambda: found.append(open('/etc/passwd').read()))
threading.excepthook = lambda _: None
thread.start()
thread.join()
value = found[0] if found else 1 / 0
""",
    "create a file": "value = open('{folder}/created', 'w')",
    "create a folder": "value = os.mkdir('{folder}/created')",
    "create a link": "value = os.symlink('/etc/passwd', '{folder}/created')",
    "create a pipe": "value = os.mkfifo('{folder}/created')",
    "link a file": "value = os.link('{database}', '{folder}/created')",
    "append to the marker": "value = open('{marker}', 'a')",
    "append to the database": "value = open('{database}', 'ab')",
    "cut off the database": "value = os.truncate('{database}', 0)",
    "delete the marker": "value = os.unlink('{marker}')",
    "rename the database": "value = os.rename('{database}', '{database}2')",
    "change a mode": "value = os.chmod('{marker}', 0o777)",
    "change an owner": "value = os.chown('{marker}', os.getuid(), os.getgid())",
    "change a time": "value = os.utime('{marker}')",
    "change an attribute": "value = os.setxattr('{marker}', 'user.x', b'x')",
    "connect": "value = socket.create_connection(('127.0.0.1', {port}), 2)",
    "connect to a local socket": """
link = socket.socket(socket.AF_UNIX)
value = link.connect('{local}')
""",
    "send a datagram": """
value = socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))
""",
    "listen": "value = socket.create_server(('127.0.0.1', 0))",
    "open a raw socket": "value = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "set up a ring": """
if ctypes.CDLL(None, use_errno=True).syscall(425, 8, ctypes.create_string_buffer(120)) < 0:
    raise OSError(ctypes.get_errno())
""",
    "call by another interface": """
if ctypes.CDLL(None, use_errno=True).syscall(0x40000000 + 41, 2, 1, 0) < 0:
    raise OSError(ctypes.get_errno())
""",
    "list shared memory": """
if ctypes.CDLL(None, use_errno=True).shmctl(0, 14, ctypes.create_string_buffer(256)) < 0:
    raise OSError(ctypes.get_errno())
""",
    "list semaphores": """
if ctypes.CDLL(None, use_errno=True).semctl(0, 0, 19, ctypes.create_string_buffer(256)) < 0:
    raise OSError(ctypes.get_errno())
""",
    "list queues": """
if ctypes.CDLL(None, use_errno=True).msgctl(0, 12, ctypes.create_string_buffer(256)) < 0:
    raise OSError(ctypes.get_errno())
""",
    "start a program": "value = subprocess.run(['/bin/true'], check=True)",
    "become a program": "value = os.execv('/bin/true', ['true'])",
    "fork": "value = os.fork() or os._exit(0)",
    "signal the server": "value = os.kill({server}, 0)",
    "trace the server": """
if ctypes.CDLL(None, use_errno=True).ptrace(16, {server}, 0, 0) < 0:
    raise OSError(ctypes.get_errno())
""",
    "limit the server": "value = resource.prlimit({server}, resource.RLIMIT_CORE, (0, 0))",
    "pin the server": "value = os.sched_setaffinity({server}, os.sched_getaffinity(0))",
    "raise the size of files": "value = resource.setrlimit(resource.RLIMIT_FSIZE, (9, 9))",
    "raise memory": "value = resource.setrlimit(resource.RLIMIT_AS, (1 << 50, 1 << 50))",
    "take memory": "value = len(bytearray(3 << 30))",
    "leave the sandbox": "value = os.chroot('/')",
    "open many files": "value = [os.dup(0) for _ in range(100)]",
}
"""Name -> program. All but the last few succeed outside the sandbox."""
FAIL_ANYWHERE = {"call by another interface", "connect to a local socket", "change an attribute"}
"""Attacks that may fail outside too: such calls or files may be missing."""


@pytest.fixture(scope="module")
def surroundings(graph_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict]:
    """Things to attack: files, a listening port, this process."""
    folder = tmp_path_factory.mktemp("attacked")
    (folder / "marker").write_text(SECRET)
    neighbour = graph_file.with_name("neighbour")
    neighbour.write_text(SECRET)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield {
            "folder": folder,
            "marker": folder / "marker",
            "neighbour": neighbour,
            "database": graph_file,
            "port": listening.getsockname()[1],
            "local": next(Path("/run").rglob("*.sock"), folder / "absent"),
            "server": os.getpid(),
        }


@pytest.fixture(scope="module")
def outcomes(graph_file: Path, surroundings: dict, console: Console) -> dict[str, str]:
    """Outcome of each attack in the sandbox."""
    attacker = Child(graph_file, surroundings["marker"], script=ATTACKER)
    programs = {name: text.format(**surroundings) for name, text in ATTACKS.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CITESCAPE_NEO4J_PASSWORD", SECRET)
        attacker.wait_until_ready()
        answer = attacker.ask({"programs": programs}, seconds=60, size=1 << 20)
    attacker.close()
    return dict(answer["values"])


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_from_within_fails(name: str, outcomes: dict[str, str]) -> None:
    assert outcomes[name] in REFUSED | {"ZeroDivisionError"}, outcomes[name]


def test_nothing_around_has_changed(
    outcomes: dict[str, str], surroundings: dict, graph_file: Path
) -> None:
    assert len(outcomes) == len(ATTACKS)
    assert surroundings["marker"].read_text() == SECRET
    assert [entry.name for entry in surroundings["folder"].iterdir()] == ["marker"]
    assert {entry.name for entry in graph_file.parent.iterdir()} == {"graph.lbug", "neighbour"}


@pytest.mark.parametrize(
    "name",
    [
        *("read a file", "list a folder", "create a folder", "connect", "fork", "start a program"),
        *("list shared memory", "list semaphores", "list queues"),
    ],
)
def test_the_attacks_succeed_outside(name: str, surroundings: dict, tmp_path: Path) -> None:
    """Otherwise the tests above would show nothing."""
    around = {**surroundings, "folder": tmp_path}
    program = f"import ctypes, os, socket, subprocess\n{ATTACKS[name].format(**around)}"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_process_gets_no_environment_and_no_descriptors(
    graph_file: Path, surroundings: dict, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITESCAPE_NEO4J_PASSWORD", SECRET)
    with surroundings["marker"].open() as kept:
        os.set_inheritable(kept.fileno(), True)
        attacker = Child(graph_file, surroundings["marker"], script=ATTACKER)
        attacker.wait_until_ready()
    programs = {
        "environment": "value = dict(os.environ)",
        "files": """
import stat
kinds = []
for number in range(64):
    try:
        kinds.append(stat.S_ISREG(os.fstat(number).st_mode) and os.read(number, 0) is not None)
    except OSError:
        pass
    else:
        if kinds[-1]:
            kinds[-1] = os.path.samestat(os.fstat(number), os.stat('{marker}'))
value = any(kinds)
""".format(**surroundings),
        "session": "value = os.getsid(0) == os.getpid()",
    }
    answer = attacker.ask({"programs": programs}, seconds=10, size=1 << 20)
    attacker.close()
    assert answer["values"] == {
        "environment": "value {}",
        "files": "value False",
        "session": "value True",
    }


def test_a_process_without_landlock_is_not_used(
    graph_file: Path, tmp_path: Path, console: Console
) -> None:
    """The test at the start of each process finds what a kernel allows."""
    script = tmp_path / "open.py"
    script.write_text(
        f"import sys\nsys.path.insert(0, {str(Path(process.__file__).parents[2])!r})\n"
        "from citescape.sandbox import child, confine\n"
        "confine.restrict_files = lambda *_: None\n"
        "child.main()\n"
    )
    (tmp_path / "outside").write_text("x")
    opened = Child(graph_file, tmp_path / "outside", script=script)
    with pytest.raises(ConfigError, match=r"there is no sandbox|does not hold, it can read "):
        opened.wait_until_ready()
    opened.close()


def test_a_process_that_cannot_start_is_reported(graph_file: Path, tmp_path: Path) -> None:
    script = tmp_path / "ends.py"
    script.write_text("raise SystemExit(3)")
    ended = Child(graph_file, tmp_path, script=script)
    with pytest.raises(StoreError, match=r"ended at its start \(exit status 3\)"):
        ended.wait_until_ready()
    ended.close()


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("os.write(1, b'x' * 100)\nwhile True: pass", "time limit"),
        ("child = ctypes.string_at(0)", "the engine ended with SIGSEGV on this statement"),
        ("while True: os.write(answers, b'x' * 65536)", "more bytes than"),
    ],
)
def test_a_process_that_misbehaves_is_ended(
    graph_file: Path, tmp_path: Path, console: Console, program: str, message: str
) -> None:
    (tmp_path / "outside").write_text("x")
    attacker = Child(graph_file, tmp_path / "outside", script=ATTACKER)
    attacker.wait_until_ready()
    given = {"attack": program.replace("answers", "3")}
    with pytest.raises((QueryTimeoutError, StoreError), match=message):
        attacker.ask({"programs": given}, seconds=1, size=1)
    attacker.close()
    assert attacker.has_ended


def test_a_process_ends_with_its_parent(graph_file: Path, tmp_path: Path, console: Console) -> None:
    """Also while it works: the pipe from a parent that was killed closes."""
    (tmp_path / "outside").write_text("x")
    program = (
        "import os, sys, threading\n"
        "from pathlib import Path\n"
        "from citescape.sandbox.process import Child\n"
        f"child = Child(Path({str(graph_file)!r}), Path({str(tmp_path / 'outside')!r}))\n"
        "child.wait_until_ready()\n"
        "text = 'UNWIND range(1, 100000000) AS a UNWIND range(1, 100000) AS b RETURN sum(a * b)'\n"
        "request = {'text': text, 'params': {}, 'rows': 1, 'size': 9}\n"
        "threading.Thread(target=child.ask, args=[request], kwargs={'seconds': 60, 'size': 9},"
        " daemon=True).start()\n"
        "print(child.pid, flush=True)\n"
        "sys.stdin.read(1)\n"
        "os._exit(1)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert parent.stdout
    pid = int(parent.stdout.readline())
    assert is_running(pid)
    parent.communicate(b"x")
    wait_until_gone(pid)


def is_running(pid: int) -> bool:
    """Whether a process lives; one that has ended and waits for its parent does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def wait_until_gone(pid: int) -> None:
    """Returns when a process has ended; fails after a minute."""
    pause = threading.Event()
    for _ in range(6_000):
        if not is_running(pid):
            return
        pause.wait(0.01)
    raise AssertionError(f"process {pid} still runs")


def test_the_version_of_landlock_is_known() -> None:
    assert landlock_version() >= 0


@pytest.mark.parametrize(
    ("version", "found"), [(0, "has no Landlock"), (2, "has Landlock of version 2")]
)
def test_a_kernel_that_lets_files_be_cut_off_is_refused(
    monkeypatch: pytest.MonkeyPatch, version: int, found: str
) -> None:
    def refuse(*_: object) -> int:
        raise AssertionError("this process would confine itself")

    monkeypatch.setattr(landlock, "landlock_version", lambda: version)
    monkeypatch.setattr(landlock, "system_call", refuse)
    with pytest.raises(OSError, match=f"{found}; expected version 3 or later: Linux 6.2"):
        landlock.restrict_files([])
