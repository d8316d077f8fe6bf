"""What `platform score` and `platform explain` say to people."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Platform = Callable[..., Any]


def test_score_says_what_it_leaves_out_and_where_it_is_kept(platform: Platform, made: Any) -> None:
    """The run stands beside the store, wherever the command is given."""
    Path("sub").mkdir()
    shutil.copy(made.store, "sub/mine.lbug")
    shown = platform("score", "--store", "sub/mine.lbug", "--features", "I,S").out
    text = "MATCH (s:Section)-[:CONTAINS]->(:Occurrence) RETURN s.type AS type, count(*) AS n"
    rows = platform("cypher", text, "--store", "sub/mine.lbug", "--json").json
    of = {row["type"]: row["n"] for row in rows}
    outside = sum(n for type_, n in of.items() if type_ != "I")
    assert f"{outside:,} of {sum(of.values()):,} citations in the text are in" in shown
    assert f"{of['R']:,} R" in shown
    (run,) = Path("sub/runs").iterdir()
    assert f"run {run.name} is stored in sub/runs/{run.name}" in shown
    assert not Path("runs").exists()
    every = ("--features", "I,M,R,D,other", "--store", "sub/mine.lbug")
    assert "leaves out" not in platform("score", *every).out
    status = platform("status", "--store", "sub/mine.lbug")
    lines = [line for line in status.out.splitlines() if line.startswith("score-")]
    assert len(lines) == 3
    assert [line.endswith("its scores are in the graph") for line in lines] == [True, False, False]


def test_explain_marks_what_does_not_count_and_never_cuts_an_id(
    ask: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        "MATCH (a:Paper)-[c:CITES]->(b:Paper) WHERE c.f_M > 0 "
        "RETURN a.id AS citing, b.id AS cited ORDER BY citing, cited LIMIT 1"
    )
    pair = ask("cypher", "--json", text).json[0]
    monkeypatch.setenv("COLUMNS", "50")
    shown = ask("explain", pair["citing"], pair["cited"]).out
    assert pair["citing"] in shown
    assert pair["cited"] in shown
    assert max(map(len, shown.splitlines())) <= 50
    found = ask("explain", pair["citing"], pair["cited"], "--json").json["occurrences"]
    assert {mention["type"] for mention in found if not mention["counts_in"]} <= {"M", "other"}
    assert " ".join(shown.split()).count("not counted in this score") == sum(
        not mention["counts_in"] for mention in found
    )
