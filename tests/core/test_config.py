"""Locations of stores, and commands quoted in messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from citescape.core.config import is_address, make_store_folder, quote_command
from citescape.runs.directory import default_runs

ADDRESS = "bolt:neo4j:swordfish-42@localhost"


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("bolt://localhost", True),
        ("http://localhost", True),
        (ADDRESS, True),
        (" Neo4j+SSC:x", True),
        ("bolt\uff1a//localhost", True),
        ("bolt%3Alocalhost", True),
        ("user:pw@host", True),
        ("corpus.lbug", False),
        ("bolt", False),
        ("neo4j/bolt.lbug", False),
        ("./bolt:x", False),
        ("../a:b@c.lbug", False),
        ("~/a:b@c.lbug", False),
        ("/data/2024:a@b.lbug", False),
        ("mail@host:x.lbug", False),
    ],
)
def test_a_location_is_an_address_or_a_path(location: str, expected: bool) -> None:
    assert is_address(location) is expected


def test_malformed_addresses_make_no_folder_and_show_no_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make_store_folder(f"{ADDRESS}/papers/x")
    assert default_runs(f"{ADDRESS}/papers/x") == Path("runs")
    assert list(tmp_path.iterdir()) == []
    assert quote_command("score", ADDRESS) == "`platform score --store 'bolt:***@localhost'`"
    assert quote_command("score", "a b.lbug") == "`platform score --store 'a b.lbug'`"
