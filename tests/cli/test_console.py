"""The Cypher console on a real terminal: prompts, library queries, errors, history, leaving."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tests.cli.conftest import GeneratedCorpus
from tests.forks import COMMAND_LINE, Fork, shared_forks

CTRL_C, CTRL_D = "\x03", "\x04"


@pytest.fixture
def spawn(generated: GeneratedCorpus, tmp_path: Path) -> Callable[[], tuple[Fork, Any]]:
    """Starts a console on a pseudo-terminal of 100 columns, with its own history."""
    words = (COMMAND_LINE, "cypher", "--store", generated.store)
    return lambda: shared_forks().start_on_terminal(
        *words, folder=tmp_path, XDG_STATE_HOME=str(tmp_path)
    )


def end(fork: Fork, child: Any) -> None:
    with fork:
        child.expect(pexpect.EOF)
        child.close()
    assert fork.returncode == 0


def interrupt(child: Any) -> None:
    """Sends Ctrl-C until the prompt is back, as a person would press it.

    CPython's readline loop misses a signal that comes between two calls of select. Wait for the
    echo of what was typed first: the terminal drops unread input at Ctrl-C, and readline, which
    was notified of input, then waits for a key.
    """
    for _ in range(30):
        child.send(CTRL_C)
        if child.expect_exact(["cypher> ", pexpect.TIMEOUT], timeout=2) == 0:
            return
    pytest.fail("Ctrl-C never brought the prompt back")


def test_a_session_with_queries_mistakes_and_a_change(spawn: Callable[[], Any]) -> None:
    fork, child = spawn()
    check_session(child)
    child.expect_exact("cypher> ")
    child.send("RETURN half of it")
    child.expect_exact("half of it")
    interrupt(child)
    child.sendline("exit")
    end(fork, child)

    fork, again = spawn()
    again.expect_exact("cypher> ")
    again.send("\x1b[A\x1b[A")  # arrow up, twice: past `exit`
    again.expect_exact("/most_cited limit")  # readline redraws only what differs from `exit`
    interrupt(again)
    again.send(CTRL_D)
    end(fork, again)


def check_session(child: Any) -> None:
    """Queries, mistakes, commands and a change, each with its output."""
    for typed, answer in (
        ("explore/totals;", "fulltext_papers"),
        ("explore/totals", "fulltext_papers"),
        ("explore/most_cited limit=2", "2 rows"),
        ("MATCH (p:Paper) WHERE p.fulltext\nRETURN count(*) AS n;", "50"),
        ("MATCH (p:Paper) RETURN count(*) > 0 AS set;", "1 row"),
        (":help", ":show explore/most_important"),
        (":list", "explore/bridging least=0.5 limit=20"),
        (":show explore/contexts", "param paper (paper)"),
        (":lst", "no such command: :lst"),
        ("CREATE (:Keyword {id: 'k'});", "platform cypher --write --store"),
        ("MATCH oops;", "Invalid input <MATCH oops> (line"),
        ("explore/nothing", "no library query"),
        ("explore/most_cited limit", "NAME=VALUE"),
    ):
        child.expect_exact("cypher> ")
        for line in typed.split("\n"):
            child.sendline(line)
        child.expect_exact(answer)


def test_ctrl_c_interrupts_a_query_and_the_console_stays(spawn: Callable[[], Any]) -> None:
    """The engine looks for an interrupt only between the values of the first list."""
    fork, child = spawn()
    child.expect_exact("cypher> ")
    for name, size in (("a", 1_000_000), ("b", 1_000), ("c", 100)):
        child.sendline(f"UNWIND range(1, {size}) AS {name}")
        child.expect_exact("      > ")
    child.sendline("RETURN sum(a + b + c) AS n;")
    child.expect_exact("AS n;")
    time.sleep(0.5)  # until the query runs: before that, Ctrl-C drops the statement
    child.send(CTRL_C)
    child.expect_exact("interrupted")
    child.expect_exact("cypher> ")
    child.sendline("explore/totals")
    child.expect_exact("1 row")
    child.sendline("\\q")
    end(fork, child)


def test_tab_completes_names_and_history_holds_statements(
    spawn: Callable[[], Any], tmp_path: Path
) -> None:
    fork, child = spawn()
    for typed, completed in (
        ("explore/most_im\t limit=1", "explore/most_important limit=1"),
        ("MATCH (p:Pap\t)", "MATCH (p:Paper)"),
        ("RETURN p.fullt\t LIMIT 1;", "RETURN p.fulltext LIMIT 1;"),
    ):
        child.expect_exact(["cypher> ", "      > "])
        child.send(typed)
        child.expect_exact(completed)
        child.send("\r")
    child.expect_exact("1 row")
    child.sendline("exit")
    end(fork, child)
    history = (tmp_path / "citescape" / "cypher_history").read_text().splitlines()
    assert history == [
        "explore/most_important limit=1",
        "MATCH (p:Paper) RETURN p.fulltext LIMIT 1;",
        "exit",
    ]
