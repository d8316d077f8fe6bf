"""Output of `platform score` and `platform explain`."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Platform = Callable[..., Any]


def test_score_reports_omitted_citations_and_its_run(platform: Platform, generated: Any) -> None:
    """The run is stored beside the store, in any working directory."""
    Path("sub").mkdir()
    shutil.copy(generated.store, "sub/mine.lbug")
    shown = platform("score", "--store", "sub/mine.lbug", "--features", "I,S").out
    text = "MATCH (s:Section)-[:CONTAINS]->(:Occurrence) RETURN s.type AS type, count(*) AS n"
    rows = platform("cypher", text, "--store", "sub/mine.lbug", "--json").json
    counts = {row["type"]: row["n"] for row in rows}
    outside = sum(n for type_, n in counts.items() if type_ != "I")
    assert f"{outside:,} of {sum(counts.values()):,} citations in the text are in" in shown
    assert f"{counts['R']:,} R" in shown
    (run,) = Path("sub/runs").iterdir()
    assert f"run {run.name} is stored in sub/runs/{run.name}" in shown
    assert not Path("runs").exists()
    every = ("--features", "I,M,R,D,other", "--store", "sub/mine.lbug")
    assert "leaves out" not in platform("score", *every).out
    status = platform("status", "--store", "sub/mine.lbug")
    lines = [line for line in status.out.splitlines() if line.startswith("score-")]
    assert len(lines) == 3
    assert [line.endswith("its scores are in the graph") for line in lines] == [True, False, False]


def test_explain_marks_uncounted_mentions_and_never_cuts_ids(
    run_on_store: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        "MATCH (a:Paper)-[c:CITES]->(b:Paper) WHERE c.f_M > 0 "
        "RETURN a.id AS citing, b.id AS cited ORDER BY citing, cited LIMIT 1"
    )
    pair = run_on_store("cypher", "--json", text).json[0]
    monkeypatch.setenv("COLUMNS", "50")
    shown = run_on_store("explain", pair["citing"], pair["cited"]).out
    assert pair["citing"] in shown
    assert pair["cited"] in shown
    assert max(map(len, shown.splitlines())) <= 50
    mentions = run_on_store("explain", pair["citing"], pair["cited"], "--json").json["occurrences"]
    assert {mention["type"] for mention in mentions if not mention["counts_in"]} <= {"M", "other"}
    assert " ".join(shown.split()).count("not counted in this score") == sum(
        not mention["counts_in"] for mention in mentions
    )
