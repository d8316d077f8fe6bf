"""The group: help, errors, exit status, and what `--help` imports."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import click
import psutil
import pytest

from citescape.cli.main import find_summary, list_commands, platform
from tests.docs.pages import list_current_pages

Platform = Callable[..., Any]
HEAVY = (
    *("pyarrow", "numpy", "scipy", "numba", "lxml", "ladybug", "neo4j", "pandas", "rich"),
    *("torch", "transformers", "sklearn", "safetensors", "httpx"),
)


def test_the_program_has_two_names() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    scripts = tomllib.loads(text)["project"]["scripts"]
    assert scripts == dict.fromkeys(("citescape", "platform"), "citescape.cli.main:main")


def find(name: str) -> click.Command:
    command = platform.get_command(click.Context(platform), name)
    assert command is not None
    return command


def leaves() -> Iterator[tuple[str, click.Command]]:
    """Names and commands of all leaves of the command tree."""
    yield from chain.from_iterable(_below(name, find(name)) for name in list_commands())


def _below(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield name, command
        return
    for below in command.list_commands(click.Context(command)):
        subcommand = command.get_command(click.Context(command), below)
        assert subcommand is not None
        yield from _below(f"{name} {below}", subcommand)


@pytest.mark.parametrize("name", list_commands())
def test_every_command_has_help_and_its_summary_is_the_first_line(name: str) -> None:
    text = find(name).help
    assert text, f"{name} is missing its help"
    assert text.startswith(find_summary(name).rstrip("."))


@pytest.fixture(params=[pytest.param(leaf, id=leaf[0]) for leaf in leaves()])
def leaf(request: pytest.FixtureRequest) -> tuple[str, click.Command]:
    named: tuple[str, click.Command] = request.param
    return named


def test_every_command_and_option_has_help(leaf: tuple[str, click.Command]) -> None:
    name, command = leaf
    assert command.help, f"{name} is missing its help"
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{name} {parameter.opts[0]} is missing its help"


def test_every_command_takes_json_and_debug(leaf: tuple[str, click.Command]) -> None:
    options = {option for parameter in leaf[1].params for option in parameter.opts}
    assert {"--json", "--debug"} <= options


STORELESS = ("demo", "evaluate scidocs", "evaluate scirepeval", "evaluate rankers")


def test_every_command_that_opens_a_store_takes_one(leaf: tuple[str, click.Command]) -> None:
    options = {option for parameter in leaf[1].params for option in parameter.opts}
    assert "--store" in options or leaf[0] in STORELESS


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["--version"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom citescape.cli.main import main\n"
        f"try: main({arguments!r})\nexcept SystemExit: pass\n"
        f"print('HEAVY', [m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "HEAVY []"
    assert done.stdout


ROOT = Path(__file__).parents[2]
MENTION = re.compile(r"(?:`|\$ |^ *)platform ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?", re.M)
LINE = re.compile(r"command_line\(\s*f?\"([a-z][a-z-]*)(?: ([a-z][a-z-]*))?")


def mentions() -> Iterator[tuple[str, str, str]]:
    """File, first word and second word (or "") of every command that a file names."""
    sources = [path for folder in ("platform", "loaders") for path in (ROOT / folder).rglob("*.py")]
    example = ROOT / "docs" / "adding-a-capability.md"  # its command does not exist
    pages = [path for path in list_current_pages() if path != example]
    for path in [*sources, *pages]:
        text = path.read_text(encoding="utf-8")
        for pattern in (MENTION, LINE):
            for first, second in pattern.findall(text):
                yield path.name, first, second


def test_commands_named_in_messages_and_pages_exist() -> None:
    known = {name for name, _ in leaves()}
    places = list(mentions())
    assert len(places) > 300
    for where, first, second in places:
        assert first in list_commands(), f"{where}: platform {first}"
        below = {name.split()[1] for name in known if name.startswith(f"{first} ")}
        assert not below or second in {"", *below}, f"{where}: {second}"


def test_records_name_existing_commands() -> None:
    """Records store a command as a word of ids; messages print it as it is typed."""
    from citescape.evaluation.leakage.report import LeakageRun
    from citescape.evaluation.mdcr.build import MdcrRun
    from citescape.runs.directory import command_words
    from citescape.training.base import CACHE, TokenRun

    known = {word for name, _ in leaves() for word in (name, name.split()[0])}
    for command in (
        LeakageRun.command,
        MdcrRun.command,
        CACHE,
        TokenRun.command,
        "encode",
        "sections train",
    ):
        assert command_words(command) in known


def test_help_lists_every_command(platform: Platform) -> None:
    shown = platform("--help")
    assert shown.status == 0
    for name in list_commands():
        assert re.search(rf"^  {name} ", shown.out, re.MULTILINE)


def test_no_command_shows_help_and_exits_with_2(
    platform: Platform,
) -> None:
    shown = platform()
    assert shown.status == 2
    assert "Commands:" in shown.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["explian"], "no command 'explian'; expected: explain;"),
        (["accuracy"], "no command 'accuracy'; expected: evaluate accuracy;"),
        (["graph_embed"], "no command 'graph_embed'; expected: train graph;"),
        (["sections"], "expected: text sections;"),
        (["evaluate", "acuracy"], "no command 'acuracy'; expected: accuracy;"),
        (["unlike"], "no command 'unlike'; expected: demo, ingest, load, remove"),
        (["explain"], "missing argument 'CITING'"),
        (["ingest"], "missing argument 'PATHS"),
        (["ingest", "x", "--workers", "0"], "0 is not in the range"),
        (
            ["score", "--weights", "best"],
            "weights is 'best'; expected one of: entropy, from:RUN, learned:RUN, uniform",
        ),
        (["cypher", "RETURN 1", "--file", __file__], "a statement or --file, not both"),
        (["cypher", ";"], "the statement is empty"),
        (["cypher", "RETURN $x", "--param", "x"], "expected NAME=VALUE"),
        (["demo", "--papers", "3"], "3 is not in the range"),
        (["demo", "--seed", "-1"], "-1 is not in the range"),
    ],
)
def test_wrong_usage_prints_one_line_and_exits_with_2(
    platform: Platform, arguments: list[str], message: str
) -> None:
    done = platform(*arguments)
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert done.err.startswith("platform: ")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["score"],
        ["evaluate", "weights"],
        ["explain", "a", "b"],
        ["status"],
        ["cypher", "RETURN 1 AS x"],
        ["doctor", "--migrate"],
    ],
)
def test_a_missing_store_is_reported_in_one_line_and_not_created(
    platform: Platform, arguments: list[str]
) -> None:
    done = platform(*arguments)
    assert (done.status, done.out) == (1, "")
    assert "no store at citescape.lbug" in done.err
    assert "platform ingest" in done.err
    assert done.err.count("\n") == 1
    assert not Path("citescape.lbug").exists()


def test_debug_shows_the_traceback(platform: Platform) -> None:
    for arguments in (["status", "--debug"], ["--debug", "status"]):
        done = platform(*arguments)
        assert (done.status, done.out) == (1, "")
        assert done.err.startswith("Traceback (most recent call last):\n")
        assert "NoStoreError: no store at citescape.lbug" in done.err


def test_internal_errors_are_reported_in_one_line(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise TypeError("two\nlines")

    monkeypatch.setattr("citescape.runs.context.Context._open", fail)
    done = platform("status")
    assert done.status == 1
    assert done.err.startswith("platform: internal error: TypeError: two lines; ")
    assert done.err.count("\n") == 1


def test_a_file_that_is_not_a_store_is_refused(platform: Platform) -> None:
    Path("notes.txt").write_text("not a database\n" * 100)
    done = platform("status", "--store", "notes.txt")
    assert done.status == 1
    assert "notes.txt is not a ladybug database" in done.err
    assert done.err.count("\n") == 1


def test_store_names_that_are_not_unicode_are_refused(platform: Platform, generated: Any) -> None:
    done = platform("ingest", generated.papers, "--store", "s\udcff.lbug")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith(r"platform: s\xff.lbug is not a name in utf-8, ")
    assert not [*Path().iterdir()]


def test_sigterm_is_reported_like_ctrl_c(tmp_path: Path) -> None:
    """Sent by `kill` and by schedulers, to any command."""
    code = (
        "import os, signal\n"
        "from citescape.cli import main\n"
        "from citescape.store import graph_store as store\n"
        "store.open_store = lambda *_, **__: os.kill(os.getpid(), signal.SIGTERM)\n"
        "main.main(['cypher', 'RETURN 1'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=tmp_path
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.strip().startswith("platform: stopped; ")


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="process groups are POSIX")
def test_ctrl_c_exits_with_130_and_one_line(generated: Any, tmp_path: Path) -> None:
    """At a terminal, Ctrl-C reaches the command and its workers."""
    arguments = ["ingest", str(generated.papers), "--workers", "2"]
    child = subprocess.Popen(
        [sys.executable, "-c", "from citescape.cli.main import main; main()", *arguments],
        cwd=tmp_path,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    workers = wait_for_children(child.pid)
    os.killpg(child.pid, signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out) == (130, "")
    assert err.strip().startswith("platform: stopped; ")
    assert err.strip().count("\n") == 0
    assert psutil.wait_procs(workers, timeout=60)[1] == []


def wait_for_children(pid: int) -> list[psutil.Process]:
    """Waits until a process has children; returns them."""
    process = psutil.Process(pid)
    while process.is_running():
        if children := process.children():
            return children
        time.sleep(0.01)
    pytest.fail("it ended without starting any")
