"""A real Neo4j for the tests, without Docker: jars from Maven Central, started by `Server.java`.

    if (reason := why_unavailable()) is not None: ...
    with Neo4jServer() as server:
        driver = neo4j.GraphDatabase.driver(server.uri, auth=server.auth)

Needs a JDK of at least 17 and, until the jars are in the cache, Maven and a network.
"""

from __future__ import annotations

import fcntl
import functools
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

HERE = Path(__file__).resolve().parent
JARS_VARIABLE = "CITESCAPE_NEO4J_JARS"
PASSWORD_VARIABLE = "CITESCAPE_TEST_NEO4J_PASSWORD"  # the same name as in Server.java
MINIMUM_JAVA = 17
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


# --- requirements --------------------------------------------------------------------------


@functools.cache
def why_unavailable() -> str | None:
    """One line on why Neo4j cannot run here, or None. May download the jars; keeps the answer."""
    try:
        _require_java()
        fetch_jars()
    except Neo4jUnavailableError as error:
        return str(error)
    return None


def _require_jars() -> Path:
    """The folder with the jars; raises Neo4jUnavailableError when Neo4j cannot run here."""
    if (reason := why_unavailable()) is not None:
        raise Neo4jUnavailableError(reason)
    return default_jars()


def neo4j_version() -> str:
    """The version that `pom.xml` pins."""
    match = re.search(r"<neo4j\.version>(.+?)</neo4j\.version>", (HERE / "pom.xml").read_text())
    assert match, "pom.xml does not name neo4j.version"
    return match[1]


def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    return str(Path(home, "bin", "java")) if home else "java"


def _require_java() -> None:
    """Raise Neo4jUnavailableError unless there is a JDK (not only a JRE) that Neo4j runs on."""
    try:
        # Not `java -version`: only the list of modules distinguishes a JDK from a JRE.
        done = _run([_java(), "--list-modules"], timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Neo4jUnavailableError(f"no usable java: {error}") from error
    match = re.search(r"^java\.base@(\d+)", done.stdout, re.MULTILINE)
    if match is None or int(match[1]) < MINIMUM_JAVA:
        version = match[1] if match else "no version (8 or older, or none installed)"
        raise Neo4jUnavailableError(
            f"java must be {MINIMUM_JAVA} or later; {_java()} reports {version}"
        )
    if "jdk.compiler@" not in done.stdout:
        raise Neo4jUnavailableError(f"{_java()} is a JRE without a compiler; install a JDK")


# --- the jars ------------------------------------------------------------------------------


def default_jars() -> Path:
    """Folder of the jars: $CITESCAPE_NEO4J_JARS, else ~/.cache/citescape/neo4j-VERSION."""
    chosen = os.environ.get(JARS_VARIABLE)
    if chosen:
        return Path(chosen).expanduser().absolute()
    return Path.home() / ".cache" / "citescape" / f"neo4j-{neo4j_version()}"


def fetch_jars(cache_dir: Path | None = None) -> Path:
    """Return a folder with every jar; the first call on a machine downloads them (123 MB).

    Safe when several processes call it at once, and after a download that was cut off.
    Raises Neo4jUnavailableError when they cannot be had.
    """
    jars = cache_dir or default_jars()
    if _complete(jars):
        return jars
    try:
        jars.parent.mkdir(parents=True, exist_ok=True)
        # Beside the folder, not in it: the folder appears complete, by a rename.
        with jars.with_name(jars.name + ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not _complete(jars):  # another process may have finished while we waited
                _download(jars)
    except OSError as error:
        raise Neo4jUnavailableError(f"cannot keep the Neo4j jars in {jars}: {error}") from error
    return jars


def _complete(jars: Path) -> bool:
    version = neo4j_version()
    wanted = ("neo4j", "neo4j-import-tool")
    return all((jars / f"{name}-{version}.jar").is_file() for name in wanted)


def _download(jars: Path) -> None:
    if jars.is_dir() and any(jars.iterdir()):
        raise Neo4jUnavailableError(
            f"{jars} holds no neo4j-{neo4j_version()}.jar but is not empty;"
            f" remove it, or point {JARS_VARIABLE} elsewhere"
        )
    partial = jars.with_name(jars.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)  # what an interrupted download left
    _run_maven(partial)
    if not _complete(partial):
        raise Neo4jUnavailableError(f"Maven reported success but {partial} lacks the Neo4j jars")
    partial.rename(jars)


def _run_maven(output: Path) -> None:
    goal = ["dependency:copy-dependencies", f"-DoutputDirectory={output}"]
    command = ["mvn", "-q", "-B", "-Dstyle.color=never", "-f", str(HERE / "pom.xml"), *goal]
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


# --- the server ----------------------------------------------------------------------------


@dataclass
class Neo4jServer:
    """A running DBMS on 127.0.0.1, from `with` to the end of its block.

    `home` None is a temporary folder, removed at the end; a given home is kept, so that a store
    can be imported before, or rebooted after. `password` None turns authentication off; Neo4j
    wants 8 characters at least. Raises Neo4jUnavailableError or Neo4jFailedError on entry.
    """

    home: Path | None = None
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
        jars = _require_jars()
        if self.home is None:
            self._own = tempfile.TemporaryDirectory(prefix="citescape-neo4j-")
            self.home = Path(self._own.name)
        self.home.mkdir(parents=True, exist_ok=True)
        try:
            self._process = self._start(jars)
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

    def _start(self, jars: Path) -> subprocess.Popen[bytes]:
        # Port 0: the kernel chooses while binding, so no other process can take the port first.
        arguments = [str(self.home), "0"] + ([self.user] if self.password is not None else [])
        environment = {k: v for k, v in os.environ.items() if k != PASSWORD_VARIABLE}
        if self.password is not None:
            environment[PASSWORD_VARIABLE] = self.password
        with self._log_path().open("wb") as log:
            return subprocess.Popen(
                [*_java_command(jars, self.heap), str(HERE / "Server.java"), *arguments],
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


# --- the offline importer ------------------------------------------------------------------


def import_offline(
    home: Path,
    *,
    nodes: Mapping[str, Sequence[Path]],
    relationships: Mapping[str, Sequence[Path]],
    id_type: str = "string",
    heap: str = "512m",
) -> str:
    """Build the database of `home` from CSV files, replacing it; no server may run on it.

    Keys are labels and types, values the files; the first file of each starts with a header
    such as `id:ID(Paper),year:int` or `:START_ID(Paper),:END_ID(Paper)`. Returns the importer's
    report. Raises Neo4jFailedError when it refuses the files.
    """
    home.mkdir(parents=True, exist_ok=True)
    command = [*_java_command(_require_jars(), heap), "org.neo4j.cli.AdminTool"]
    command += ["database", "import", "full", "neo4j"]
    command += [f"--id-type={id_type}", "--overwrite-destination=true"]
    command += [f"--nodes={label}={_joined(files)}" for label, files in nodes.items()]
    command += [f"--relationships={kind}={_joined(files)}" for kind, files in relationships.items()]
    # The current folder is the home because a refused import leaves import.report there.
    done = _run(command, timeout=None, cwd=home, env=os.environ | {"NEO4J_HOME": str(home)})
    report = _without_noise(done.stdout)
    if done.returncode != 0:
        raise Neo4jFailedError(f"the importer exited with {done.returncode}:\n{_tail(report)}")
    return report


def _joined(files: Sequence[Path]) -> str:
    return ",".join(str(path.absolute()) for path in files)


# --- cypher-shell --------------------------------------------------------------------------


def run_cypher_shell(uri: str, text: str) -> str:
    """Output of the real cypher-shell for `text` on its standard input, without a terminal.

    Raises Neo4jUnavailableError when the jars were downloaded without it, Neo4jFailedError when it
    refuses a line.
    """
    jars = _require_jars()
    if not (jars / f"cypher-shell-{neo4j_version()}.jar").is_file():
        raise Neo4jUnavailableError(f"{jars} holds no cypher-shell; remove the folder to get it")
    command = [*_java_command(jars, "256m"), "org.neo4j.shell.Main", "--non-interactive"]
    command += ["--format", "plain", "--address", uri, "--username", "", "--password", ""]
    done = _run(command, timeout=120, text_in=text)
    if done.returncode != 0:
        raise Neo4jFailedError(f"cypher-shell exited with {done.returncode}:\n{_tail(done.stdout)}")
    return done.stdout


# --- processes -----------------------------------------------------------------------------


def _java_command(jars: Path, heap: str) -> list[str]:
    return [_java(), f"-Xmx{heap}", *JVM_OPTIONS, "-cp", str(jars / "*")]


def _run(
    command: Sequence[str],
    *,
    timeout: float | None,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
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
        cwd=cwd,
        env=env,
        check=False,
    )


def _without_noise(text: str) -> str:
    """Removes stack frames and progress bars, among which the error message is hard to find."""
    lines = text.splitlines(keepends=True)
    noise = re.compile(r"\tat |\t\.\.\. \d+ more|.?\.{5}")
    return "".join(line for line in lines if not noise.match(line))


def _tail(text: str) -> str:
    return "\n".join(text.splitlines()[-40:])
