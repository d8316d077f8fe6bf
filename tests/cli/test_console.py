"""The Cypher console on a real terminal: prompts, library queries, errors, history, leaving."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest


def spawn(made: Any, state: Path) -> Any:
    """A console on a pseudo-terminal of 100 columns."""
    told = [
        "-c",
        "from citescape.cli.main import main; main()",
        *("cypher", "--store", str(made.store)),
    ]
    env = {**os.environ, "XDG_STATE_HOME": str(state), "TERM": "xterm"}
    return pexpect.spawn(
        sys.executable,
        told,
        env=env,
        encoding="utf-8",
        timeout=60,
        dimensions=(40, 100),
        preexec_fn=hear_interrupts,
    )


def hear_interrupts() -> None:
    """Ctrl-C works as at a terminal, also where the tests run as a background job.

    Shells start such jobs with SIGINT ignored, children inherit that, and Python then installs
    no handler of its own.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupt(child: Any) -> None:
    """Ctrl-C until the prompt is back, as a person would press it.

    CPython's readline loop misses a signal that comes between two calls of select. Wait for the
    echo of what was typed first: the terminal drops unread input at Ctrl-C, and readline, told
    there was some, then waits for a key.
    """
    for _ in range(30):
        child.sendintr()
        if child.expect_exact(["cypher> ", pexpect.TIMEOUT], timeout=2) == 0:
            return
    pytest.fail("Ctrl-C never brought the prompt back")


def test_a_session(made: Any, tmp_path: Path) -> None:
    child = spawn(made, tmp_path)
    ask_in_turn(child)
    child.expect_exact("cypher> ")
    child.send("RETURN half of it")
    child.expect_exact("half of it")
    interrupt(child)
    child.sendline("exit")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0

    again = spawn(made, tmp_path)
    again.expect_exact("cypher> ")
    again.send("\x1b[A\x1b[A")  # arrow up, twice: past `exit`
    again.expect_exact("/most_cited limit;")  # readline redraws only what differs from `exit`
    interrupt(again)
    again.sendeof()
    again.expect(pexpect.EOF)
    again.close()
    assert again.exitstatus == 0


def ask_in_turn(child: Any) -> None:
    """Questions, mistakes and a change, each with its answer."""
    for typed, answer in (
        ("explore/totals;", "fulltext_papers"),
        ("explore/most_cited limit=2;", "2 rows"),
        ("MATCH (p:Paper) WHERE p.fulltext\nRETURN count(*) AS n;", "50"),
        ("MATCH (p:Paper) RETURN count(*) > 0 AS set;", "1 row"),
        ("CREATE (:Keyword {id: 'k'});", "add --write"),
        ("MATCH oops;", "exception"),
        ("explore/nothing;", "no library query"),
        ("explore/most_cited limit;", "NAME=VALUE"),
    ):
        child.expect_exact("cypher> ")
        for line in typed.split("\n"):
            child.sendline(line)
        child.expect_exact(answer)
